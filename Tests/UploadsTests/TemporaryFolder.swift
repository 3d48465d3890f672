import Foundation

@testable import Library
@testable import Uploads

/// A temporary folder, removed with the test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "delivery-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func store(_ access: Store.Access = .owner) throws -> Store {
    try Store(directory: "\(path)/store", access: access)
  }

  /// The names of the files in the store's folder of images.
  var images: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/store/images")) ?? []
  }

  func mode(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
  }
}

extension Submission {
  static func photo(_ bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9], metadata: [String: String] = [:])
    -> Submission
  {
    Submission(
      content: .image(bytes, mediaType: "image/jpeg"), capturedAt: Date(timeIntervalSince1970: 1_700_000_000),
      metadata: metadata)
  }
}
