import GRDB

/// A row of `book`, with its ISBNs.
struct StoredBook {
  var title: String
  var subtitle: String
  var author: String
  var volume: String
  var edition: String
  var publisher: String
  var isbns: [ISBNNumber]

  static func fetch(id: Int64, in database: Database) throws -> StoredBook? {
    let statement = try database.cachedStatement(
      sql: "SELECT title, subtitle, author, volume, edition, publisher FROM book WHERE id = ?")
    guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
    let numbers = try database.cachedStatement(sql: "SELECT isbn FROM isbn WHERE book = ? LIMIT 100")
    let isbns = try Int64.fetchAll(numbers, arguments: [id]).compactMap(ISBNNumber.init(stored:))
    // Clean the texts: a damaged or foreign file may have any value in a column.
    let texts = (0..<6).map { CatalogueRecord.clean(String.fromDatabaseValue(row[$0]) ?? "") }
    return StoredBook(
      title: texts[0], subtitle: texts[1], author: texts[2], volume: texts[3], edition: texts[4],
      publisher: texts[5], isbns: isbns)
  }

  static func fetch(isbn: ISBNNumber, in database: Database) throws -> [StoredBook] {
    let statement = try database.cachedStatement(sql: "SELECT book FROM isbn WHERE isbn = ? LIMIT 100")
    return try Int64.fetchAll(statement, arguments: [isbn.value]).compactMap {
      try fetch(id: $0, in: database)
    }
  }

  var name: String { volume.isEmpty ? title : "\(title), \(volume)" }

  var listed: CatalogueBook {
    func some(_ text: String) -> String? { text.isEmpty ? nil : text }
    return CatalogueBook(
      title: title, subtitle: some(subtitle), author: some(author), volume: some(volume),
      edition: some(edition), publisher: some(publisher), isbns: isbns.map(\.text))
  }
}
