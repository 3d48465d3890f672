import Imagery
import System

/// Another program that does what one of ours does, and how it is asked to do it and end.
package struct Peer: Sendable {
  /// As in the ids of metrics.
  package let id: String
  /// A path, or what is looked for in `PATH`.
  package let name: String
  /// The Debian packages that have it, apart by spaces.
  package let package: String
  package let arguments: [String]
  /// What makes it tell its version.
  package let versionOption: String

  /// - Parameter id: nil for its name.
  package init(
    id: String? = nil, name: String, package: String, arguments: [String], versionOption: String
  ) {
    self.id = id ?? name
    self.name = name
    self.package = package
    self.arguments = arguments
    self.versionOption = versionOption
  }

  /// The same, found at a path in place of its name.
  package func at(_ path: String) -> Peer {
    Peer(id: id, name: path, package: package, arguments: arguments, versionOption: versionOption)
  }

  /// What it says its version is, in one line; nil when it is not installed.
  package func version() throws -> String? {
    // Some say it on standard error. The shell says 127 for a program that is not there.
    let outcome = try ChildProgram(
      executable: "sh", arguments: ["-c", "exec \"$0\" \"$1\" 2>&1", name, versionOption]
    ).run()
    guard outcome.status != 127 else { return nil }
    return Self.name(outcome.output)
  }

  /// The first line of what it says, without an address, a date or who wrote it.
  package static func name(_ said: String) -> String {
    let words = (said.split(separator: "\n").first ?? "").split(separator: " ").map {
      $0.filter { $0.isASCII && !$0.isNewline }
    }
    let kept = words.drop { $0 == "Version:" }.prefix {
      !$0.hasPrefix("http") && $0 != "Copyright" && $0.wholeMatch(of: /\d{4}-\d\d-\d\d/) == nil
    }
    return kept.isEmpty ? "of unknown version" : String(kept.joined(separator: " ").prefix(60))
  }

  /// Milliseconds from its start to its end; nil when it failed.
  package func run() throws -> Double? {
    let outcome = try ChildProgram(executable: name, arguments: arguments, showsErrors: false).run()
    return outcome.status == 0 ? (outcome.exited - outcome.spawned).milliseconds : nil
  }

  /// The most memory that it held at once, in bytes, told by GNU time: what the system tells of a child counts what its parent had.
  /// - Returns: nil when it failed, or `time` is not installed.
  package func peakMemory() throws -> Int? {
    let outcome = try ChildProgram(
      executable: "sh",
      arguments: ["-c", "exec env time -q -f %M \"$@\" 2>&1 >/dev/null", "sh", name] + arguments
    ).run()
    guard outcome.status == 0, let last = outcome.output.split(separator: "\n").last,
      let kilobytes = Int(last)
    else { return nil }
    return kilobytes << 10
  }
}
