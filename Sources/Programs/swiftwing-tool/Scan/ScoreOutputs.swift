import ArgumentParser
import Console
import Foundation
import ScanStation

/// The files that `scan score` writes. They are checked before any photo is read: no output may be an input, and no two outputs
/// may be the same file.
struct ScoreOutputs {
  private var destinations: [String: Destination] = [:]

  /// Checks the files.
  /// - Parameters:
  ///   - options: each option and its file; nil if the option was not given.
  ///   - inputs: the files that are read.
  init(_ options: KeyValuePairs<String, String?>, madeOf inputs: [String]) throws {
    var earlier: [String] = []
    for (option, path) in options {
      guard let path else { continue }
      guard !earlier.contains(where: { Destination.areOne($0, path) }) else {
        throw ValidationError("\(option) \(path) is also the file of another option; name another")
      }
      earlier.append(path)
      destinations[option] = try Destination(path, option: option, madeOf: inputs)
    }
  }

  /// Writes the file of an option; nothing if the option was not given. Reports a replaced file, except for `--readings`, which
  /// keeps the earlier readings.
  func write(_ option: String, _ data: () throws -> Data) throws {
    guard let destination = destinations[option] else { return }
    do { try data().write(to: URL(filePath: destination.path), options: .atomic) } catch {
      let code = errno
      guard code == 0 else { throw PhotoFileError(writing: destination.path, code: code) }
      throw PhotoFileError(cannot: "write", file: destination.path, reason: "it cannot be written")
    }
    if option != "--readings" { destination.tellReplaced() }
  }
}
