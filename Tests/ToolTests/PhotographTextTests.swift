import BookScan
import Foundation
import Library
import Testing
import Uploads

@testable import ScanStation
@testable import swiftwing_tool

/// The text about a run over photographs.
@Suite struct PhotographTextTests {
  @Test(arguments: [
    (12, 840, 360.0, "12 of 840, 6 min left"), (1, 840, nil, "1 of 840"),
    (839, 840, 4.4, "839 of 840, 4 s left"),
    (1, 2, 89.4, "1 of 2, 89 s left"), (1, 2, 91, "1 of 2, 2 min left"),
    (1, 2, 7800, "1 of 2, 2 h 10 min left"),
    (2, 2, 0, "2 of 2, 0 s left"), (1, 2, Double.infinity, "1 of 2, 27777 h 47 min left"),
  ])
  func progressIsAShortLine(done: Int, total: Int, left: Double?, text: String) {
    let progress = PhotographProgress(done: done, total: total, secondsLeft: left)
    #expect(PhotographText.text(progress) == text)
  }

  @Test func theEndTellsWhatIsToBeLookedAt() {
    var summary = PhotographSummary()
    (summary.read, summary.known, summary.failed, summary.new, summary.again) = (12, 3, 1, 25, 10)
    #expect(
      PhotographText.lines(summary, nil, library: "b") == [
        "photographs: 12 read, 3 known already, 1 failed", "spines: 25 new, 10 seen again",
      ])
    summary.copies = 2
    let lines = PhotographText.lines(
      summary, ShelfCounts(books: 812, doubtful: 7, unlikely: 9), library: "my books")
    #expect(
      lines == [
        "photographs: 12 read, 3 known already, 2 twice, 1 failed",
        "spines: 25 new, 10 seen again, 812 books in the library",
        "to be looked at: 7 doubtful, with", "  swiftwing library review --library 'my books'",
        "probably no books: 9, to be looked at with",
        "  swiftwing library review --unlikely --library 'my books'",
      ])
  }

  /// A photograph counts as one without a book when it is in the library. Records that are probably no books are none.
  @Test func photographsWithoutABookAreNamed() {
    func spine(_ certainty: Certainty) -> FoundSpine {
      FoundSpine(
        id: UUID(), title: "Dune", author: "", isbn: nil, confidence: 1, certainty: certainty, spine: UUID(),
        copy: 1, isNew: true)
    }
    var bookless = BooklessPhotographs()
    let found: [[FoundSpine]?] = [[], [spine(.sure)], [spine(.unlikely)], nil, []]
    for (number, spines) in found.enumerated() {
      let key = UUID()
      bookless.note(.photograph(.queued(Photograph(path: "\(number).jpg", bytes: 1), key)))
      if let spines { bookless.note(.found(key, spines)) }
      bookless.note(number == 4 ? .failed(key, reason: "why") : .delivered(key, [], by: .local, time: nil))
    }
    #expect(bookless.paths == ["0.jpg", "2.jpg", "3.jpg"] && bookless.count == 3)
    #expect(
      bookless.lines(remedy: "slowly") == [
        "no book was found on 3 photographs:", "  0.jpg", "  2.jpg", "  3.jpg",
        "to try: read them again slowly, or photograph them anew: nearer, level, sharp and evenly lit",
      ])
    for _ in 0..<20 { bookless.add("x.jpg") }
    let lines = bookless.lines(remedy: nil)
    #expect(lines.count == 13 && lines[11] == "  and 13 more" && lines[12].hasPrefix("to try: photograph"))
    #expect(BooklessPhotographs().lines(remedy: nil).isEmpty)
  }

  @Test func programsAreToldTheSame() throws {
    let (photograph, key) = (Photograph(path: "a.jpg", bytes: 1), UUID())
    let name = key.uuidString.lowercased()
    func line(_ news: PhotographNews) throws -> LiveJSON.Line {
      try #require(LiveJSON.lines(.photograph(news)).first)
    }
    let queued = try line(.queued(photograph, key))
    #expect(queued.event == "photo" && queued.file == "a.jpg" && queued.photo == name)
    let since = Date(timeIntervalSince1970: 1_800_000_000)
    let known = try line(.known(photograph, key, since: since))
    #expect(known.event == "known" && known.since == since && known.photo == name)
    let copy = try line(.copy(photograph, of: "b.jpg"))
    #expect(copy.event == "same" && copy.file == "a.jpg" && copy.same == "b.jpg")
    let unread = try line(.unread(photograph, reason: "why"))
    #expect(unread.event == "unread" && unread.reason == "why")
    let gone = try line(.folderGone("f", left: 4))
    #expect(gone.event == "gone" && gone.folder == "f" && gone.failed == 4)
    let progress = try line(.progress(PhotographProgress(done: 1, total: 2, secondsLeft: 1.4)))
    #expect(progress.event == "progress" && progress.done == 1 && progress.secondsLeft == 1)
  }

  @Test func whatWasFoundCountsOnceItIsInTheLibrary() {
    func spine(_ isNew: Bool) -> FoundSpine {
      FoundSpine(
        id: UUID(), title: "Dune", author: "", isbn: nil, confidence: 1, certainty: .sure, spine: UUID(),
        copy: 1,
        isNew: isNew)
    }
    var tally = PhotographTally()
    let (first, second) = (UUID(), UUID())
    tally.note(.found(first, [spine(true), spine(false)]))
    tally.note(.found(second, [spine(true)]))
    #expect(tally.summary == PhotographSummary())
    tally.note(.delivered(first, [], by: .local, time: nil))
    tally.note(.failed(second, reason: "why"))
    #expect(tally.summary.read == 1 && tally.summary.new == 1 && tally.summary.again == 1)
    #expect(tally.summary.failed == 1)
  }
}
