import FoundationEssentials
import GRDB

extension Book {
  init(row: Row) {
    let certainty: String? = row["certainty"]
    let confirmedAt: Int64? = row["confirmedAt"]
    self.init(
      id: row["id"], isbn: row["isbn"], title: row["title"], author: row["author"], coverURL: row["coverURL"],
      format: row["format"], addedAt: Milliseconds.date(row["addedAt"]),
      spineConfidence: row["spineConfidence"],
      certainty: certainty.flatMap(BookFinding.Certainty.init(rawValue:)),
      confirmedAt: confirmedAt.map(Milliseconds.date), statedCopies: row["copies"])
  }

  static func with(isbn: String, in database: Database) throws -> Book? {
    try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM book WHERE isbn = ?"), arguments: [isbn])
      .map(Book.init(row:))
  }

  static func with(id: Book.ID, in database: Database) throws -> Book? {
    try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM book WHERE id = ?"), arguments: [id])
      .map(Book.init(row:))
  }

  /// Its number is one that no book ever had: SQLite alone would give the number of a book that was deleted last again.
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
