import Foundation
import GRDB
import System
import Testing

@testable import Library

/// Lists for other programs, compared byte by byte. `scripts/check-cli` tries them with independent readers.
@Suite struct ProgramExportTests {
  let folder = try! TemporaryFolder()

  private func record(
    _ title: String, _ author: String = "", isbn: String? = nil, format: String? = nil, copies: Int? = nil,
    location: String? = nil
  ) -> BookRecord {
    let book = Book(
      id: 7, isbn: isbn, title: title, author: author, coverURL: nil, format: format,
      addedAt: Date(timeIntervalSince1970: 1_764_288_000), spineConfidence: nil)
    var record = BookRecord(book, of: "lib", copies: copies ?? 1)
    record.location = location
    return record
  }

  private func text(_ format: ProgramListFormat, _ record: BookRecord) -> String {
    format.text(record, isFirst: true, JSONEncoder())
  }

  /// Returns the fields of a binary MARC record, found by its directory.
  private func fields(_ text: String) throws -> [(tag: String, text: String)] {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) throws -> Int {
      try #require(Int(String(decoding: bytes[range], as: UTF8.self)))
    }
    #expect(try number(0..<5) == bytes.count && bytes.last == 0x1D && bytes[9] == UInt8(ascii: "a"))
    let base = try number(12..<17)
    #expect(bytes[base - 1] == 0x1E)
    return try stride(from: 24, to: base - 1, by: 12).map { offset in
      let (length, start) = (try number(offset + 3..<offset + 7), try number(offset + 7..<offset + 12))
      #expect(bytes[base + start + length - 1] == 0x1E)
      return (
        String(decoding: bytes[offset..<offset + 3], as: UTF8.self),
        String(decoding: bytes[base + start..<base + start + length - 1], as: UTF8.self)
      )
    }
  }

  @Test func aRecordOfMARCHasItsFields() throws {
    let book = record(
      "Good Omens", "Terry Pratchett; Gaiman, Neil", isbn: "9780060853983", format: "hardcover", copies: 2,
      location: "living room, 3")
    let fields = try fields(text(.marc, book))
    #expect(fields.map(\.tag) == ["001", "003", "005", "008", "020", "100", "245", "700", "852", "852"])
    #expect(fields[0].text == "7" && fields[1].text == "lib" && fields[2].text == "20251128000000.0")
    #expect(fields[3].text.count == 40 && fields[3].text.hasPrefix("251128n"))
    #expect(fields[4].text == "  \u{1F}a9780060853983\u{1F}qhardcover")
    #expect(fields[5].text == "1 \u{1F}aPratchett, Terry" && fields[6].text == "10\u{1F}aGood Omens")
    #expect(fields[7].text == "1 \u{1F}aGaiman, Neil")
    #expect(fields[8].text == "  \u{1F}cliving room, 3\u{1F}t1" && fields[9].text.hasSuffix("t2"))
  }

  @Test func nothingBreaksOutOfARecord() throws {
    let bad = "A\u{1D}B\u{1E}C\u{1F}aD\u{0}\u{1B}E"
    let fields = try fields(text(.marc, record(bad, bad, isbn: "not one", location: bad)))
    #expect(fields.map(\.tag) == ["001", "003", "005", "008", "100", "245", "852"])
    #expect(fields[5].text == "10\u{1F}aA B C aD E")
    let xml = text(.marcxml, record("<b>&\"\u{1}\u{FFFE}]]>", "x"))
    #expect(xml.contains("<subfield code=\"a\">&lt;b&gt;&amp;&quot; ]]&gt;</subfield>"))
  }

  @Test func fieldsAndRecordsAreBounded() throws {
    // Characters with the most bytes that a library stores.
    let long = String(repeating: "\u{1F9D1}\u{200D}\u{1F33E}", count: 1400)
    let author = Array(repeating: String(long.prefix(300)), count: 30).joined(separator: ";")
    let text = text(.marc, record(long, author, copies: 1000, location: long))
    #expect(text.utf8.count <= 99_999)
    let fields = try fields(text)
    #expect(fields.allSatisfy { $0.text.utf8.count + 1 <= 9999 } && fields.contains { $0.tag == "245" })
  }

  @Test func bracesAndCommandsAreNoTeX() {
    let text = text(
      .bibtex,
      record(#"50 % {of} \input{x} $a_b^c~ & "#, "Simon and Schuster; Franz Kafka", isbn: "9780060853983"))
    #expect(
      text == #"""
        @book{swiftwing7,
          author = {{Simon and Schuster} and Kafka, Franz},
          title = {50 \% \textbraceleft{}of\textbraceright{} \textbackslash{}input\textbraceleft{}x\textbraceright{} \$a\_b\textasciicircum{}c\textasciitilde{} \&},
          isbn = {9780060853983}
        }


        """#)
    #expect(text.count { $0 == "{" } == text.count { $0 == "}" })
  }

  @Test func tablesHaveTheColumnsOfTheirPrograms() {
    let book = record(
      "1984", "George Orwell; Somebody Else", isbn: "9780451524935", format: "paperback", location: "=1+1")
    #expect(
      ProgramListFormat.goodreads.opening + text(.goodreads, book)
        == "Title,Author,Author l-f,Additional Authors,ISBN13,Binding,Date Added,Private Notes,Owned Copies\r\n"
        + "1984,George Orwell,\"Orwell, George\",Somebody Else,9780451524935,paperback,2025/11/28,'=1+1,1\r\n"
    )
    #expect(
      ProgramListFormat.librarything.opening + text(.librarything, book)
        == "Title,Primary Author,Secondary Author,ISBN,Media,Copies,Private Comment,Entry Date\r\n"
        + "1984,\"Orwell, George\",\"Else, Somebody\",9780451524935,paperback,1,'=1+1,2025-11-28\r\n")
    #expect(
      ProgramListFormat.calibre.opening + text(.calibre, book)
        == "title,authors,author_sort,isbn,timestamp\r\n"
        + "1984,George Orwell & Somebody Else,\"Orwell, George & Else, Somebody\",9780451524935,2025-11-28T00:00:00+00:00\r\n"
    )
  }

  /// As Calibre and many spines have them.
  @Test func personsMayBeJoinedByAnAmpersand() throws {
    let book = record("C", "Brian Kernighan & Dennis Ritchie; Ann Other")
    #expect(
      text(.bibtex, book).contains("author = {Kernighan, Brian and Ritchie, Dennis and Other, Ann}"))
    #expect(
      try fields(text(.marc, book)).filter { ["100", "700"].contains($0.tag) }.map(\.text) == [
        "1 \u{1F}aKernighan, Brian", "1 \u{1F}aRitchie, Dennis", "1 \u{1F}aOther, Ann",
      ])
  }

  @Test func whatIsNotKnownIsEmpty() throws {
    #expect(text(.calibre, record("Emma")) == "Emma,,,,2025-11-28T00:00:00+00:00\r\n")
    #expect(try fields(text(.marc, record("Emma"))).map(\.tag) == ["001", "003", "005", "008", "245"])
    #expect(text(.bibtex, record("Emma")) == "@book{swiftwing7,\n  title = {Emma}\n}\n\n")
  }

  @Test(arguments: ProgramListFormat.allCases) func aLibraryIsWrittenWhole(_ format: ProgramListFormat)
    async throws
  {
    let library = try folder.store().library
    for number in 1...3 { try await library.add(BookFinding(title: "Book \(number)", author: "A B")) }
    let file = "\(folder.path)/list"
    #expect(try await library.export(to: file, by: format) == 3)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix(format.opening) && text.hasSuffix(format.closing))
    #expect((1...3).allSatisfy { text.contains("Book \($0)") })
    #expect(ProgramListFormat(fileName: "a.MRC") == .marc && ProgramListFormat(fileName: "a.csv") == nil)
  }
}
