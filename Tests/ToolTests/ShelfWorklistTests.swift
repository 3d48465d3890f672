import Bibliography
import BookScan
import Foundation
import Imagery
import ShelfReading
import Testing

@testable import swiftwing_tool

/// The output of `scan --holdings`.
@Suite struct ShelfWorklistTests {
  private let list = [
    Holding(title: "Persuasion", author: "Jane Austen", mark: "823.7 AUS"),
    Holding(title: "=Jane Eyre", author: "Charlotte Brontë", mark: "823.8 BRO"),
    Holding(title: "Middlemarch", author: "George Eliot", mark: "823.8 ELI"),
    Holding(title: "Howards End", author: "E. M. Forster", mark: "823.912 FOR"),
    Holding(title: "Ulysses", author: "James Joyce", mark: "823.912 JOY"),
  ]

  private func spine(_ title: String, _ author: String, x: Double, certainty: Certainty = .sure)
    -> SpineFinding
  {
    let region = TextRegion(center: Point(x: x, y: 100), length: 120, height: 16, angle: 90)
    return SpineFinding(
      title: title, author: author, confidence: 0.9, certainty: certainty, box: region.box, angle: 90,
      outline: region.corners)
  }

  /// Returns a photographed shelf with a spine every 20 pixels; nil is a spine that was not read.
  private func shelf(_ books: [(String, String)?]) -> ShelfPhotographs {
    let spines = books.enumerated().compactMap { index, book in
      book.map { spine($0.0, $0.1, x: 20 + 20 * Double(index)) }
    }
    var shelf = ShelfPhotographs()
    shelf.add(
      "a/shelf.jpg",
      PhotoFindings(
        recognizer: "r", size: PixelSize(width: 320, height: 240), lines: [], spines: spines, unlikely: []))
    return shelf
  }

  private func worklist(_ books: [(String, String)?]) -> ShelfWorklist {
    ShelfWorklist(shelf(books), against: list, named: "list.csv", by: nil)
  }

  private let austen = ("Persuasion", "Jane Austen")
  private let eliot = ("Middlemarch", "George Eliot")
  private let forster = ("Howards End", "E. M. Forster")
  private let joyce = ("Ulysses", "James Joyce")

  @Test func whatIsMissingStandsInTheWorklist() throws {
    let worklist = worklist([austen, eliot, ("Moby Dick", "Herman Melville"), forster, joyce])
    #expect(worklist.order == .dewey)
    #expect(worklist.tasks.map(\.task) == [.missing, .notInList])
    #expect(worklist.tasks[0].behind?.spot?.book == 1 && worklist.tasks[0].before?.title == "Middlemarch")
    #expect(worklist.tasks[1].spot?.book == 3)
    let lines = WorklistText.lines(worklist, columns: 80)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains("missing       823.8 BRO  =Jane Eyre / Charlotte Brontë"))
  }

  @Test func roomInWhichNothingWasReadIsNoLack() {
    let worklist = worklist([austen, nil, eliot, forster, joyce])
    #expect(worklist.tasks.map(\.task) == [.notRead] && worklist.counts.unreadSpines == 1)
  }

  @Test func theTableIsSafeInASpreadsheet() {
    let text = WorklistTable.text(worklist([austen, eliot, forster, joyce]))
    let rows = text.split(separator: "\r\n")
    #expect(rows[0] == "\u{FEFF}task,mark,title,author,isbn,photo,row,book,behind,before")
    #expect(rows[1].contains(",'=Jane Eyre,") && rows.count == 2)
    #expect(rows[1].contains("a/shelf.jpg,1,1,823.7 AUS Persuasion,823.8 ELI Middlemarch"))
  }

  @Test func thePageLeadsToTheOutline() {
    let html = WorklistPage.html(worklist([joyce, austen, eliot, ("<b>Moby</b> Dick", "Melville"), forster]))
    #expect(html.contains("href=\"#p1-o1\"") && html.contains("&lt;b&gt;Moby&lt;/b&gt; Dick"))
    #expect(html.contains("misplaced"))
  }

  @Test func theJSONHasItsKeys() throws {
    let data = try JSONEncoder().encode(worklist([austen, eliot, forster, joyce]))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(Set(document.keys) == ["holdings", "order", "counts", "tasks"])
    let task = try #require((document["tasks"] as? [[String: Any]])?.first)
    #expect(task["task"] as? String == "missing" && task["position"] == nil)
  }
}
