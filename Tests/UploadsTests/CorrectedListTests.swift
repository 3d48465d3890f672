import Foundation
import GRDB
import Testing

@testable import Bibliography
@testable import Library
@testable import Uploads

/// Exports that a person corrects in a spreadsheet and imports again.
@Suite struct CorrectedListTests {
  let folder = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func write(_ bytes: [UInt8], _ name: String = "list.csv") throws -> String {
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(name)"))
    return "\(folder.path)/\(name)"
  }

  private func write(_ text: String, _ name: String = "list.csv") throws -> String {
    try write(Array(text.utf8), name)
  }

  private func shelf() async throws -> (store: Store, identity: String, books: [Book]) {
    let store = try folder.store()
    var books: [Book] = []
    for finding in [
      BookFinding(title: "Dracola", author: "B", confidence: 0.4, certainty: .doubtful),
      BookFinding(isbn: "9780441172719", title: "Dune", author: "Herbert", format: "paperback"),
      BookFinding(isbn: "9780141439587", title: "Emma", certainty: .doubtful),
    ] { books.append(try #require(try await store.library.add(finding, at: now))) }
    return (store, try await store.database.read(Library.identity), books)
  }

  @Test(arguments: BookListFormat.allCases)
  func aCorrectedExportCorrects(format: BookListFormat) async throws {
    let (store, _, books) = try await shelf()
    let file = "\(folder.path)/a.\(format)"
    try await store.library.export(to: file, as: format)
    let text = try String(contentsOfFile: file, encoding: .utf8).replacing("Dracola", with: "Dracula")
    let outcome = try await store.library.importBooks(from: try write(text, "a.\(format)"), at: now)
    #expect(outcome.read == 3 && outcome.added == 0 && outcome.changed == 1 && outcome.idsOfOthers == 0)
    #expect(
      outcome.edits.map(\.after.title) == ["Dracula"] && outcome.edits.map(\.before.title) == ["Dracola"])
    let corrected = try #require(try await store.library.book(books[0].id))
    #expect(corrected.title == "Dracula" && corrected.author == "B" && corrected.confirmedAt == now)
    #expect(corrected.certainty == .sure)
    #expect(try await store.library.book(books[2].id)?.confirmedAt == nil, "nobody touched it")
    #expect(try await store.library.search("dracula").count == 1)
  }

  @Test func columnsThatAreNotThereChangeNothingAndEmptyOnesEmpty() async throws {
    let (store, identity, books) = try await shelf()
    let file = try write(
      "shelf;ID;Format;library;isbn;certainty;confidence\r\nA;\(books[1].id);;\(identity);;;0,5\r\n;;;;;;\r\nB;\(books[2].id);;\(identity);9780141439587;sure;\r\n"
    )
    // One row lacks both title and ISBN.
    await #expect(throws: DeliveryError.self) { try await store.library.importBooks(from: file) }
    let better = try write(
      try String(contentsOfFile: file, encoding: .utf8).replacing(
        ";\(identity);;;0,5", with: ";\(identity);9780441172719;;0,5"))
    let outcome = try await store.library.importBooks(from: better, at: now)
    #expect(outcome.read == 2 && outcome.changed == 2)
    let dune = try #require(try await store.library.book(books[1].id))
    #expect(dune.title == "Dune" && dune.author == "Herbert" && dune.format == nil && dune.isbn != nil)
    #expect(
      try await store.library.book(books[2].id)?.confirmedAt == now,
      "a certainty that is set to sure confirms the book")
  }

  @Test func aTrialChangesNothing() async throws {
    let (store, identity, books) = try await shelf()
    let file = try write("id,library,title\n\(books[0].id),\(identity),Dracula\n,,New\n")
    let before = try await store.library.books()
    let outcome = try await store.library.importBooks(from: file, isTrial: true)
    #expect(outcome.added == 1 && outcome.changed == 1 && outcome.edits.count == 1)
    #expect(try await store.library.books() == before)
    #expect(try await store.library.changes().isEmpty)
    #expect(try await store.library.importBooks(from: file).edits == outcome.edits)
  }

  @Test func idsOfAnotherLibraryAreNotBelieved() async throws {
    let (store, _, books) = try await shelf()
    let file = try write(
      "id,library,title,author\n\(books[0].id),someone else's,Walden,Thoreau\nx17,,Ulysses,Joyce\n\(books[1].id),,Hamlet,Shakespeare\n"
    )
    let outcome = try await store.library.importBooks(from: file)
    #expect(outcome.added == 3 && outcome.changed == 0 && outcome.idsOfOthers == 1)
    #expect(try await store.library.book(books[0].id) == books[0])
  }

  @Test(
    arguments: [
      ("1,LIB,Dracula,\n1,LIB,Dracula,\n", 3, "book 1 is in the file twice"),
      ("99,LIB,Dracula,\n", 2, "no book 99 any more"),
      ("1,LIB,Dracula,0441172717\n", 2, "ISBN 9780441172719 is that of book 2, Dune / Herbert"),
      (",,New,\n1,LIB,,\n", 3, "neither a title nor an ISBN"),
    ] as [(String, Int, String)])
  func conflictsAreSaidWithTheirLine(rows: String, line: Int, reason: String) async throws {
    let (store, identity, books) = try await shelf()
    let file = try write("id,library,title,isbn\n" + rows.replacing("LIB", with: identity))
    let error = await #expect(throws: DeliveryError.self) { try await store.library.importBooks(from: file) }
    #expect(
      error?.reason.hasPrefix("line \(line): ") == true && error?.reason.contains(reason) == true,
      "\(String(describing: error))")
    #expect(try await store.library.books().reversed() == books)
    #expect(try await store.library.changes().isEmpty)
  }

  @Test func isbnsMayChangePlaces() async throws {
    let (store, identity, books) = try await shelf()
    let file = try write(
      "id,library,isbn\n\(books[1].id),\(identity),9780141439587\n\(books[2].id),\(identity),9780441172719\n")
    let before = try await store.library.books()
    #expect(try await store.library.importBooks(from: file).changed == 2)
    #expect(try await store.library.book(books[1].id)?.isbn == "9780141439587")
    #expect(try await store.library.book(books[2].id)?.isbn == "9780441172719")
    try await store.library.undo()
    #expect(try await store.library.books() == before)
  }

  private static let text = "title,author\r\n\"Émile, 🐋\",Rousseau\r\n"

  private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return bigEndian ? bytes : bytes.reversed()
    }
  }

  @Test(arguments: [true, false], [true, false])
  func utf16IsRead(bigEndian: Bool, mark: Bool) async throws {
    let bytes = Self.utf16(Self.text, bigEndian: bigEndian, mark: mark)
    let library = try folder.store().library
    #expect(try await library.importBooks(from: try write(bytes)).added == 1)
    #expect(try await library.books().map(\.title) == ["Émile, 🐋"])
    for size in 1...7 {
      var reader = UnicodeReader()
      var (read, rest) = ([UInt8](), bytes[...])
      while !rest.isEmpty {
        read += reader.decode(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(String(decoding: read + reader.end(), as: UTF8.self) == Self.text)
    }
  }

  @Test(
    arguments: [[0x00], [0x00, 0xD8], [0x00, 0xDC, 0x41, 0x00], [0x00, 0xD8, 0x41, 0x00]] as [[UInt8]])
  func brokenUTF16IsRefused(tail: [UInt8]) async throws {
    let bytes = Self.utf16("title\nDune", bigEndian: false, mark: true) + tail
    let library = try folder.store().library
    let error = await #expect(throws: DeliveryError.self) {
      try await library.importBooks(from: try write(bytes))
    }
    #expect(error?.reason == "line 2: it is neither UTF-8 (in Excel: CSV UTF-8) nor UTF-16")
  }

  @Test(arguments: [";", "\t"]) func otherSeparatorsAreRead(separator: String) async throws {
    let library = try folder.store().library
    let file = try write(
      "\u{FEFF}\nsep=\(separator)\ntitle\(separator)author\n\"A, B\"\(separator)C, D\nE\(separator)\"F;\tG\"\n"
    )
    #expect(try await library.importBooks(from: file).added == 2)
    #expect(try await library.books().map(\.author) == ["F; G", "C, D"])
  }

  /// Goodreads exports ISBNs as `="…"`, so that spreadsheets keep them as text.
  @Test func numbersThatAreKeptTextAreRead() async throws {
    let library = try folder.store().library
    let file = try write("Title,ISBN,My Rating\nEmma,=\"9780141439587\",0\nDune,=\"\",5\n")
    #expect(try await library.importBooks(from: file).added == 2)
    #expect(try await library.books().map(\.isbn) == [nil, "9780141439587"])
  }

  @Test(arguments: [(6, true), (5, false)])
  func anImportOfTooManyBooksCannotBeTakenBack(limit: Int, canBeUndone: Bool) async throws {
    let store = try folder.store()
    let file = try write("title\n" + (1...6).map { "Book no \($0)\n" }.joined())
    let outcome = try await store.write("import") { database in
      try Library.importBooks(file, .csv, at: now, "import", { _ in }, undoLimit: limit, in: database)
    }
    #expect(outcome.added == 6)
    #expect(try await store.library.changes().map(\.canBeUndone) == [canBeUndone])
    if canBeUndone { return #expect(try await store.library.undo().count == 1) }
    let error = await #expect(throws: DeliveryError.self) { try await store.library.undo() }
    #expect(error?.reason.contains("too large") == true)
    #expect(try await store.library.count() == 6)
  }

  /// Finding a listed book costs the same, however many books without an ISBN the library has.
  @Test func aBookOfAListIsFoundByItsTitle() async throws {
    let plan = try await folder.store().database.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN \(Shelving.sameBook)", arguments: ["", "", "", 1]
      ).map { row -> String in row["detail"] }
    }
    #expect(plan == ["SEARCH book USING INDEX book_match (matchKey=? AND rowid<?)"])
  }
}
