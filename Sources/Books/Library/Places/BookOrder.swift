import Bibliography
import GRDB

extension Library {
  /// The order of a list of books. A closed enumeration.
  public enum Order: String, Sendable, CaseIterable {
    /// The order on the shelf: photograph after photograph, in each the rows from the top, in each row from the left. Books without a photograph come
    /// last, in the order of their addition.
    case shelf
    /// By the words of the title, ignoring case and accents.
    case title
    /// By the last name of the author, then by title. Books without an author come last.
    case author
    /// By the time of addition, the latest first.
    case added
  }

  /// The books in the given order.
  /// - Parameter limit: the maximum number of books.
  public func books(
    in order: Order, limit: Int, _ selection: Selection = .listed
  ) async throws(DeliveryError) -> [Book] {
    try await store.read("list the books") { database in
      var books: [Book] = []
      for sql in Self.queries(order, selection, in: database) where books.count < limit {
        books += try Row.fetchAll(database, sql: sql, arguments: [limit - books.count]).map(Book.init(row:))
      }
      return books
    }
  }

  /// Calls `take` with every book in turn. Only one book is in memory at a time.
  static func forEachBook(
    in order: Order, _ selection: Selection, _ database: Database, _ take: (Book) throws -> Void
  ) throws {
    for sql in queries(order, selection, in: database) {
      let rows = try Row.fetchCursor(database, sql: sql, arguments: [-1])
      while let row = try rows.next() { try take(Book(row: row)) }
    }
  }

  /// Queries whose results are appended to each other. Each query takes its limit as argument.
  private static func queries(
    _ order: Order, _ selection: Selection, in database: Database
  ) -> [String] {
    func sorted(_ columns: String) -> [String] {
      ["SELECT * FROM book WHERE \(selection.condition) ORDER BY \(columns) LIMIT ?"]
    }
    switch order {
    case .shelf: return ShelfSequence(selection).queries
    case .added: return sorted("id DESC")
    case .title: return sorted("matchKey, id")
    case .author:
      database.add(function: AuthorKey.function)
      return sorted("author = '', author_key(author), matchKey, id")
    }
  }
}

/// The key by which authors are sorted.
enum AuthorKey {
  /// The key of the first of several authors, equal for `Franz Kafka` and `Kafka, Franz`. If there is no comma, the last word is put first, as for
  /// `J. R. R. Tolkien`.
  static func key(_ authors: String) -> String {
    let author = AuthorNames.all(in: authors).first ?? ""
    let words = BookMatch.words(of: author)
    guard let last = words.last, !author.contains(",") else { return words.joined(separator: " ") }
    return ([last] + words.dropLast()).joined(separator: " ")
  }

  static let function = DatabaseFunction("author_key", argumentCount: 1, pure: true) { values in
    values.first.flatMap { String.fromDatabaseValue($0) }.map(key)
  }
}

/// Queries for books in the order of the shelf.
struct ShelfSequence {
  private let condition: String
  /// Whether an index selects the books. If so, they are few.
  private let areFew: Bool

  init(_ selection: Library.Selection) {
    condition = selection.condition
    areFew =
      switch selection {
      case .doubtful, .unlikely: true
      case .listed, .all: false
      }
  }

  var queries: [String] { areFew ? [Self.sorted("book.*", condition)] : [placed, unplaced] }

  /// The books that an index selects, sorted by the places where they were first seen.
  /// - Parameter condition: the selection, as SQL.
  static func ids(_ condition: String, in database: Database) throws -> [Book.ID] {
    try Int64.fetchAll(database, sql: sorted("book.id", condition), arguments: [-1])
  }

  private static func sorted(_ columns: String, _ condition: String) -> String {
    """
    SELECT \(columns) FROM (SELECT id AS key, (
      SELECT min(printf('%012d/%09d/%018.6f', place.photograph, place.row, place.number)) FROM sighting
      JOIN photograph ON photograph.scanKey = sighting.scanKey
      JOIN place ON place.photograph = photograph.number AND place.findingID = sighting.id
      WHERE sighting.bookID = book.id) AS spot FROM book WHERE \(condition))
    JOIN book ON book.id = key ORDER BY spot ISNULL, spot, key LIMIT ?
    """
  }

  /// SQL for the books in the order of their first places. The query reads along the index of places, and stops at the limit.
  private var placed: String {
    """
    SELECT book.* FROM place CROSS JOIN photograph ON photograph.number = place.photograph
    CROSS JOIN sighting ON sighting.scanKey = photograph.scanKey AND sighting.id = place.findingID
    CROSS JOIN book ON book.id = sighting.bookID
    WHERE \(condition) AND NOT EXISTS (
      SELECT 1 FROM sighting AS other JOIN photograph AS photo ON photo.scanKey = other.scanKey
      JOIN place AS before ON before.photograph = photo.number AND before.findingID = other.id
      WHERE other.bookID = book.id AND (before.photograph, before.row, before.number, before.findingID)
      < (place.photograph, place.row, place.number, place.findingID))
    ORDER BY place.photograph, place.row, place.number, place.findingID LIMIT ?
    """
  }

  private var unplaced: String {
    """
    SELECT * FROM book WHERE \(condition) AND NOT EXISTS (
      SELECT 1 FROM sighting JOIN photograph ON photograph.scanKey = sighting.scanKey
      JOIN place ON place.photograph = photograph.number AND place.findingID = sighting.id
      WHERE sighting.bookID = book.id)
    ORDER BY id LIMIT ?
    """
  }
}
