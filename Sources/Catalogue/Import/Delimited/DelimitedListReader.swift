/// Books of a table whose first line names its columns, in any order, upper or lower case: `title`, `subtitle`, `author`, `isbn`, `volume`,
/// `edition`, `publisher`. A column of another name is passed over.
struct DelimitedListReader: RecordReader {
  private enum Column: String, CaseIterable { case title, subtitle, author, isbn, volume, edition, publisher }

  /// What other programs call them.
  private static let others: [String: Column] = [
    "authors": .author, "creator": .author, "isbn13": .isbn, "isbn10": .isbn, "isbn-13": .isbn,
    "isbn-10": .isbn, "series number": .volume, "publishers": .publisher,
  ]

  private var rows = DelimitedReader()
  private var columns: [Column?]?

  mutating func parse(_ bytes: ArraySlice<UInt8>) throws(ListRefusal) -> [ReadItem] {
    try items(try rows.parse(bytes))
  }

  mutating func end() throws(ListRefusal) -> [ReadItem] {
    let items = try items(try rows.end())
    guard columns != nil else { throw ListRefusal(reason: "it is empty") }
    return items
  }

  private mutating func items(_ rows: [DelimitedReader.Row]) throws(ListRefusal) -> [ReadItem] {
    var items: [ReadItem] = []
    for row in rows {
      switch row {
      case .damaged(let line, let reason):
        guard columns != nil else { throw ListRefusal(reason: "line \(line): \(reason)") }
        items.append(.damaged(RecordDamage(place: "line \(line)", reason: reason)))
      case .fields(let fields, let line):
        guard let columns else {
          columns = try Self.columns(fields)
          continue
        }
        items.append(Self.item(fields, columns, line))
      }
    }
    return items
  }

  private static func columns(_ names: [String]) throws(ListRefusal) -> [Column?] {
    let columns = names.map { name in
      let plain = CatalogueRecord.clean(name).lowercased()
      return Column(rawValue: plain) ?? others[plain]
    }
    guard columns.contains(.title) else {
      throw ListRefusal(reason: "its first line names no column title")
    }
    return columns
  }

  private static func item(_ fields: [String], _ columns: [Column?], _ line: Int) -> ReadItem {
    guard fields.count == columns.count else {
      let reason = "it has \(fields.count) fields where the first line names \(columns.count)"
      return .damaged(RecordDamage(place: "line \(line)", reason: reason))
    }
    func all(_ column: Column) -> [String] {
      zip(columns, fields).filter { $0.0 == column && !$0.1.isEmpty }.map(\.1)
    }
    func one(_ column: Column) -> String { all(column).first.map(CatalogueRecord.clean) ?? "" }
    let record = CatalogueRecord(
      title: one(.title), subtitle: one(.subtitle), author: CatalogueRecord.joined(all(.author)),
      volume: one(.volume), edition: one(.edition), publisher: one(.publisher),
      isbns: CatalogueRecord.isbns(
        all(.isbn).flatMap { $0.split { ",;|".contains($0) }.map(String.init) }))
    return record.title.isEmpty ? .passed : .book(record)
  }
}
