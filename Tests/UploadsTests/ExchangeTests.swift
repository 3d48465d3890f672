import Foundation
import GRDB
import System
import Testing

@testable import Bibliography
@testable import Library
@testable import Uploads

@Suite struct ExchangeTests {
  let folder = try! TemporaryFolder()
  let other = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000.123)

  private func write(_ text: String, _ name: String = "list.csv") throws -> String {
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
    return "\(folder.path)/\(name)"
  }

  private static let nasty = [
    BookFinding(title: "Plain"), BookFinding(title: "With, comma", author: "A \"B\" C"),
    BookFinding(title: "=HYPERLINK(\"http://x\")", author: "@import"), BookFinding(title: "'=1+1"),
    BookFinding(title: "''-x", author: "'"), BookFinding(title: "'Tis Pity She's a Whore"),
    BookFinding(title: "+49 - 0", author: "-"), BookFinding(title: "שלום, 書籍 Émile 🐋"),
    BookFinding(title: "\"", author: ","), BookFinding(title: "\\\"}]{[ \\u0000"),
    BookFinding(
      isbn: "9780441172719", title: "Dune", author: "Frank Herbert",
      coverURL: "https://covers.example/a?b=\"c\",d",
      format: "hardcover", confidence: 0.1 + 0.2),
    BookFinding(isbn: "9780441478125", title: ""), BookFinding(title: "Poems"),
    BookFinding(title: "Zero", confidence: 0),
    BookFinding(title: "Small", confidence: .leastNonzeroMagnitude),
  ]

  /// Returns the library's books with ids that count from 0 instead of their own.
  private func contents(_ library: Library) async throws -> [Book] {
    try await library.books(limit: 1000).reversed().enumerated().map { index, book in
      var book = book
      book.id = Int64(index)
      return book
    }
  }

  @Test(arguments: BookListFormat.allCases)
  func exportAndImportLoseNothing(format: BookListFormat) async throws {
    let library = try folder.store().library
    for (index, finding) in Self.nasty.enumerated() {
      try await library.add(finding, at: now + Double(index) * 1.001)
    }
    let (file, again) = ("\(folder.path)/a.\(format)", "\(folder.path)/b.\(format)")
    #expect(try await library.export(to: file, as: format) == Self.nasty.count)
    let restored = try other.store().library
    #expect(try await restored.importBooks(from: file, at: .distantPast).added == Self.nasty.count)
    #expect(try await contents(restored) == contents(library).map { format == .json ? $0 : $0.inTwoDigits })
    try await restored.export(to: again, as: format)
    let texts = try [(library, file), (restored, again)].map { library, file in
      let identity = try library.store.database.read(Library.identity)
      return try String(contentsOfFile: file, encoding: .utf8).replacing(identity, with: "")
    }
    #expect(texts[0] == texts[1])
    #expect(try folder.mode(of: "a.\(format)") == 0o600)
    #expect(try await restored.search("herbert").count == 1)
  }

  @Test(arguments: BookListFormat.allCases)
  func importingAgainChangesNothing(format: BookListFormat) async throws {
    let library = try folder.store().library
    for finding in Self.nasty + [BookFinding(title: "Poems", author: "Ann Author")] {
      try await library.add(finding, at: now)
    }
    let (before, file) = (try await contents(library), "\(folder.path)/a.\(format)")
    try await library.export(to: file, as: format)
    let outcome = try await library.importBooks(from: file)
    #expect(outcome.added == 0 && outcome.changed == 0 && outcome.read == before.count)
    #expect(try await contents(library) == before)
  }

  /// Books of one list are kept apart even if their names are equal, because booksellers list several editions of a book.
  @Test func booksOfOneListAreNotMerged() async throws {
    let library = try folder.store().library
    let file = try write("title,author\nPoems,\nPoems,Ann Author\npoems,Ann Author\npoems,Ann Author\n")
    #expect(try await library.importBooks(from: file).added == 4)
    #expect(try await library.importBooks(from: file).added == 0)
  }

  @Test func importTeachesWhatIsMissingAndKeepsTheRest() async throws {
    let library = try folder.store().library
    try await library.add(BookFinding(isbn: "9780441172719", title: "Dune"), at: now)
    try await library.add(BookFinding(title: "The Left Hand of Darkness"), at: now)
    let file = try write(
      "ISBN,title,Shelf,author\r\n0441172717,DUNE!,A,Frank Herbert\r\n978-0-441-47812-5,The left hand of darkness,B,Le Guin\r\n"
    )
    let outcome = try await library.importBooks(from: file)
    #expect(outcome.read == 2 && outcome.added == 0 && outcome.changed == 2)
    let books = try await contents(library)
    #expect(books.map(\.title) == ["Dune", "The left hand of darkness"])
    #expect(books.map(\.author) == ["Frank Herbert", "Le Guin"])
    #expect(books[1].isbn == "9780441478125" && books[1].addedAt == books[0].addedAt)
  }

  @Test(
    arguments: [
      ("", 1, "empty"), ("name\nDune\n", 1, "neither a column title"), ("title,TITLE\n", 1, "twice"),
      ("title,author\nDune\n", 2, "1 field where the first line names 2"),
      ("title\n\nA\n\"B\nC\"\n\"D", 6, "not closed"), ("title\nA\"B\n", 2, "inside a field"),
      ("title\n\"A\"B\n", 2, "follows a closing"), ("title\nA\rB\n", 2, "carriage return"),
      ("title,isbn\nA,1\n", 2, "\"1\" is no ISBN: it has 1 digit"),
      ("title,confidence\nA,x\n", 2, "not a number"),
      ("title,confidence\nA,2\n", 2, "0 to 1"), ("title,confidence\nA,nan\n", 2, "0 to 1"),
      ("title,addedAt\nA,2026-06-31T00:00:00Z\n", 2, "not a time"),
      ("title,addedAt\nA,2026\n", 2, "not a time"),
      ("title,coverURL\nA,http://x\n", 2, "https"), ("title,author\n,B\n", 2, "neither a title nor"),
      ("title\n\(String(repeating: "x", count: 1001))\n", 2, "1,000"),
      ("title\n\(String(repeating: "x", count: 40_000))", 2, "32 KB"),
      ("title\n\(String(repeating: "x,", count: 1001))\n", 2, "more than 1000"),
    ] as [(String, Int, String)])
  func badListIsRefusedWholeWithItsLine(text: String, line: Int, reason: String) async throws {
    let library = try folder.store().library
    let file = try write(text)
    let error = await #expect(throws: DeliveryError.self) { try await library.importBooks(from: file) }
    #expect(error?.kind == .badInput)
    #expect(
      error?.reason.hasPrefix("line \(line): ") == true && error?.reason.contains(reason) == true,
      "\(String(describing: error))")
    #expect(try await library.count() == 0)
  }

  @Test(
    arguments: [
      ("{", 1, "ends before"), ("[", 1, "ends before"), ("nonsense", 1, "ends before"),
      ("[1]", 1, "not a list"),
      ("[{\"title\":\"A\"},]", 1, "not a list"), ("[{\"title\":\"A\"}{", 1, "not a list"),
      ("[]]", 1, "not a list"),
      ("[\n{\"title\":\n7}]", 2, "title has the wrong type"), ("[\n\n{\"title\":\"A\"],\n", 3, "not JSON"),
      ("{\"schema\":\"other/9\",\"books\":[]}", 1, "schema is not"),
      ("{\"books\":[],\"a\":1}", 1, "not a list"),
      ("{\"novels\":[]}", 1, "begin with a list"), ("[{\"title\":\"A\",\"isbn\":\"9\"}]", 1, "has 1 digit"),
      ("[{\"title\":\"\(String(repeating: "x", count: 70_000))\"}]", 1, "64 KB"),
      ("\(String(repeating: " ", count: 2000))[]", 1, "begin with a list"),
      ("[{\"title\":\"\\uD800\"}]", 1, "JSON"),
      (String(repeating: "[", count: 500), 1, "not a list"),
      ("[{\"title\":\"A\",\"addedAt\":\"x\"}]", 1, "not a time"),
    ] as [(String, Int, String)])
  func badJSONIsRefusedWholeWithItsLine(text: String, line: Int, reason: String) async throws {
    let library = try folder.store().library
    let file = try write(text, "list.json")
    let error = await #expect(throws: DeliveryError.self) { try await library.importBooks(from: file) }
    #expect(error?.kind == .badInput)
    #expect(
      error?.reason.hasPrefix("line \(line): ") == true && error?.reason.contains(reason) == true,
      "\(String(describing: error))")
    #expect(try await library.count() == 0)
  }

  @Test(arguments: [
    "[]", " [ ] \n", "{\"books\":[]}", "{ \"schema\": \"swiftwing-library/1\",\n \"books\" : [ ] }",
  ])
  func emptyListIsOne(text: String) async throws {
    let file = try write(text, "list.json")
    #expect(try await folder.store().library.importBooks(from: file).read == 0)
  }

  @Test func notUTF8IsSaid() async throws {
    let file = try write("")
    try Data([0x74, 0x69, 0x74, 0x6C, 0x65, 0x0A, 0xFF, 0x0A]).write(to: URL(filePath: file))
    let error = await #expect(throws: DeliveryError.self) {
      try await folder.store().library.importBooks(from: file)
    }
    #expect(error?.reason == "line 2: it is neither UTF-8 (in Excel: CSV UTF-8) nor UTF-16")
  }

  @Test func whatIsNoFileIsRefused() async throws {
    let library = try folder.store().library
    #expect(mkfifo("\(folder.path)/pipe.csv", 0o600) == 0)
    for path in ["/dev/zero", folder.path, "\(folder.path)/pipe.csv", "\(folder.path)/none.csv"] {
      let error = await #expect(throws: DeliveryError.self) {
        try await library.importBooks(from: path, as: .csv)
      }
      #expect(error?.kind == .badInput)
      #expect(error?.description.contains("Bad file") == false)
    }
    let error = await #expect(throws: DeliveryError.self) { try await library.importBooks(from: "list.txt") }
    #expect(error?.description.contains("none of .csv, .tsv and .json") == true)
  }

  /// A list gives the same books, however its bytes are split.
  @Test func listsReadAlikeHoweverSplit() throws {
    for (format, text) in [
      (BookListFormat.csv, "\u{FEFF}title,author\r\n\"A \"\"x\"\"\r\n, b\",C\r\n\r\nD,"),
      (.json, " [ {\"title\":\"A \\\"}{\\\\\"} ,\n{\"title\":\"B\",\"x\":[{}]}]"),
    ] {
      let bytes = Array(text.utf8)
      let whole = try read([bytes[...]], format)
      #expect(whole.count == 2)
      for split in bytes.indices { #expect(try read([bytes[..<split], bytes[split...]], format) == whole) }
      #expect(try read(bytes.indices.map { bytes[$0...$0] }, format) == whole)
    }
  }

  private func read(_ pieces: [ArraySlice<UInt8>], _ format: BookListFormat) throws -> [BookRecord] {
    var reader = BookListReader(format)
    return try pieces.flatMap { try reader.parse($0) }.map(\.record) + reader.end().map(\.record)
  }

  @Test func nothingOfAnExportIsRunByASpreadsheet() async throws {
    let library = try folder.store().library
    for finding in Self.nasty { try await library.add(finding, at: now) }
    let pieces = Locked<[UInt8]>([])
    try await library.export(as: .csv) { piece in pieces.withLock { $0 += piece } }
    var reader = DelimitedReader()
    _ = try reader.head(pieces.withLock { $0 })
    let rows = reader.parse([])
    #expect(rows.count == Self.nasty.count)
    let cells = rows.flatMap { row in if case .fields(let cells, _) = row { cells } else { ["="] } }
    for cell in cells { #expect(!"=+-@\t\r".contains(cell.first ?? " "), "\(cell)") }
  }

  @Test func failedExportLeavesTheOldFile() async throws {
    let library = try folder.store().library
    let error = await #expect(throws: DeliveryError.self) {
      try await library.export(to: "\(folder.path)/none/list.csv", as: .csv)
    }
    #expect(error?.kind == .storage)
    let file = try write("old")
    await #expect(throws: DeliveryError.self) {
      try await library.export(to: "\(folder.path)/store", as: .csv)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["list.csv", "store"])
  }

  @Test func timesAreKeptToTheMillisecond() {
    for time in [0, 1, -1, 999, 1_800_000_000_123, 253_402_300_799_999, -62_135_596_800_000] as [Int64] {
      #expect(Timestamp.milliseconds(Timestamp.text(time)) == time, "\(time)")
    }
    #expect(Timestamp.text(1_800_000_000_007) == "2027-01-15T08:00:00.007Z")
    for text in [
      "", "Z", "2027-01-15T08:00:00", "2027-01-15T08:00:00.7Z", "2027-01-15T08:00:00.1234Z",
      "x027-01-15T08:00:00Z",
    ] {
      #expect(Timestamp.milliseconds(text) == nil, "\(text)")
    }
  }
}

extension Book {
  /// The book with its confidence rounded to two digits, as tables store it.
  var inTwoDigits: Book {
    var book = self
    book.spineConfidence = spineConfidence.map { ($0 * 100).rounded() / 100 }
    return book
  }
}
