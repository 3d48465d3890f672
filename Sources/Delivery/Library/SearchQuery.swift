import GRDB

/// A search as a person types it.
struct SearchQuery {
  /// For FTS5: every word quoted, so that nothing in it is an operator.
  private let expression: String
  /// What the key of a title that begins with the text begins with.
  private let key: String

  /// `nil` when there is no word in `text`. At most eight words of at most 64 characters count.
  init?(_ text: String) {
    key = BookMatch.key(title: String(text.prefix(512)))
    let words = key.split { !$0.isLetter && !$0.isNumber }.prefix(8).map { "\"\($0.prefix(64))\"" }
    guard !words.isEmpty else { return nil }
    expression = words.joined(separator: " ") + "*"
  }

  func titlesThatBegin(in database: Database, limit: Int) throws -> [Book] {
    let sql = "SELECT * FROM book WHERE matchKey >= ? AND matchKey < ? ORDER BY matchKey, id LIMIT ?"
    return try Row.fetchAll(
      database.cachedStatement(sql: sql), arguments: [key, key + "\u{10FFFF}", limit]
    ).map(Book.init(row:))
  }

  /// Books that have every word: the index is read from its end, and no further than `limit` books.
  func latest(in database: Database, limit: Int) throws -> [Book] {
    let sql = """
      SELECT * FROM book WHERE id IN
      (SELECT rowid FROM book_text WHERE book_text MATCH ? ORDER BY rowid DESC LIMIT ?) ORDER BY id DESC
      """
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [expression, limit]).map(
      Book.init(row:))
  }
}
