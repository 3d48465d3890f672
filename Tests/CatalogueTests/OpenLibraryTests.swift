import Testing

@testable import Catalogue

@Suite struct OpenLibraryTests {
  private func read(_ lines: [String]) throws -> [ReadItem] {
    try items({ OpenLibraryReader() }, Array(lines.joined(separator: "\n").utf8))
  }

  static func line(_ type: String, _ key: String, _ json: String) -> String {
    "/type/\(type)\t\(key)\t3\t2008-04-01T03:28:50.625462\t\(json)"
  }

  @Test func editionsWorksAndAuthorsAreRead() throws {
    let read = try read([
      Self.line("author", "/authors/OL33146A", #"{"name": "Franz Kafka", "key": "/authors/OL33146A"}"#),
      Self.line(
        "edition", "/books/OL1M",
        #"{"title": "Prozess", "title_prefix": "Der", "isbn_10": ["3596294312"], "publishers": ["Fischer"], "authors": [{"key": "/authors/OL33146A"}], "works": [{"key": "/works/OL9W"}]}"#
      ),
      Self.line(
        "work", "/works/OL9W",
        #"{"title": "Der Prozess", "authors": [{"author": {"key": "/authors/OL33146A"}}]}"#),
      Self.line("redirect", "/books/OL2M", #"{"location": "/books/OL1M"}"#),
    ])
    #expect(read[0] == .author(key: 33146, name: "Franz Kafka"))
    let edition = try #require(read[1].record)
    #expect(
      edition.title == "Der Prozess" && edition.publisher == "Fischer" && edition.authorKeys == [33146]
        && edition.work == 9)
    #expect(edition.isbns.map(\.text) == ["9783596294312"])
    guard case .work(9, let work) = read[2] else { throw ListRefusal(reason: "no work") }
    #expect(work.title == "Der Prozess" && work.authorKeys == [33146])
    #expect(read[3] == .passed && read.count == 4)
  }

  @Test func damageCostsOneLine() throws {
    let deep = String(repeating: "[", count: 100)
    let read = try read([
      "no dump", Self.line("edition", "/books/OL1M", "{"), Self.line("edition", "/books/OL1M", "[]"),
      Self.line("edition", "/books/OL1M", "{\"title\": \(deep)"),
      Self.line("edition", "/books/OL1M", #"{"title": 7}"#),
      Self.line("edition", "/books/OL1M", String(repeating: "x", count: 2 << 20)),
      Self.line("edition", "/books/OL1M", #"{"title": "Kim", "authors": 3, "works": [4], "isbn_13": [5]}"#),
    ])
    #expect(
      read.compactMap(\.damage) == [
        "line 1: it has 1 columns where a dump has 5", "line 2: it is not JSON at byte 1: expected a name",
        "line 3: its record is not a JSON object", "line 4: it is not JSON at byte 41: nested too deeply",
        "line 6: it is longer than 1 MB",
      ])
    #expect(read.compactMap(\.record?.title) == ["Kim"])
  }
}
