import Testing

@testable import Catalogue

/// Returns the items that a reader finds in `bytes`, which it gets in pieces of `step` bytes.
func items(_ reader: () -> any RecordReader, _ bytes: [UInt8], by step: Int) throws(ListRefusal) -> [ReadItem]
{
  var (reader, items, rest): (any RecordReader, [ReadItem], ArraySlice<UInt8>) = (reader(), [], bytes[...])
  while !rest.isEmpty {
    items += try reader.parse(rest.prefix(step))
    rest = rest.dropFirst(step)
  }
  return try items + reader.end()
}

/// Returns the items that a reader finds in `bytes`, and checks that pieces of 1 and of 7 bytes give the same items.
func items(_ reader: () -> any RecordReader, _ bytes: [UInt8]) throws -> [ReadItem] {
  let whole = try items(reader, bytes, by: max(1, bytes.count))
  for step in [1, 7] {
    let pieces = try items(reader, bytes, by: step)
    #expect(pieces == whole, "in pieces of \(step)")
  }
  return whole
}

extension ReadItem {
  var record: CatalogueRecord? {
    switch self {
    case .book(let record), .work(_, let record): record
    default: nil
    }
  }

  var damage: String? {
    if case .damaged(let damage) = self { "\(damage.place): \(damage.reason)" } else { nil }
  }
}

@Suite struct DelimitedTests {
  private func read(_ text: String) throws -> [ReadItem] {
    try items({ DelimitedListReader() }, Array(text.utf8))
  }

  @Test func columnsAreFoundByName() throws {
    let read = try read(
      "\u{FEFF}ISBN,Author,shelf,Title\r\n9780141439587,\"Austen, Jane\",7,\"Emma \"\"again\"\"\"\r\n")
    let book = try #require(read.first?.record)
    #expect(book.title == "Emma \"again\"" && book.author == "Austen, Jane")
    #expect(book.isbns.map(\.text) == ["9780141439587"])
    #expect(read.count == 1)
  }

  @Test(arguments: [";", "\t", ","]) func anyDividerIsRead(divider: String) throws {
    let text = "title\(divider)author\(divider)volume\nFaust\(divider)Goethe\(divider)2\n"
    let book = try #require(try read(text).first?.record)
    #expect(book.title == "Faust" && book.author == "Goethe" && book.volume == "2")
  }

  @Test func damagedRowsAreToldAndPassed() throws {
    let text = "title,author\nEmma,Austen,more\n\"He\" said,x\nKim,Kipling\n\u{1}\n\n,nobody\n"
    let read = try read(text)
    #expect(
      read.compactMap(\.damage) == [
        "line 2: it has 3 fields where the first line names 2",
        "line 3: something follows a closing quotation mark",
        "line 5: it has 1 field where the first line names 2",
      ])
    #expect(read.compactMap(\.record?.title) == ["Kim"])
    #expect(read.last == .passed, "a row without a title is no book")
  }

  @Test func aQuotationMarkThatIsNotClosedIsBounded() throws {
    let text = "title\nEmma\n\"" + String(repeating: "x\n", count: 20_000) + "Kim\n"
    let read = try read(text)
    #expect(read.first?.record?.title == "Emma")
    #expect(read.compactMap(\.damage) == ["line 3: a field is longer than 32 KB"])
    #expect(read.last?.record?.title == "Kim")
    #expect(try self.read("title\n\"Emma").compactMap(\.damage) == ["line 2: a quotation mark is not closed"])
  }

  @Test func whatIsNoTableIsRefused() throws {
    func reason(_ bytes: [UInt8]) -> String? {
      do {
        _ = try items({ DelimitedListReader() }, bytes, by: 5)
        return nil
      } catch { return error.reason }
    }
    #expect(reason([0xFF, 0xFE, 0x74, 0]) == "its first line names no column title, but t")
    #expect(
      reason(Array("name,author\nEmma,x\n".utf8)) == "its first line names no column title, but name, author")
    #expect(reason([]) == "the file is empty")
    #expect(reason([UInt8](repeating: 0x61, count: 70_000)) == "its first line is over 64 KB")
    #expect(reason(Array("\"title\n".utf8)) == "a quotation mark is not closed")
  }

  @Test func textThatIsNotUTF8IsDamage() throws {
    let bytes = Array("title,author\nCaf".utf8) + [0xE9] + Array(",x\nKim,y\n".utf8)
    let read = try items({ DelimitedListReader() }, bytes)
    #expect(read.compactMap(\.damage) == ["line 2: it is neither UTF-8 (in Excel: CSV UTF-8) nor UTF-16"])
    #expect(read.last?.record?.title == "Kim")
  }

  @Test func valuesAreCleanAndBounded() throws {
    let long = String(repeating: "a", count: 5000)
    let read = try read("title,author,isbn\n\"A\u{1B}[2J\n  B\",\(long),123\n")
    let book = try #require(read.first?.record)
    #expect(book.title == "A [2J B" && book.author.utf8.count == CatalogueRecord.fieldLimit)
    #expect(book.isbns.isEmpty, "a number with a wrong check digit is no ISBN")
    #expect(
      read.last
        == .leftOut(
          RecordDamage(
            place: "line 2", reason: "\"123\" is no ISBN: it has 3 digits where an ISBN has 10 or 13")))
  }
}
