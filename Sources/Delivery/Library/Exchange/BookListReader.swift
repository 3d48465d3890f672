import FoundationEssentials

/// Turns the bytes of a list of books into records, however the bytes are split.
struct BookListReader: Sendable {
  private var columns: [BookRecord.Field?]?
  private var csv = CSVReader()
  private var json = JSONListReader()
  private let format: BookListFormat

  init(_ format: BookListFormat) { self.format = format }

  mutating func parse(_ bytes: ArraySlice<UInt8>) throws(ListTrouble) -> [(line: Int, record: BookRecord)] {
    switch format {
    case .csv: try records(try csv.parse(bytes))
    case .json: try Self.records(try json.parse(bytes))
    }
  }

  mutating func end() throws(ListTrouble) -> [(line: Int, record: BookRecord)] {
    guard format == .csv else {
      try json.end()
      return []
    }
    let records = try records(try csv.end())
    guard columns != nil else { throw ListTrouble(line: 1, reason: "it is empty") }
    return records
  }

  private mutating func records(
    _ rows: [CSVReader.Row]
  ) throws(ListTrouble) -> [(line: Int, record: BookRecord)] {
    var records: [(line: Int, record: BookRecord)] = []
    for row in rows {
      guard let columns else {
        // A line for spreadsheets alone: it names the separator.
        if row.fields[0] == "sep=" { continue }
        columns = try Self.columns(row)
        continue
      }
      // Spreadsheets write the rows below the last one too.
      if row.fields.allSatisfy(\.isEmpty) { continue }
      guard row.fields.count == columns.count else {
        throw ListTrouble(
          line: row.line,
          reason: "it has \(row.fields.count) fields where the first line names \(columns.count)")
      }
      do {
        let record = try BookRecord { field in
          columns.firstIndex(of: field).map { decimal(field, CSVCell.read(row.fields[$0])) }
        }
        records.append((row.line, record))
      } catch { throw ListTrouble(line: row.line, reason: error.reason) }
    }
    return records
  }

  /// Where semicolons separate, commas are decimal points.
  private func decimal(_ field: BookRecord.Field, _ text: String) -> String {
    field == .confidence && csv.separator == UInt8(ascii: ";") ? text.replacing(",", with: ".") : text
  }

  /// The first line: any order, upper or lower case; a column we do not know is passed over.
  private static func columns(_ row: CSVReader.Row) throws(ListTrouble) -> [BookRecord.Field?] {
    let columns = row.fields.map { name in
      BookRecord.Field.allCases.first { $0.rawValue.lowercased() == CleanText.line(name).lowercased() }
    }
    guard columns.contains(.title) || columns.contains(.isbn) else {
      throw ListTrouble(line: row.line, reason: "it names neither a column title nor a column isbn")
    }
    let known = columns.compactMap(\.self)
    guard Set(known).count == known.count else {
      throw ListTrouble(line: row.line, reason: "it names a column twice")
    }
    return columns
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
    return "\(key.stringValue) has another type than it should"
  }
}
