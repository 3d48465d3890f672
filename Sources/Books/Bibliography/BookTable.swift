/// Reads a table of books whose first line names its columns, in any order. Libraries and catalogues both use this reader.
package struct BookTable: Sendable {
  package enum Item: Equatable, Sendable {
    case row(BookTableRow)
    case damaged(ListTrouble)
  }

  /// The column that the first line must name: the title, or either the title or the ISBN.
  package enum Need: Sendable { case title, titleOrISBN }

  private let wanted: Set<BookColumn>
  private let need: Need
  private var reader = DelimitedReader()
  private var columns: [BookColumn?]?
  /// Whether the table is an export of a library.
  private var isExport = false
  /// The names, as in the first line, of the columns that are not read.
  package private(set) var passedOver: [String] = []

  /// - Parameter wanted: the columns to read. Values of other columns are ignored, whatever their length.
  package init(of wanted: Set<BookColumn>, need: Need) { (self.wanted, self.need) = (wanted, need) }

  /// The rows that end in `bytes`.
  /// - Throws: the flaw of the first line.
  package mutating func parse(_ bytes: some Collection<UInt8>) throws(ListTrouble) -> [Item] {
    if columns != nil { return items(reader.parse(bytes)) }
    guard let names = try reader.head(bytes) else { return [] }
    try begin(names)
    return items(reader.parse([]))
  }

  package mutating func end() throws(ListTrouble) -> [Item] {
    if columns == nil {
      guard let names = try reader.headAtEnd() else {
        throw ListTrouble(line: 1, reason: "the file is empty")
      }
      try begin(names)
    }
    let (rows, isCut) = reader.end()
    return items(rows, isCut: isCut)
  }

  private mutating func begin(_ names: [String]) throws(ListTrouble) {
    if let first = names.first, Self.marks.contains(where: first.hasPrefix) {
      throw ListTrouble(
        line: 1,
        reason:
          "a program opened this UTF-8 file in another encoding and saved the garbled text; open the original as UTF-8 there"
      )
    }
    var columns = names.map { name in BookColumn(named: name).flatMap { wanted.contains($0) ? $0 : nil } }
    let folded = names.map(BookColumn.folded)
    for column in wanted where !column.isList {
      let places = columns.indices.filter { columns[$0] == column }
      guard Set(places.map { folded[$0] }).count == places.count else {
        throw ListTrouble(line: 1, reason: "its first line names the column \(column.rawValue) twice")
      }
      // Prefer the column's own name to other programs' names.
      let first = places.first { folded[$0] == column.rawValue.lowercased() } ?? places.first
      for place in places where place != first { columns[place] = nil }
    }
    guard columns.contains(.title) || (need == .titleOrISBN && columns.contains(.isbn)) else {
      let what = need == .title ? "no column title" : "neither a column title nor a column isbn"
      throw ListTrouble(line: 1, reason: "its first line names \(what), but \(Self.list(names))")
    }
    self.columns = columns
    isExport = Set(names.compactMap(BookColumn.init(named:))).isSuperset(of: [.id, .library, .photo])
    reader.read(only: columns.map { $0 != nil })
    passedOver = zip(columns, names).filter { $0.0 == nil }.map { Self.shown($0.1) }.filter { !$0.isEmpty }
  }

  /// The byte order mark of UTF-8, as text in the code pages of Windows, of the Mac and of Chinese.
  private static let marks = ["ï»¿", "п»ї", "ď»ż", "ο»Ώ", "ן»¿", "Ôªø", "锘"]

  private static func shown(_ name: String) -> String { CleanText.line(name, characters: 60, bytes: 240) }

  private static func list(_ names: [String]) -> String {
    let shown = names.map(shown).filter { !$0.isEmpty }
    return shown.prefix(8).joined(separator: ", ") + (shown.count > 8 ? ", …" : "")
  }

  /// - Parameter isCut: whether the end of the last row may be missing.
  private func items(_ rows: [DelimitedReader.Row], isCut: Bool = false) -> [Item] {
    rows.enumerated().compactMap { index, row in
      switch row {
      case .damaged(let trouble): .damaged(trouble)
      case .fields(let fields, let line): item(fields, line, isCut: isCut && index == rows.count - 1)
      }
    }
  }

  /// Converts a row. Spreadsheets leave out empty values at the end of a row, or add some, but every column that is read must be present. Nil if all
  /// values that are read are empty.
  private func item(_ fields: [String], _ line: Int, isCut: Bool) -> Item? {
    guard let columns else { return nil }
    let isWhole =
      fields.count < columns.count
      ? !isCut && columns[fields.count...].allSatisfy { $0 == nil }
      : fields[columns.count...].allSatisfy(\.isEmpty)
    guard isWhole else {
      let count = fields.count == 1 ? "1 field" : "\(fields.count) fields"
      let reason = "it has \(count) where the first line names \(columns.count)"
      return .damaged(ListTrouble(line: line, reason: reason))
    }
    let values = zip(columns, fields).compactMap { column, text in column.map { ($0, value(text, of: $0)) } }
    return .row(BookTableRow(line: line, values: values))
  }

  /// The value of a cell. In a library's export, texts that look like numbers have an apostrophe before them; in other lists, an apostrophe may
  /// belong to a title.
  private func value(_ text: String, of column: BookColumn) -> String {
    let value = CSVCell.read(text)
    let isText = column == .title || column == .author || column == .format
    return isText && isExport ? CSVCell.plain(value) : value
  }
}
