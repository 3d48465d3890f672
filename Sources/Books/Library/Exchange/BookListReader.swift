import Bibliography
import FoundationEssentials

/// Parses a list of books into records. The bytes of the list may arrive in pieces of any size.
struct BookListReader: Sendable {
  private static let columns: Set<BookColumn> = [
    .title, .author, .sortedAuthor, .furtherAuthor, .isbn, .otherNumber, .format, .coverURL, .addedAt,
    .confidence,
    .certainty, .confirmedAt, .copies, .id, .library, .photo, .location,
  ]

  private var table = BookTable(of: Self.columns, need: .titleOrISBN)
  private var unicode = UnicodeReader()
  private var json = JSONListReader()
  private let format: BookListFormat

  init(_ format: BookListFormat) { self.format = format }

  /// The names, as in the file, of the columns that are not read.
  var passedOver: [String] { table.passedOver }

  mutating func parse(_ bytes: ArraySlice<UInt8>) throws(ListTrouble) -> [(line: Int, record: BookRecord)] {
    switch format {
    case .csv, .tsv: try Self.records(try table.parse(bytes))
    case .json: try Self.records(try json.parse(unicode.decode(bytes)))
    }
  }

  mutating func end() throws(ListTrouble) -> [(line: Int, record: BookRecord)] {
    guard format == .json else { return try Self.records(try table.end()) }
    let records = try Self.records(try json.parse(unicode.end()))
    try json.end()
    return records
  }

  private static func records(
    _ items: [BookTable.Item]
  ) throws(ListTrouble) -> [(line: Int, record: BookRecord)] {
    var records: [(line: Int, record: BookRecord)] = []
    for item in items {
      switch item {
      case .damaged(let trouble): throw trouble
      // Spreadsheets also write empty rows below the last one.
      case .row(let row) where row.isEmpty: continue
      case .row(let row):
        do { records.append((row.line, try BookRecord(row))) } catch {
          throw ListTrouble(line: row.line, reason: error.reason)
        }
      }
    }
    return records
  }

  private static func records(
    _ items: [JSONListReader.Item]
  ) throws(ListTrouble) -> [(line: Int, record: BookRecord)] {
    var records: [(line: Int, record: BookRecord)] = []
    for item in items {
      do {
        records.append((item.line, try JSONDecoder().decode(BookRecord.self, from: Data(item.bytes))))
      } catch let trouble as BookRecord.Trouble {
        throw ListTrouble(line: item.line, reason: trouble.reason)
      } catch { throw ListTrouble(line: item.line, reason: reason(error)) }
    }
    return records
  }

  private static func reason(_ error: any Error) -> String {
    guard case DecodingError.typeMismatch(_, let context) = error, let key = context.codingPath.last else {
      return "it is not JSON"
    }
    return "\(key.stringValue) has the wrong type"
  }
}
