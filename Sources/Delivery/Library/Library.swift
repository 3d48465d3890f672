public import FoundationEssentials
import GRDB

/// The books, and how to find them.
public struct Library: Sendable {
  let store: Store

  /// Adds a book by hand or from a local recogniser, merging it into what is there.
  /// - Returns: the book as it is now; `nil` when the finding has neither a title nor an ISBN that holds.
  @discardableResult
  public func add(_ finding: BookFinding, at now: Date = Date()) async throws(DeliveryError) -> Book? {
    try await store.write("add a book") { try Shelving.add(finding, sighting: nil, at: now, in: $0) }
  }

  public func count() async throws(DeliveryError) -> Int {
    try await store.read("count the books") { try Int.fetchOne($0, sql: "SELECT count(*) FROM book") ?? 0 }
  }

  /// Newest first.
  public func books(limit: Int = 100) async throws(DeliveryError) -> [Book] {
    try await store.read("list the books") { database in
      try Row.fetchAll(database, sql: "SELECT * FROM book ORDER BY id DESC LIMIT ?", arguments: [limit])
        .map(Book.init(row:))
    }
  }

  /// How often the book has been seen.
  public func sightings(of book: Book) async throws(DeliveryError) -> Int {
    try await store.read("count the sightings") { database in
      try Int.fetchOne(database, sql: "SELECT count(*) FROM sighting WHERE bookID = ?", arguments: [book.id])
        ?? 0
    }
  }

  @discardableResult
  public func remove(_ id: Book.ID) async throws(DeliveryError) -> Bool {
    try await store.write("remove a book") { database in
      try database.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [id])
      return database.changesCount == 1
    }
  }

  /// Books that have every word of `text` in title or author, accents and case aside; the last word may be the beginning
  /// of one. An ISBN finds its book. At most 500 books are looked at, so that a word every book has is quick too.
  /// - Returns: at most `limit`; titles that begin with the text first, then the latest added.
  public func search(_ text: String, limit: Int = 50) async throws(DeliveryError) -> [Book] {
    guard let query = SearchQuery(text) else { return [] }
    return try await store.read("search the library") { database in
      if let isbn = ISBN.normalize(text), let book = try Book.with(isbn: isbn, in: database) { return [book] }
      let sql = """
        SELECT book.* FROM book WHERE id IN
        (SELECT rowid FROM book_text WHERE book_text MATCH ? ORDER BY rowid DESC LIMIT 500)
        """
      let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [query.expression])
      return Array(query.ranked(rows.map(Book.init(row:))).prefix(limit))
    }
  }
}

/// A search as a person types it.
struct SearchQuery {
  /// For FTS5: every word quoted, so that nothing in it is an operator.
  let expression: String
  private let key: String

  /// `nil` when there is no word in `text`. At most eight words of at most 64 characters count.
  init?(_ text: String) {
    key = BookMatch.key(title: String(text.prefix(512)))
    let words = key.split { !$0.isLetter && !$0.isNumber }.prefix(8).map { "\"\($0.prefix(64))\"" }
    guard !words.isEmpty else { return nil }
    expression = words.joined(separator: " ") + "*"
  }

  func ranked(_ books: [Book]) -> [Book] {
    let scored = books.map { book in (book, BookMatch.key(title: book.title).hasPrefix(key) ? 0 : 1) }
    return scored.sorted { ($0.1, $1.0.id) < ($1.1, $0.0.id) }.map(\.0)
  }
}
