import FoundationEssentials
import GRDB

extension Book {
  /// The largest number of copies in an undamaged row. A person can state at most 1,000.
  private static let copyLimit = Int64(1_000_000)

  /// - Throws: `damaged`.
  init(row: Row) throws {
    let row = StoredRow(row, of: "book")
    self.init(
      id: try row.integer("id"), isbn: try row.textIfAny("isbn"), title: try row.text("title"),
      author: try row.text("author"), coverURL: try row.textIfAny("coverURL"),
      format: try row.textIfAny("format"), addedAt: try row.time("addedAt"),
      spineConfidence: try row.realIfAny("spineConfidence", in: 0...1),
      certainty: try row.nameIfAny("certainty", BookFinding.Certainty.self),
      confirmedAt: try row.timeIfAny("confirmedAt"),
      statedCopies: try row.integerIfAny("copies", in: 0...Self.copyLimit).map(Int.init))
  }

  static func with(isbn: String, in database: Database) throws -> Book? {
    try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM book WHERE isbn = ?"), arguments: [isbn])
      .map(Book.init(row:))
  }

  static func with(id: Book.ID, in database: Database) throws -> Book? {
    try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM book WHERE id = ?"), arguments: [id])
      .map(Book.init(row:))
  }

  /// Inserts a book under an id that no book ever had. SQLite by itself would reuse the id of a deleted book if it was the highest.
  static func insert(_ finding: BookFinding, at now: Date, in database: Database) throws -> Book {
    let sql = """
      INSERT INTO book (id, isbn, title, author, coverURL, format, addedAt, spineConfidence, matchKey, certainty)
      VALUES ((SELECT max(lastBook, ifnull((SELECT max(id) FROM book), 0)) + 1 FROM shelf), ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    try database.cachedStatement(sql: sql).execute(
      arguments: [
        finding.isbn, finding.title, finding.author, finding.coverURL, finding.format, Milliseconds.of(now),
        finding.confidence, BookMatch.key(title: finding.title), finding.certainty?.rawValue,
      ])
    return Book(
      id: database.lastInsertedRowID, isbn: finding.isbn, title: finding.title, author: finding.author,
      coverURL: finding.coverURL, format: finding.format, addedAt: Milliseconds.date(Milliseconds.of(now)),
      spineConfidence: finding.confidence, certainty: finding.certainty)
  }

  func save(in database: Database) throws -> Book {
    let sql = """
      UPDATE book SET isbn = ?, title = ?, author = ?, coverURL = ?, format = ?, spineConfidence = ?, matchKey = ?,
      certainty = ?, confirmedAt = ?, copies = ? WHERE id = ?
      """
    try database.cachedStatement(sql: sql).execute(
      arguments: [
        isbn, title, author, coverURL, format, spineConfidence, BookMatch.key(title: title),
        certainty?.rawValue, confirmedAt.map(Milliseconds.of), statedCopies, id,
      ])
    return self
  }
}
