import Imagery
import System

/// Another program that does the same work as one of our programs. Its arguments make it do the work once and then end.
package struct Peer: Sendable {
  /// The name used in ids of metrics.
  package let id: String
  /// A path, or a name that is searched in `PATH`.
  package let name: String
  /// The Debian packages with the program, separated by spaces.
  package let package: String
  package let arguments: [String]
  /// The option that prints the version.
  package let versionOption: String

  /// - Parameter id: the name used in ids of metrics; nil to use `name`.
  package init(
    id: String? = nil, name: String, package: String, arguments: [String], versionOption: String
  ) {
    self.id = id ?? name
    self.name = name
    self.package = package
    self.arguments = arguments
    self.versionOption = versionOption
  }

  /// Returns the peer with the program at `path`.
  package func at(_ path: String) -> Peer {
    Peer(id: id, name: path, package: package, arguments: arguments, versionOption: versionOption)
  }

  /// Returns the version of the program in one line. Nil if the program is not installed.
  package func version() throws -> String? {
    // Some programs print the version on standard error. The shell returns 127 for a program that does not exist.
    let outcome = try ChildProgram(
      executable: "sh", arguments: ["-c", "exec \"$0\" \"$1\" 2>&1", name, versionOption]
    ).run()
    guard outcome.status != 127 else { return nil }
    return Self.name(outcome.output)
  }

  /// Returns the first line of the output, without an address, a date or an author.
  package static func name(_ said: String) -> String {
    let words = (said.split(separator: "\n").first ?? "").split(separator: " ").map {
      $0.filter { $0.isASCII && !$0.isNewline }
    }
    let kept = words.drop { $0 == "Version:" }.prefix {
      !$0.hasPrefix("http") && $0 != "Copyright" && $0.wholeMatch(of: /\d{4}-\d\d-\d\d/) == nil
    }
    return kept.isEmpty ? "of unknown version" : String(kept.joined(separator: " ").prefix(60))
  }

  /// Returns the milliseconds from the start of the program to its end. Nil if the program failed.
  package func run() throws -> Double? {
    let outcome = try ChildProgram(executable: name, arguments: arguments, showsErrors: false).run()
    return outcome.status == 0 ? (outcome.exited - outcome.spawned).milliseconds : nil
  }

  /// Returns the peak memory of the program in bytes, as reported by GNU time, because the kernel's own figure for a child includes the
  /// memory of its parent.
  /// - Returns: nil if the program failed, or if `time` is not installed.
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
