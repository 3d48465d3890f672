import Foundation
import System

/// A checkout of the scenarios' package, in which their declarations are searched. Reports point there, and never at a path of one machine.
///
/// The compiler's `#fileID` has only the module and the name of a file, without folders, which no reader of SARIF can open. So the file is
/// searched below `Sources/MODULE` or `Sources/LAYER/MODULE` of the checkout that the run was started in.
public struct Checkout: Sendable {
  private let root: String
  /// Maximum number of files, and of bytes per file, that are read.
  private static let limits = (files: 2000, bytes: 1 << 20)

  /// Finds the checkout that contains `folder`: the nearest folder, at or above it, with a `Package.swift` and a `Sources`. Nil if there is none.
  public init?(around folder: String) {
    var url = URL(fileURLWithPath: folder).standardizedFileURL
    while true {
      let path = url.path
      let has = { (name: String) in FileManager.default.fileExists(atPath: "\(path)/\(name)") }
      if has("Package.swift"), has("Sources") {
        root = path
        return
      }
      guard path != "/", !path.isEmpty else { return nil }
      url.deleteLastPathComponent()
    }
  }

  /// Returns the declarations of scenarios, by their ids: the line with the id in quotes in the file that declares the type, else the line that
  /// declares the type. Scenarios that are not found are left out.
  public func declarations(of scenarios: [any Scenario]) -> [String: SourceLocation] {
    let named = scenarios.map { (id: $0.id, name: String(reflecting: type(of: $0))) }
    var found: [String: SourceLocation] = [:]
    for (module, wanted) in Dictionary(
      grouping: named, by: { scenario in scenario.name.prefix { $0 != "." } })
    {
      // The folder must be below Sources, whatever the type is called.
      guard !module.isEmpty, module.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { continue }
      let types = Dictionary(grouping: wanted, by: { Self.last($0.name) })
      for file in folders(of: module).flatMap(files(below:)) {
        guard let lines = lines(of: file) else { continue }
        for (index, line) in lines.enumerated() {
          for scenario in Self.declared(in: line).flatMap({ types[$0] }) ?? [] where found[scenario.id] == nil
          {
            let own = lines.firstIndex { $0.contains("\"\(scenario.id)\"") } ?? index
            found[scenario.id] = SourceLocation(file: file, line: own + 1)
          }
        }
      }
    }
    return found
  }

  /// Returns the folders where the sources of a module may be, relative to the root.
  private func folders(of module: Substring) -> [String] {
    let layers = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources")) ?? []
    return ["Sources/\(module)"] + layers.sorted().map { "Sources/\($0)/\(module)" }
  }

  /// Returns the Swift files, relative to the root.
  private func files(below folder: String) -> [String] {
    guard let all = FileManager.default.enumerator(atPath: "\(root)/\(folder)") else { return [] }
    let names = all.lazy.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    return names.prefix(Self.limits.files).map { "\(folder)/\($0)" }.sorted()
  }

  private func lines(of file: String) -> [Substring]? {
    (try? RegularFile.read("\(root)/\(file)", atMost: Self.limits.bytes)).map {
      String(decoding: $0, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
  }

  /// Returns the type that a line declares, such as `Pan` in `struct Pan: Scenario {`.
  private static func declared(in line: Substring) -> Substring? {
    let words = line.split(whereSeparator: { " :<{(".contains($0) })
    let kinds: Set<Substring> = ["struct", "class", "actor", "enum"]
    let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private", "final"]
    guard let kind = words.firstIndex(where: { !modifiers.contains($0) }), kinds.contains(words[kind]),
      kind + 1 < words.count
    else { return nil }
    return words[kind + 1]
  }

  /// Returns the type's own name, without module, enclosing types and generic parameters.
  private static func last(_ name: String) -> Substring {
    let plain = name.prefix { $0 != "<" }
    return plain.split(separator: ".").last ?? plain
  }
}
