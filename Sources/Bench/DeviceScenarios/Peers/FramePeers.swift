import Probes

extension Peer {
  /// Returns four common programs, in the order of the report.
  /// - Parameter size: the size of the device's frames, for the program that would otherwise request another size.
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
}
