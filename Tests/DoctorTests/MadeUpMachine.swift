import BookScan
import Foundation

@testable import swiftwing_tool

/// An invented machine on which everything works. Each test changes one thing.
extension Surroundings {
  static func sound(root: String = "/nonexistent") -> Surroundings {
    Surroundings(
      environment: ["HOME": "/home/ada"], root: root,
      cameras: { [Camera(path: "/dev/video0", name: "A camera")] },
      corpora: { PlaceChecks.bundled },
      startRecognizer: { choice in
        .success(choice.engine == .openvino ? "PP-OCRv6 on OpenVINO 2026.4.1" : "Tesseract 5.3.0")
      },
      hasProgram: { _ in true }, programs: "/usr/libexec/swiftwing", freeBytes: { _ in 8 << 30 },
      exists: { _ in true },
      hasRealTime: true, videoCodecs: { ["mjpeg", "h264"] })
  }
}

/// A folder that takes the place of `/`, and is deleted with the object.
final class MadeUpRoot {
  let path: String

  /// Writes the files.
  /// - Parameter files: the content of each path; a path that ends in a slash is a folder.
  init(_ files: [String: String]) throws {
    path = NSTemporaryDirectory() + "doctor-\(UUID().uuidString)"
    for (name, text) in files {
      let file = URL(fileURLWithPath: path + name)
      let folder = name.hasSuffix("/") ? file : file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      if !name.hasSuffix("/") { try Data(text.utf8).write(to: file) }
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
