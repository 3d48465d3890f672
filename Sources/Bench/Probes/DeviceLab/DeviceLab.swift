import Glibc
import Harness
import Imagery
package import System

/// The device lab, seen from inside (`lab/run … -- COMMAND`): commands unplug its cameras and inject faults. The commands are listed in
/// `lab/README.md`.
package struct DeviceLab: Sendable {
  /// A device of the lab, as listed by `lab-ctl list`.
  package struct Device: Sendable, Equatable {
    /// The name, such as `uvc0`, `vivid0` or `accel`.
    package var name: String
    package var kind: String
    /// The node at the time of listing. Nil while the device is unplugged.
    package var node: String?
    /// The serial number, which twins share.
    package var serial: String?
  }

  /// - Throws: `Unsupported` outside the lab.
  package init() throws {
    guard getenv("LAB") != nil else {
      throw Unsupported("this needs the device lab; run it there: `lab/run … -- COMMAND`")
    }
  }

  /// Returns the current devices.
  package func devices() throws -> [Device] {
    try control(["list"]).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      guard words.count >= 2 else { return nil }
      return Device(
        name: words[0], kind: words[1], node: words.first { $0.hasPrefix("/dev/video") },
        serial: words.count > 3 && words[3] != "-" ? words[3] : nil)
    }
  }

  /// Returns the device behind a node such as `/dev/video0`, or behind one of its stable names.
  package func device(at node: String) throws -> Device {
    let resolved = realpath(node, nil).map { path in
      defer { free(path) }
      return String(cString: path)
    }
    guard let found = try devices().first(where: { $0.node == resolved ?? node }) else {
      throw Unsupported("\(node) is not one of the lab's cameras; `lab-ctl list` shows them")
    }
    return found
  }

  /// Gives a command, such as `unplug`, and waits until it has taken effect.
  /// - Returns: the time when the command took effect, on `CLOCK_MONOTONIC`, the clock of the frames.
  @discardableResult
  package func command(_ device: String, _ words: String...) throws -> MonotonicTime {
    try command(device, words)
  }

  package func command(_ device: String, _ words: [String]) throws -> MonotonicTime {
    let said = try control([device] + words)
    guard let seconds = said.split(whereSeparator: \.isWhitespace).last.flatMap({ Double($0) }) else {
      throw LaunchError(
        "lab-ctl", "it answered '\(said)', not the time when \(words.joined(separator: " ")) took effect",
        remedy: "build the lab's tools again with `lab/setup`")
    }
    return MonotonicTime(nanoseconds: Int64(seconds * 1e9))
  }

  private func control(_ arguments: [String]) throws -> String {
    let outcome = try ChildProgram(executable: "lab-ctl", arguments: arguments).run()
    guard outcome.status == 0 else {
      throw LaunchError(
        "lab-ctl \(arguments.joined(separator: " "))", "it ended with status \(outcome.status)",
        remedy: "its own message, above, says why")
    }
    return outcome.output
  }
}

/// The lab did not do what a scenario relies on. The engine is not to blame.
package struct LabTrouble: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
