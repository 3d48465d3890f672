import Bibliography

/// Reads a table whose first line names its columns: title, subtitle, author, ISBN, volume, edition and publisher, under these or other programs'
/// names (`BookColumn`).
struct DelimitedListReader: RecordReader {
  private static let columns: Set<BookColumn> = [
    .title, .subtitle, .author, .sortedAuthor, .furtherAuthor, .isbn, .otherNumber, .volume, .edition,
    .publisher,
  ]

  private var table: BookTable

  /// - Parameter withMarks: whether shelf marks are also read.
  init(withMarks: Bool = false) {
    table = BookTable(of: withMarks ? Self.columns.union([.mark]) : Self.columns, need: .title)
  }

  var passedOver: [String] { table.passedOver }

  mutating func parse(_ bytes: ArraySlice<UInt8>) throws(ListRefusal) -> [ReadItem] {
    do { return try table.parse(bytes).flatMap(Self.items) } catch { throw Self.refusal(error) }
  }

  mutating func end() throws(ListRefusal) -> [ReadItem] {
    do { return try table.end().flatMap(Self.items) } catch { throw Self.refusal(error) }
  }

  private static func refusal(_ trouble: ListTrouble) -> ListRefusal {
    ListRefusal(reason: trouble.line == 1 ? trouble.reason : "line \(trouble.line): \(trouble.reason)")
  }

  private static func items(_ item: BookTable.Item) -> [ReadItem] {
    switch item {
    case .damaged(let trouble):
      return [.damaged(RecordDamage(place: "line \(trouble.line)", reason: trouble.reason))]
    case .row(let row):
      func one(_ column: BookColumn) -> String { CatalogueRecord.clean(row.text(column) ?? "") }
      let numbers = row.isbns
      let record = CatalogueRecord(
        title: one(.title), subtitle: one(.subtitle), author: CatalogueRecord.joined(row.authors),
        volume: one(.volume), edition: one(.edition), publisher: one(.publisher),
        isbns: numbers.isbns.prefix(CatalogueRecord.listLimit).compactMap(ISBNNumber.init),
        marks: [one(.mark)].filter { !$0.isEmpty })
      let book: ReadItem = record.title.isEmpty ? .passed : .book(record)
      guard let trouble = numbers.trouble, !record.title.isEmpty else { return [book] }
      return [book, .leftOut(RecordDamage(place: "line \(row.line)", reason: trouble))]
    }
  }
}
