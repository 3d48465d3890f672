import GRDB

extension Library {
  /// In which order books are listed. A closed enumeration.
  public enum Order: String, Sendable, CaseIterable {
    /// As they stand: photograph after photograph, each row from the top and from the left; then those that no photograph shows, as they came.
    case shelf
    /// By the words of the title, case and accents aside.
    case title
    /// By the last name of the author, then by title; those without an author last.
    case author
    /// The latest first.
    case added
  }

  /// The books in an order.
  /// - Parameter limit: most of them.
  public func books(
    in order: Order, limit: Int, _ selection: Selection = .listed
  ) async throws(DeliveryError) -> [Book] {
    if order == .added { return try await books(limit: limit, selection) }
    return try await store.read("list the books") { database in
      switch order {
      case .shelf: return try ShelfSequence(selection).books(limit, in: database)
      case .added, .title: return try Self.sorted("matchKey, id", selection, limit, in: database)
      case .author:
        database.add(function: AuthorKey.function)
        return try Self.sorted(
          "author = '', author_key(author), matchKey, id", selection, limit, in: database)
      }
    }
  }

  private static func sorted(
    _ columns: String, _ selection: Selection, _ limit: Int, in database: Database
  ) throws -> [Book] {
    let sql = "SELECT * FROM book WHERE \(selection.condition) ORDER BY \(columns) LIMIT ?"
    return try Row.fetchAll(database, sql: sql, arguments: [limit]).map(Book.init(row:))
  }
}

/// What an author is sorted by.
enum AuthorKey {
  /// `Franz Kafka` and `Kafka, Franz` are the same; of `J. R. R. Tolkien` the last name counts first.
  static func key(_ author: String) -> String {
    let words = BookMatch.words(of: author)
    guard let last = words.last, !author.contains(",") else { return words.joined(separator: " ") }
    return ([last] + words.dropLast()).joined(separator: " ")
  }

  static let function = DatabaseFunction("author_key", argumentCount: 1, pure: true) { values in
    values.first.flatMap { String.fromDatabaseValue($0) }.map(key)
  }
}

/// Books as they stand on the shelf.
struct ShelfSequence {
  private let condition: String
  /// Whether an index of the books leads to them: they are few.
  private let areFew: Bool

  init(_ selection: Library.Selection) {
    condition = selection.condition
    areFew =
      switch selection {
      case .doubtful, .unlikely: true
      case .listed, .all: false
      }
  }

  func books(_ limit: Int, in database: Database) throws -> [Book] {
    func fetch(_ sql: String, _ limit: Int) throws -> [Book] {
      try Row.fetchAll(database, sql: sql, arguments: [limit]).map(Book.init(row:))
    }
    if areFew { return try fetch(Self.sorted("book.*", condition), limit) }
    let first = try fetch(placed, limit)
    return first.count < limit ? try first + fetch(unplaced, limit - first.count) : first
  }

  /// Books that an index leads to, sorted by where they were seen first.
  /// - Parameter condition: which, as SQL.
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

  /// Each where it was seen first; read along the index of places, and no further than the limit.
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
