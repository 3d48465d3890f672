import Foundation

/// The test vectors that came with the requirements, in a folder beside the package. They may be missing.
enum SharedData {
  static func folder(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/data/\(name)")
      .standardized
  }
}
