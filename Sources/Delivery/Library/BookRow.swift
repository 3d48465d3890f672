import FoundationEssentials
import GRDB

extension Book {
  init(row: Row) {
    self.init(
      id: row["id"], isbn: row["isbn"], title: row["title"], author: row["author"], coverURL: row["coverURL"],
      format: row["format"], addedAt: Milliseconds.date(row["addedAt"]),
      spineConfidence: row["spineConfidence"])
  }

  static func with(isbn: String, in database: Database) throws -> Book? {
    try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM book WHERE isbn = ?"), arguments: [isbn])
      .map(Book.init(row:))
  }

  static func insert(_ finding: BookFinding, at now: Date, in database: Database) throws -> Book {
    let sql = """
      INSERT INTO book (isbn, title, author, coverURL, format, addedAt, spineConfidence, matchKey)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    try database.cachedStatement(sql: sql).execute(
      arguments: [
        finding.isbn, finding.title, finding.author, finding.coverURL, finding.format, Milliseconds.of(now),
        finding.confidence, BookMatch.key(title: finding.title),
      ])
    return Book(
      id: database.lastInsertedRowID, isbn: finding.isbn, title: finding.title, author: finding.author,
      coverURL: finding.coverURL, format: finding.format, addedAt: Milliseconds.date(Milliseconds.of(now)),
      spineConfidence: finding.confidence)
  }

  func save(in database: Database) throws -> Book {
    let sql = """
      UPDATE book SET isbn = ?, title = ?, author = ?, coverURL = ?, format = ?, spineConfidence = ?, matchKey = ?
      WHERE id = ?
      """
    try database.cachedStatement(sql: sql).execute(
      arguments: [isbn, title, author, coverURL, format, spineConfidence, BookMatch.key(title: title), id])
    return self
  }
}
