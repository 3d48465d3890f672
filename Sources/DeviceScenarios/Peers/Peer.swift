import Glibc
import Imagery
import Probes

/// Another program that can take a frame from a camera, and how it is asked to take one and end.
struct Peer: Sendable {
  let name: String
  /// The Debian package that has it.
  let package: String
  let arguments: [String]
  /// The option that makes it tell its version.
  let versionOption: String

  /// The four that people use, in the order of the report.
  /// - Parameter size: of the device's frames, for the one that would ask for another.
  static func all(node: String, size: (width: Int, height: Int)) -> [Peer] {
    [
      Peer(
        name: "v4l2-ctl", package: "v4l-utils", arguments: ["-d", node, "--stream-mmap", "--stream-count=1"],
        versionOption: "--version"),
      Peer(
        name: "ffmpeg", package: "ffmpeg",
        arguments: [
          "-v", "quiet", "-nostdin", "-y", "-f", "v4l2", "-i", node, "-frames:v", "1", "-f", "null", "-",
        ],
        versionOption: "-version"),
      Peer(
        name: "gst-launch-1.0", package: "gstreamer1.0-tools gstreamer1.0-plugins-good",
        arguments: ["-q", "v4l2src", "device=\(node)", "num-buffers=1", "!", "fakesink"],
        versionOption: "--version"),
      Peer(
        name: "fswebcam", package: "fswebcam",
        arguments: ["-q", "-d", node, "-r", "\(size.width)x\(size.height)", "--save", "/dev/null"],
        versionOption: "--version"),
    ]
  }

  /// What it says its version is, in one line; nil when it is not installed.
  func version() throws -> String? {
    // Some say it on standard error. The shell says 127 for a program that is not there.
    let outcome = try ChildProgram(
      executable: "sh", arguments: ["-c", "exec \"$0\" \"$1\" 2>&1", name, versionOption]
    ).run()
    guard outcome.status != 127 else { return nil }
    let line = outcome.output.split(separator: "\n").first.map(String.init) ?? "of unknown version"
    return String(line.filter { $0.isASCII && !$0.isNewline }.prefix(60))
  }

  /// Milliseconds from its start to its end; nil when it failed.
  func run() throws -> Double? {
    let outcome = try ChildProgram(executable: name, arguments: arguments, showsErrors: false).run()
    return outcome.status == 0 ? (outcome.exited - outcome.spawned).milliseconds : nil
  }
}
