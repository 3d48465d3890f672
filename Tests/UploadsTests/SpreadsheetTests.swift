import Foundation
import GRDB
import Testing

@testable import Bibliography
@testable import Library
@testable import Uploads

/// Exports that spreadsheets of other locales have opened and saved.
@Suite struct SpreadsheetTests {
  let folder = try! TemporaryFolder()
  let other = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func write(_ text: String, _ name: String = "list.csv") throws -> String {
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
    return "\(folder.path)/\(name)"
  }

  private func shelf() async throws -> Library {
    let library = try folder.store().library
    for finding in [
      BookFinding(
        isbn: "9780306406157", title: "Émile; or, \"On\" Education", author: "=Rousseau", confidence: 0.944),
      BookFinding(
        title: "Дар, 書籍 🐋", author: "'Tis; -me", format: "paperback", confidence: 1, certainty: .doubtful),
    ] { try await library.add(finding, at: now) }
    return library
  }

  @Test func anExportOpensInASpreadsheet() async throws {
    let library = try await shelf()
    for (format, divider) in [(BookListFormat.csv, ","), (.tsv, "\t")] {
      let file = "\(folder.path)/a.\(format)"
      try await library.export(to: file, as: format)
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
      #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]), "by its mark it is known to be UTF-8")
      let lines = String(decoding: bytes.dropFirst(3), as: UTF8.self).split(separator: "\r\n")
      #expect(lines[0].hasPrefix(["title", "author", "isbn"].joined(separator: divider) + divider))
      #expect(lines[1].contains("\(divider)0.94\(divider)") && lines[2].contains("\(divider)1.00\(divider)"))
    }
  }

  @Test func anExportNamesThePhotographs() async throws {
    let store = try folder.store()
    let book = try #require(try await store.library.add(BookFinding(title: "Emma"), at: now))
    try await store.write("name photographs") { database in
      try database.execute(
        sql: """
          INSERT INTO photograph (scanKey, path) VALUES ('a', 'shelf/IMG 1.jpg'), ('b', 'IMG 2.jpg'), ('c', NULL);
          INSERT INTO sighting (scanKey, id, bookID) VALUES
            ('b', '1', \(book.id)), ('a', '1', \(book.id)), ('a', '2', \(book.id)), ('c', '1', \(book.id));
          """)
    }
    for format in BookListFormat.allCases {
      let file = "\(folder.path)/a.\(format)"
      try await store.library.export(to: file, as: format)
      #expect(try String(contentsOfFile: file, encoding: .utf8).contains("shelf/IMG 1.jpg; IMG 2.jpg"))
      #expect(try await store.library.importBooks(from: file).changed == 0)
    }
  }

  /// Imports an export that `resave` has rewritten, and checks that the books do not change.
  private func changesNothing(_ format: BookListFormat = .csv, _ resave: (String) -> String) async throws {
    let library = try await shelf()
    let before = try await library.books()
    let file = "\(folder.path)/a.\(format)"
    try await library.export(to: file, as: format)
    let saved = resave(try String(contentsOfFile: file, encoding: .utf8))
    let outcome = try await library.importBooks(from: try write(saved, "b.\(format)"))
    #expect(outcome.read == 2 && outcome.added == 0 && outcome.changed == 0, "\(outcome)\n\(saved)")
    #expect(try await library.books() == before)
  }

  @Test func aDroppedMarkAndOtherLineEndsChangeNothing() async throws {
    try await changesNothing { $0.replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n") }
    try await changesNothing(.tsv) { $0.replacing("\r\n", with: "\r") }
  }

  /// German Excel writes semicolons, decimal commas, formatted times, rounded ISBNs, and empty rows at the end.
  @Test func semicolonsAndRoundedNumbersChangeNothing() async throws {
    try await changesNothing { text in
      var reader = DelimitedReader()
      let names = (try? reader.head(Array(text.utf8))) ?? []
      let rows = reader.parse([]) + reader.end().rows
      let saved = rows.map { row -> [String] in
        guard case .fields(let cells, _) = row else { return [] }
        return zip(names, cells).map { name, cell in
          switch name {
          case "isbn": cell.isEmpty ? "" : "9,78031E+12"
          case "confidence": cell.replacing(".", with: ",")
          case "addedAt": "15.01.27 8:00"
          default: cell
          }
        }
      }
      return ([names] + saved + [names.map { _ in "" }]).map { cells in
        cells.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ";")
      }.joined(separator: "\r\n") + "\r\n"
    }
  }

  @Test func formulasThatKeepTextChangeNothing() async throws {
    try await changesNothing { $0.replacing("9780306406157", with: "=\"9780306406157\"") }
    try await changesNothing { $0.replacing("9780306406157", with: "\"=\"\"9780306406157\"\"\"") }
  }

  /// These titles are text that a spreadsheet would convert to numbers or dates.
  @Test func whatLooksLikeANumberStaysText() async throws {
    let library = try folder.store().library
    let texts = [
      "007", "11.22.63", "1/2", "1e5", "March 1", "1 Mai 1968", "TRUE", "'68", "''007", "50%", "123456789012",
      "4:50", "1.10",
    ]
    let others = [
      "1984", "Catch 22", "2001: A Space Odyssey", "0", "May", "", "Fahrenheit 451", "4 3 2 1 x", "e5",
    ]
    for text in texts + others {
      #expect(CSVCell.plain(CSVCell.text(text)) == text)
      #expect(CSVCell.text(text).hasPrefix("'") == texts.contains(text), "\(text)")
    }
    for text in texts { try await library.add(BookFinding(title: text, author: text), at: now) }
    let before = try await library.books()
    for format in BookListFormat.allCases {
      let file = "\(folder.path)/a.\(format)"
      try await library.export(to: file, as: format)
      #expect(try await library.importBooks(from: file).changed == 0)
      #expect(try await library.books() == before)
    }
    let foreign = try other.store().library
    _ = try await foreign.importBooks(from: try write("title\n'68\n"))
    #expect(
      try await foreign.books().map(\.title) == ["'68"], "another program's list has its own apostrophes")
  }

  @Test func aWrongEncodingIsSaid() async throws {
    let library = try other.store().library
    let file = try write("\"ï»¿title\",author\nÃ‰mile,R\n")
    let error = await #expect(throws: DeliveryError.self) { try await library.importBooks(from: file) }
    #expect(error?.reason.hasPrefix("line 1: a program opened this UTF-8 file in another encoding") == true)
  }

  /// Another library cannot restore the lost digits, so the import reports the loss.
  @Test func whatIsLostIsSaid() async throws {
    let library = try other.store().library
    let lost = try write("title,isbn\nA,9.78031E+12\n")
    let error = await #expect(throws: DeliveryError.self) { try await library.importBooks(from: lost) }
    #expect(error?.reason.hasPrefix("line 2: \"9.78031E+12\" is no ISBN: a spreadsheet has rounded") == true)
    let time = try write("title,addedAt\nA,1/2/2026\n")
    let when = await #expect(throws: DeliveryError.self) { try await library.importBooks(from: time) }
    #expect(when?.reason.hasPrefix("line 2: addedAt “1/2/2026” is not a time") == true)
    let nothing = try write("title,isbn\nA,n/a\n")
    let what = await #expect(throws: DeliveryError.self) { try await library.importBooks(from: nothing) }
    #expect(what?.reason == "line 2: \"n/a\" is no ISBN")
  }

  @Test(
    arguments: [
      ("2026-11-21 16:15:29", "2026-11-21T16:15:29.000Z"), ("2026-11-21T16:15", "2026-11-21T16:15:00.000Z"),
      ("2026/11/21", "2026-11-21T00:00:00.000Z"), ("21.11.2026 16:15", "2026-11-21T16:15:00.000Z"),
      ("21.11.2026", "2026-11-21T00:00:00.000Z"), ("11/21/2026 4:15 PM", "2026-11-21T16:15:00.000Z"),
      ("21/11/2026 04:15:29", "2026-11-21T04:15:29.000Z"), ("7/7/2026 12:00 AM", "2026-07-07T00:00:00.000Z"),
      ("2026-11-21 16:15:29.123Z", "2026-11-21T16:15:29.123Z"), ("1/2/2026", nil), ("31.06.2026", nil),
      ("21.11.26", nil), ("16:15", nil), ("2026-11-21 25:00", nil), ("soon", nil), ("1/2/3/4", nil),
    ] as [(String, String?)]) func timesAreReadAsSpreadsheetsSaveThem(text: String, time: String?)
  {
    #expect(SpreadsheetTime.milliseconds(text).map(Timestamp.text) == time)
  }

  @Test(arguments: [("0,94", 0.94), ("94 %", 0.94), ("94,0%", 0.94), ("1", 1)] as [(String, Double)])
  func aConfidenceIsReadOfEveryCountry(text: String, value: Double) async throws {
    let library = try other.store().library
    #expect(try await library.importBooks(from: try write("title,confidence\nA,\"\(text)\"\n")).added == 1)
    #expect(try await library.books().first?.spineConfidence == value)
  }

  @Test func foreignListsAreReadAndWhatIsNotReadIsNamed() async throws {
    let library = try other.store().library
    let file = try write(
      "Title,Authors,ISBN/UID,Format,Star Rating\nEmma,Jane Austen,9780141439587,paperback,5\nPoems,,B00ABC1234,,\n"
    )
    let outcome = try await library.importBooks(from: file)
    #expect(outcome.added == 2 && outcome.passedOver == ["Star Rating"])
    #expect(try await library.books().map(\.isbn) == [nil, "9780141439587"])
    #expect(try await library.books().map(\.author) == ["", "Jane Austen"])
  }

  /// Lists from other programs and people.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: SharedData.folder("strangers").path)),
    arguments: [
      ("goodreads_raw.csv", ["9780306406157", nil, "9791034567898", "9780804429573"]),
      ("calibre.csv", ["9780306406157"]), ("isbn_u2011.csv", ["9780306406157"]),
      ("librarything.tsv", ["9780306406157", nil]),
    ] as [(String, [String?])]) func strangersListsAreRead(name: String, isbns: [String?]) async throws
  {
    let library = try other.store().library
    let file = SharedData.folder("strangers").appending(path: name).path
    #expect(try await library.importBooks(from: file).added == isbns.count)
    #expect(try await library.books().reversed().map(\.isbn) == isbns)
    #expect(try await library.books().allSatisfy { !$0.author.isEmpty })
  }
}
