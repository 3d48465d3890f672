import Foundation
import Imagery
import ScanStation
import Testing

@testable import BookScan
@testable import swiftwing_tool

@Suite struct FindingsDocumentTests {
  private func document() throws -> [String: Any] {
    let region = TextRegion(center: Point(x: 50, y: 60), length: 80, height: 20, angle: 90)
    let box = Box(x: 40.4, y: 20, width: 20, height: 80)
    var cost = ReadingCost()
    (cost.decoding, cost.detection, cost.recognition, cost.spines) = (0.051, 1.5, 0.25, 0.004)
    let findings = PhotoFindings(
      recognizer: "Reader 1", size: PixelSize(width: 100, height: 120),
      lines: [TextLine(text: "A \"line\"\nof two", confidence: 0.98765, region: region)],
      spines: [
        SpineFinding(title: "Alone", author: nil, isbn: nil, confidence: 0.9, box: box, angle: 90),
        SpineFinding(title: "Whole", author: "B", isbn: "9780306406157", confidence: 1, box: box, angle: 90),
      ],
      unlikely: [
        SpineFinding(
          title: "SALE", confidence: 0.126, certainty: .unlikely, box: box, angle: 0,
          outline: [Point(x: 1.4, y: 2), Point(x: 9, y: 2), Point(x: 9, y: 7), Point(x: -1, y: 7)])
      ], notes: ["not for programs"], cost: cost)
    let text = try FindingsDocument(photo: "a/b.jpg", findings: findings, milliseconds: 12.6).text()
    #expect(!text.contains("\n") && !text.contains("not for programs"))
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func aPhotoHasExactlyTheKeysPromised() throws {
    let photo = try document()
    let keys: Set = ["photo", "recognizer", "milliseconds", "cost", "size", "lines", "books", "unlikely"]
    #expect(Set(photo.keys) == keys && photo["size"] as? [Int] == [100, 120])
    #expect(photo["photo"] as? String == "a/b.jpg" && photo["recognizer"] as? String == "Reader 1")
    #expect(photo["milliseconds"] as? Double == 13)
    let cost = ["decoding": 0.05, "detection": 1.5, "recognition": 0.25, "secondScript": 0, "spines": 0]
    #expect(photo["cost"] as? [String: Double] == cost)
  }

  @Test func aLineHasExactlyTheKeysPromised() throws {
    let lines = try #require(try document()["lines"] as? [[String: Any]])
    let line = try #require(lines.first)
    #expect(Set(line.keys) == ["text", "confidence", "box", "angle"] && lines.count == 1)
    #expect(line["text"] as? String == "A \"line\" of two" && line["confidence"] as? Double == 0.99)
    #expect(line["box"] as? [Double] == [40, 20, 20, 80] && line["angle"] as? Double == 90)
  }

  @Test func aBookHasExactlyTheKeysPromisedAndNullForWhatIsAbsent() throws {
    let books = try #require(try document()["books"] as? [[String: Any]])
    let keys: Set = [
      "title", "author", "isbn", "confidence", "fieldsConfidence", "certainty", "box", "outline", "parts",
    ]
    for book in books { #expect(Set(book.keys) == keys) }
    #expect(books[0]["author"] is NSNull && books[0]["isbn"] is NSNull)
    #expect(books[1]["author"] as? String == "B" && books[1]["isbn"] as? String == "9780306406157")
    #expect(books[0]["box"] as? [Double] == [40, 20, 20, 80] && books[0]["certainty"] as? String == "sure")
    #expect(books[0]["outline"] as? [[Double]] == [[40, 20], [60, 20], [60, 100], [40, 100]])
  }

  @Test func whatIsProbablyNoBookIsKeptApartInTheSameForm() throws {
    let unlikely = try #require(try document()["unlikely"] as? [[String: Any]])
    let record = try #require(unlikely.first)
    #expect(record["certainty"] as? String == "unlikely" && record["confidence"] as? Double == 0.13)
    #expect(record["outline"] as? [[Double]] == [[1, 2], [9, 2], [9, 7], [-1, 7]] && unlikely.count == 1)
  }
}

@Suite struct KeptReadingsTests {
  @Test func whatWasReadComesBackAndAnotherLevelOrRecognizerIsRefused() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    var kept = try KeptReadings(file: file, level: .fast, recognizer: "r 2")
    #expect(kept.photos.isEmpty)
    let region = TextRegion(center: Point(x: 1, y: 2), length: 3, height: 4, angle: 5)
    let reading = TextReading(
      lines: [TextLine(text: "a", confidence: 0.5, region: region)], recognizer: "r 2, Cyrillic by t")
    kept.photos["p"] = .init(reading: reading, milliseconds: 6, processorSeconds: 7)
    #expect(kept.photos["p"]?.isOf(fileOf: 8) == true)
    kept.photos["p"]?.bytes = 8
    try kept.encoded().write(to: URL(filePath: file))
    let again = try #require(try KeptReadings(file: file, level: .fast, recognizer: "r 2").photos["p"])
    #expect(again.reading == reading && again.isOf(fileOf: 8) && !again.isOf(fileOf: 9))
    let level = #expect(throws: PhotoFileError.self) {
      try KeptReadings(file: file, level: .accurate, recognizer: "r 2")
    }
    #expect(try #require(level).description.contains("--level fast"))
    let recognizer = #expect(throws: PhotoFileError.self) {
      try KeptReadings(file: file, level: .fast, recognizer: "t 5")
    }
    #expect(throws: PhotoFileError.self) { try KeptReadings(file: file, level: .fast, recognizer: "r") }
    let reason = "its photographs were read by r 2, Cyrillic by t, and t 5 reads now"
    #expect(try #require(recognizer).description.contains(reason))
  }
}

@Suite struct ScorePageTests {
  @Test func whatPhotosSayIsEscapedAndTheirBooksAreSorted() throws {
    let truth = try ShelfTruth(
      json: Data(
        """
        {"photos": [{"file": "a.jpg", "complete": true, "spines": [
          {"title": "Silent River", "author": null}, {"title": "<b>Lost</b> Harbours", "author": null}]}]}
        """.utf8))
    let photo = try #require(truth.photos.first)
    let box = Box(x: 1, y: 2, width: 3, height: 4)
    let spines = ["Silent River", "<script>alert(1)</script>"].map {
      SpineFinding(title: $0, author: nil, isbn: nil, confidence: 1, box: box, angle: 0)
    }
    let findings = PhotoFindings(
      recognizer: "r", size: PixelSize(width: 10, height: 10), lines: [], spines: spines)
    let score = ShelfScore(photo, lines: [], books: spines.map { ($0.title, $0.author) })
    #expect(score.spineOfBook == [0, nil] && score.isRead == [false, false])
    var page = ScorePage(photos: 1)
    page.add("<a.jpg>", file: "/nonexistent", row: "row & row", score, findings: findings)
    let html = page.html(summary: "1 < 2", reliability: ReliabilityTable(Reliability()))
    #expect(!html.contains("<script>") && html.contains("&lt;script&gt;alert(1)"))
    #expect(html.contains("&lt;b&gt;Lost&lt;/b&gt; Harbours") && html.contains("&lt;a.jpg&gt;"))
    #expect(html.contains("row &amp; row") && html.contains("1 &lt; 2") && html.contains("No picture"))
    #expect(html.contains(#"<rect class="right""#) && html.contains(#"<rect class="wrong""#))
  }
}
