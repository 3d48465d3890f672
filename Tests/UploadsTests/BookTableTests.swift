import Testing

@testable import Bibliography
@testable import Library
@testable import Uploads

/// Tables of books as various programs write them.
@Suite struct BookTableTests {
  private static let all = Set(BookColumn.allCases)

  private struct Read: Equatable {
    var rows: [BookTableRow] = []
    var damage: [ListTrouble] = []
    var passedOver: [String] = []
  }

  private static func read(_ bytes: [UInt8], by step: Int) throws(ListTrouble) -> Read {
    var (table, items, rest) = (BookTable(of: all, need: .title), [BookTable.Item](), bytes[...])
    while !rest.isEmpty {
      items += try table.parse(rest.prefix(step))
      rest = rest.dropFirst(step)
    }
    items += try table.end()
    var read = Read(passedOver: table.passedOver)
    for item in items {
      switch item {
      case .row(let row): read.rows.append(row)
      case .damaged(let trouble): read.damage.append(trouble)
      }
    }
    return read
  }

  private func read(_ bytes: [UInt8]) throws -> Read {
    let whole = try Self.read(bytes, by: max(1, bytes.count))
    for step in [1, 2, 7] { #expect(try Self.read(bytes, by: step) == whole, "in pieces of \(step)") }
    return whole
  }

  private func read(_ text: String) throws -> Read { try read(Array(text.utf8)) }

  private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    ([0xFEFF] + Array(text.utf16)).flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return bigEndian ? bytes : bytes.reversed()
    }
  }

  private static let columns = "Title,Primary Author,Shelf,ISBN/UID\n"

  @Test(
    arguments: [
      (
        "Title,Author,Author l-f,Additional Authors,ISBN,ISBN13",
        "T,Ada Quill,\"Quill, Ada\",\"Bo Tarn, Cy  Vane\",\"=\"\"0306406152\"\"\",=\"\"",
        "Ada Quill; Bo Tarn; Cy Vane"
      ),
      (
        "author_sort,authors,comments,isbn,title", "\"Quill, Ada\",Ada Quill & Bo Tarn,x,9780306406157,T",
        "Ada Quill & Bo Tarn"
      ),
      (
        "Title\tPrimary Author\tSecondary Author\tISBN\tISBNs",
        "T\tQuill, Ada\tTarn, Bo|Vane, Cy\t[0306406152]\t0306406152, 9780306406157",
        "Quill, Ada; Tarn, Bo; Vane, Cy"
      ),
      (
        "Title,Authors,Contributors,ISBN/UID,Format", "T,Ada Quill,X (Translator),9780306406157,paperback",
        "Ada Quill"
      ),
      ("Title,Author,\"Author (Last, First)\",ISBN", "T,Ada Quill,\"Quill, Ada\",9780306406157", "Ada Quill"),
      ("Title,Author,\"Author (Last, First)\",ISBN", "T,,\"Quill, Ada\",9780306406157", "Quill, Ada"),
      (
        "item_type,title,creators,ean_isbn13,upc_isbn10", "book,T,Ada Quill,9780306406157,0306406152",
        "Ada Quill"
      ),
      (
        "Key,Item Type,Author,Title,ISBN,ISSN",
        "K,book,\"Quill, Ada; Tarn, Bo\",T,978-0-306-40615-7 0-306-40615-2,", "Quill, Ada; Tarn, Bo"
      ),
      ("title,author_text,isbn_13", "T,Ada Quill,9780306406157", "Ada Quill"),
      ("Titel;Autor;Verlag;ISBN-13", "T;Ada Quill;Haus;978-0-306-40615-7", "Ada Quill"),
      ("Título;Autor;Editorial;ISBN", "T;Ada Quill;Casa;9780306406157", "Ada Quill"),
      ("title,authors,identifiers", "T,Ada Quill,\"amazon:0804429570,isbn:9780306406157\"", "Ada Quill"),
    ]) func everyProgramsColumnsAreRead(names: String, values: String, author: String) throws
  {
    let read = try read("\(names)\r\n\(values)\r\n")
    let row = try #require(read.rows.first)
    #expect(row.text(.title) == "T" && row.authors.joined(separator: "; ") == author)
    #expect(row.isbns.isbns == ["9780306406157"] && row.isbns.trouble == nil)
    #expect(read.damage.isEmpty && read.rows.count == 1)
  }

  @Test func whatIsPassedOverIsNamed() throws {
    #expect(try read("\(Self.columns)T,A,x,\n").passedOver == ["Shelf"])
    #expect(try read("a b,title,,\u{1B}c\nx,T,,y\n").passedOver == ["a b", "c"])
  }

  @Test func aLongValueThatNobodyReadsStopsNothing() throws {
    for long in [
      String(repeating: "x", count: 100_000),
      "\"" + String(repeating: "x, \"\"y\"\"\n", count: 10_000) + "\"",
    ] {
      let read = try read("\(Self.columns)T,A,\(long),9780306406157\nU,B,a\"b,\n")
      #expect(read.rows.map { $0.text(.title) } == ["T", "U"] && read.damage.isEmpty)
      #expect(read.rows.first?.isbns.isbns == ["9780306406157"])
    }
    let bytes = Array("\(Self.columns)T,A,Caf".utf8) + [0xE9] + Array(",\n".utf8)
    #expect(try read(bytes).rows.count == 1, "nor does a skipped value that is not UTF-8 harm its row")
    let endless = "\(Self.columns)T,A,\"\(String(repeating: "x\n", count: 600_000))U,B,,\n"
    let end = try Self.read(Array(endless.utf8), by: 65_536)
    #expect(end.damage.first == ListTrouble(line: 2, reason: "a field is longer than 1 MB"))
    #expect(end.rows.last?.text(.title) == "U")
  }

  @Test(arguments: ["\n", "\r\n", "\r"]) func everyLineEndIsRead(end: String) throws {
    let read = try read(["Title,Author", "\"A\(end)B\",x", "", "C,y", "D"].joined(separator: end) + end)
    #expect(read.rows.map(\.line) == [2, 5])
    #expect(read.rows.compactMap { $0.text(.author) } == ["x", "y"])
    #expect(read.damage.map(\.line) == [6])
  }

  @Test(arguments: [";", ",", "\t", "|"]) func everyDividerIsRead(divider: String) throws {
    let values = "T\(divider)\"A \"\"B\"\", C; D\"\(divider)9780306406157"
    for text in [
      "title,author,isbn\n", "sep=\(divider)\r\ntitle,author,isbn\n",
      "\u{FEFF}\"sep=\(divider)\"\n\ntitle,author,isbn\n",
    ] {
      let table = text.replacing("title,author", with: "title\(divider)author").replacing(
        "author,isbn", with: "author\(divider)isbn")
      let read = try read(table + values)
      #expect(read.rows.first?.authors == ["A \"B\", C; D"] && read.rows.first?.isbns.isbns.count == 1)
    }
  }

  @Test(arguments: [true, false]) func utf16IsRead(bigEndian: Bool) throws {
    let text = "Title\tPrimary Author\tISBN\r\nÉmile 🐋\tRousseau\t[0306406152]\r\n"
    let row = try #require(try read(Self.utf16(text, bigEndian: bigEndian)).rows.first)
    #expect(row.text(.title) == "Émile 🐋" && row.isbns.isbns == ["9780306406157"])
  }

  @Test func quotationMarksBetweenTabsAreRead() throws {
    let read = try read(
      "Title\tPrimary Author\nThe \"Real\" Thing\tJ\n\"Repent, Harlequin!\" Said\tE\n\"A\tB\"\tF\n")
    #expect(
      read.rows.compactMap { $0.text(.title) } == [
        "The \"Real\" Thing", "\"Repent, Harlequin!\" Said", "A\tB",
      ])
  }

  /// At the end of a row, values may be missing or additional only if they are empty.
  @Test func spreadsheetsAddAndLeaveOutEmptyValues() throws {
    let read = try read("title,author,shelf,place\nA,x\nB,y,,,,\nC\nD,z,1,2,3\nE,v,\nF,w")
    #expect(read.rows.compactMap { $0.text(.title) } == ["A", "B", "E"])
    #expect(
      read.damage.map(\.reason) == [
        "it has 1 field where the first line names 4", "it has 5 fields where the first line names 4",
        "it has 2 fields where the first line names 4",
      ], "the last may have been cut off")
  }

  @Test func manyColumnsAndLongLinesAreBounded() throws {
    let wide = "title\n" + String(repeating: "x,", count: 2_000_000) + "\nKim\n"
    let read = try Self.read(Array(wide.utf8), by: 65_536)
    #expect(read.damage == [ListTrouble(line: 2, reason: "there are more than 1000 fields")])
    #expect(read.rows.count == 1)
    let names = Array((String(repeating: "x,", count: 100_000) + "title\n").utf8)
    #expect(throws: ListTrouble(line: 1, reason: "its first line is over 64 KB")) {
      try Self.read(names, by: 65_536)
    }
    let isbns = "title" + String(repeating: ",isbn", count: 900) + "\nT"
    let full = isbns + String(repeating: ",\(String(repeating: "1", count: 30_000))", count: 900) + "\n"
    #expect(try Self.read(Array(full.utf8), by: 65_536).damage.first?.reason == "a row is longer than 1 MB")
  }

  @Test(
    arguments: [
      "=1+1", "'=1+1", "''-x", "+49", "@a", "-", "＝1", "a;=1+1", "a;'=1", "a; \"=HYPERLINK(1)\"", ";;+",
      "'Tis; -ish", "a;b",
      "\"=1\"", "=\"978\"", "\"\u{301}x;\u{301}=", "a\"\u{301},b",
    ]) func noValueIsRunAndNoneIsLost(value: String) throws
  {
    let written = CSVCell.write(value)
    #expect(CSVCell.read(try #require(cells(written).first)) == value)
    for divider in [",", ";", "\t"] {
      for cell in cells(written, divider) {
        #expect(!"=+-@＝".contains(cell.first ?? " "), "\(written) divided by \(divider)")
      }
    }
  }

  /// Returns a line's cells, split as a spreadsheet does.
  private func cells(_ line: String, _ divider: String = ",") -> [String] {
    var reader = DelimitedReader()
    _ = try? reader.head(Array("sep=\(divider)\na\n".utf8))
    let rows = reader.parse(Array("\(line)\n".utf8)) + reader.end().rows
    return rows.flatMap { row in if case .fields(let cells, _) = row { cells } else { [String]() } }
  }
}
