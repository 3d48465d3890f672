import Foundation
import Imagery
import Testing

@testable import BookScan

/// Photographs of ISBN barcodes, taken with phones. The tests are skipped if they are missing.
@Suite struct BarcodeTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/barcodes").standardizedFileURL
  static let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "expected.json").path)

  private struct Photograph: Decodable {
    var file: String
    /// The barcode's digits, followed by those of its add-on.
    var expected: String
    var isISBN: Bool

    private enum CodingKeys: String, CodingKey {
      case file, expected
      case isISBN = "is_isbn13"
    }
  }

  @Test(.enabled(if: isThere)) func mostISBNsAreReadAndNoneWrongly() throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "expected.json"))
    let photos = try JSONDecoder().decode([Photograph].self, from: data).filter {
      $0.file.hasSuffix(".png")
        && FileManager.default.fileExists(atPath: Self.folder.appending(path: $0.file).path)
    }
    var (right, wrong, isbns) = (0, 0, 0)
    for photo in photos {
      let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: photo.file)))
      let (image, orientation, _) = try ImageFile.read(bytes)
      let found = BarcodeReader.isbns(in: try UprightPhoto(image, orientation: orientation)).map(\.isbn)
      isbns += photo.isISBN ? 1 : 0
      right += photo.isISBN && found.contains(String(photo.expected.prefix(13))) ? 1 : 0
      wrong += found.count { $0 != photo.expected.prefix(13) }
    }
    print("ISBN barcodes: \(right) of \(isbns) read, \(wrong) wrong")
    #expect(wrong == 0)
    #expect(right * 100 >= isbns * 65)
  }
}
