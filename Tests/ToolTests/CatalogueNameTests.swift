import Catalogue
import Foundation
import Imagery
import Testing

@testable import BookScan
@testable import swiftwing_tool

/// The fields that a catalogue adds to `scan --photos --json`.
@Suite struct CatalogueNameTests {
  private func books(_ names: [CatalogueName?]?) throws -> [[String: Any]] {
    let box = Box(x: 0, y: 0, width: 20, height: 80)
    let spines = ["PROZES", "Kim"].map {
      SpineFinding(title: $0, author: nil, isbn: nil, confidence: 0.9, box: box, angle: 90)
    }
    let findings = PhotoFindings(
      recognizer: "Reader 1", size: PixelSize(width: 100, height: 120), lines: [], spines: spines, notes: [])
    var document = FindingsDocument(photo: "a.jpg", findings: findings, milliseconds: 1)
    if let names { document.take(names) }
    let photo = try JSONSerialization.jsonObject(with: Data(try document.text().utf8)) as? [String: Any]
    return try #require(photo?["books"] as? [[String: Any]])
  }

  @Test func aNameStandsBesideTheReading() throws {
    let match = CatalogueMatch(title: "Der Prozess", author: nil, isbn: nil, score: 0.9567)
    let books = try books([CatalogueName(match), nil])
    let name = try #require(books[0]["catalogue"] as? [String: Any])
    #expect(Set(name.keys) == ["title", "author", "isbn", "score"])
    #expect(
      name["title"] as? String == "Der Prozess" && name["author"] is NSNull
        && name["score"] as? Double == 0.96)
    #expect(books[0]["title"] as? String == "PROZES", "the reading is kept")
    #expect(books[1]["catalogue"] is NSNull)
  }

  @Test func withoutACatalogueThereIsNoKey() throws {
    #expect(try books(nil).allSatisfy { $0["catalogue"] == nil })
  }
}
