import Foundation

/// The vectors handed out with the requirements, beside the package when they are there at all.
enum SharedData {
  static func folder(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/data/\(name)")
      .standardized
  }
}
