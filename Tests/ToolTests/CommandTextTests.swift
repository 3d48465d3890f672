import ArgumentParser
import Foundation
import TalariaServer
import Testing

@testable import Library
@testable import Uploads
@testable import swiftwing_tool

/// Text that the commands print.
@Suite struct CommandTextTests {
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func booksAreWithinEightyColumns() {
    let book = Book(
      id: 1, isbn: "9780441172719", title: String(repeating: "Dune ", count: 40),
      author: "Frank\u{1B}Herbert",
      coverURL: nil, format: nil, addedAt: now, spineConfidence: nil)
    var untitled = book
    (untitled.title, untitled.author) = ("", "")
    let document = BooksDocument(count: 2, books: [book, untitled])
    let lines = document.lines(columns: 80)
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.contains("\u{1B}") })
    #expect(lines[1] == "1  \(day)            9780441172719  (no title yet)")
    let whole = document.lines(columns: nil)
    #expect(
      whole[0] == "1  \(day)            9780441172719  \(book.title) / Frank Herbert",
      "a file has the whole name")
  }

  @Test func theShelfStandsAboveItsBooks() {
    let books = (1...4).map { Book(id: $0, title: "Book \($0)", author: "", addedAt: now) }
    let document = BooksDocument(count: 4, books: books)
    let places: [Book.ID: String] = [1: "living room, 3", 2: "living room, 3", 3: "hall\u{1B}"]
    let lines = document.lines(columns: 80, locations: places)
    #expect(
      lines.count == 7 && lines[0] == "living room, 3:" && lines[3].hasPrefix("hall")
        && lines[5] == "elsewhere:")
    #expect(!lines.joined().contains("\u{1B}"))
    #expect(document.lines(columns: 80, locations: [1: "", 2: ""]) == document.lines(columns: 80))
  }

  @Test func anExportIsKnownByItsName() {
    #expect(
      ExportFormat(fileName: "a.MRC") == .program(.marc) && ExportFormat(fileName: "a.tsv") == .list(.tsv))
    #expect(
      ExportFormat(fileName: "a.txt") == .list(.csv)
        && ExportFormat(argument: "calibre") == .program(.calibre))
    #expect(ExportFormat(argument: "json") == .list(.json) && ExportFormat(argument: "nonsense") == nil)
    #expect(Set(ExportFormat.names).count == 9)
  }

  private var day: String { BooksDocument.Entry(Book(id: 1, title: "", author: "", addedAt: now)).day }

  @Test func aBookIsMarkedByWhatIsKnownOfIt() {
    var book = Book(id: 7, title: "Dune", author: "Frank Herbert", addedAt: now, spineConfidence: 0.625)
    func line() -> String? {
      BooksDocument(count: 1, books: [book], copies: [7: 2]).lines(columns: nil).first.map {
        String($0.dropFirst(15))
      }
    }
    let name = "Dune / Frank Herbert (2 copies)"
    #expect(line() == " 63 %     \(name)", "no listed book has an ISBN, so there is no column for it")
    book.certainty = .doubtful
    #expect(line() == " 63 % ?   \(name)")
    book.certainty = .unlikely
    #expect(line() == " 63 % ??  \(name)")
    (book.spineConfidence, book.confirmedAt) = (1, now)
    #expect(line() == "100 % ✓   \(name)")
  }

  @Test func aBookWithoutAnISBNLeavesItsColumnBlank() {
    let books = ["9780441172719", nil].map { Book(id: 1, isbn: $0, title: "Dune", author: "", addedAt: now) }
    let lines = BooksDocument(count: 2, books: books).lines(columns: 80)
    #expect(lines.map { $0.dropFirst(25) } == ["9780441172719  Dune", "               Dune"], "\(lines)")
  }

  @Test func aListTellsHowToSeeTheRest() {
    #expect(BooksDocument.sum(1, listed: 1) == "1 book" && BooksDocument.sum(412, listed: 412) == "412 books")
    #expect(
      BooksDocument.sum(412, listed: 100) == "412 books, of which 100 are listed; --limit 412 lists all")
    #expect(
      BooksDocument.sum(2_000_000, listed: 100)
        == "2000000 books, of which 100 are listed; `library export` writes all")
  }

  @Test func queueTellsWhyAndWhen() throws {
    let scan = QueuedScan(
      id: 1, key: UUID(), capturedAt: now, mediaType: "image/jpeg", metadata: ["shelf": "private"],
      state: .pending,
      job: .init(id: "job-1", streamURL: "https://t/s?token=x"), attempts: 1, generation: 0,
      notBefore: now + 4,
      failure: "busy " + String(repeating: "x", count: 100))
    let document = QueueDocument(
      counts: .init(pending: 3, uploaded: 0, failed: 1, delivered: 9, cleanups: 2), pausedUntil: now + 20,
      scans: [scan])
    let lines = document.lines(now: now, columns: 80)
    #expect(document.lines(now: now, columns: nil).contains("  " + (scan.failure ?? "")))
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains("  next try in 4 s") && lines.contains("… and 3 more; see --limit"))
    #expect(lines.contains("the backend accepts no scans for 20 s"))
    #expect(lines.last == "3 pending, 0 uploaded, 1 failed; 9 delivered, 2 to clean up")
    #expect(lines.first?.contains("2027-01-15 08:00Z") == true)
    // The output contains neither the job's address nor private data of the scan.
    let json = String(decoding: try JSONEncoder().encode(document), as: UTF8.self)
    for secret in ["token", "job-1", "private", "shelf"] {
      #expect(!json.contains(secret) && !lines.joined().contains(secret))
    }
  }

  @Test func aScanThatIsNamedTwiceIsOne() throws {
    let keys = try [UUID(), UUID()].map { try #require(ScanKey(argument: $0.uuidString)) }
    #expect([keys[0], keys[1], keys[0]].unique.map(\.uuid) == keys.map(\.uuid))
  }

  @Test func linesOfTextAreBooks() {
    let books = ShelfReader.books(inText: "DUNE\tFrank Herbert\t9780441172719\n\n  Emma \t\r\n\tNobody\n")
    #expect(books.map(\.title) == ["DUNE", "Emma"])
    #expect(books.map(\.author) == ["Frank Herbert", nil])
    #expect(books.map(\.isbn) == ["9780441172719", nil])
  }

  /// An error refers to the help of the command that caused it.
  @Test(arguments: [
    (["queue", "drop", "--nothing"], "swiftwing queue drop"), (["library"], "swiftwing library"),
    (["library", "--x", "list"], "swiftwing library"),
    (["talaria", "serve", "serve"], "swiftwing talaria serve"),
    (["nothing"], "swiftwing"),
  ])
  func helpIsTheCommandsOwn(arguments: [String], command: String) {
    #expect(CommandPath(arguments).help == "\(command) --help")
  }

  @Test(arguments: [["--version"], ["queue", "--version"], ["library", "list", "--version"]])
  func everyCommandTellsTheVersion(arguments: [String]) {
    let exit = #expect(throws: (any Error).self) { try Invocation(arguments).command() }
    #expect(exit.map { SwiftwingCommands.fullMessage(for: $0) } == "0.1.0")
  }
}
