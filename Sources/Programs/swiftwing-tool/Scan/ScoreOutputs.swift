import ArgumentParser
import Console
import Foundation

/// The files that `scan score` writes. They are checked before anything is read: no output may be an input, and no two outputs may be
/// the same file.
struct ScoreOutputs {
  private var destinations: [String: Destination] = [:]

  /// - Parameters:
  ///   - options: the files by the option that names each; `nil` for one that was not given.
  ///   - inputs: what is read.
  init(_ options: KeyValuePairs<String, String?>, madeOf inputs: [String]) throws {
    var earlier: [String] = []
    for (option, path) in options {
      guard let path else { continue }
      guard !earlier.contains(where: { $0 == path || Destination.isSame($0, path) }) else {
        throw ValidationError("\(option) \(path) is also the file of another option; name another")
      }
      earlier.append(path)
      destinations[option] = try Destination(path, option: option, madeOf: inputs)
    }
  }

  /// Writes nothing when the option was not given. Says what was replaced; not for --readings, whose file is added to.
  func write(_ option: String, _ data: () throws -> Data) throws {
    guard let destination = destinations[option] else { return }
    do { try data().write(to: URL(filePath: destination.path), options: .atomic) } catch {
      let reason = errno == 0 ? "it cannot be written" : String(cString: strerror(errno)).lowercased()
      throw PhotoFileError(cannot: "write", file: destination.path, reason: reason)
    }
    if option != "--readings" { destination.tellReplaced() }
  }
}
