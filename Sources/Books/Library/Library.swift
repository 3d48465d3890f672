import Bibliography
public import FoundationEssentials
import GRDB

/// The books of a store: adds, lists, counts and searches them.
///
/// ```swift
/// let library = store.library
/// try await library.add(BookFinding(isbn: "9780441172719", title: "Dune", author: "Frank Herbert"))
/// for book in try await library.search("dun") { print(book.title, book.author) }
/// ```
public struct Library: Sendable {
  let store: Store

  /// Adds a book by hand or from a local recogniser, or merges it into a book that the library already has.
  /// - Returns: the book as it is now. Nil if the finding has neither a title nor a valid ISBN.
  @discardableResult
  public func add(_ finding: BookFinding, at now: Date = Date()) async throws(DeliveryError) -> Book? {
    try await store.write("add a book") { try Shelving.add(finding, at: now, in: $0) }
  }

  /// A selection of books by their certainty. A closed enumeration.
  public enum Selection: Sendable {
    /// All books except the unlikely ones.
    case listed
    /// The doubtful books, marked for review.
    case doubtful
    /// The unlikely books, kept apart for review.
    case unlikely
    /// All books.
    case all

    var condition: String {
      switch self {
      case .listed: "certainty IS NOT 'unlikely'"
      case .doubtful: "certainty = 'doubtful'"
      case .unlikely: "certainty = 'unlikely'"
      case .all: "TRUE"
      }
    }
  }

  /// The number of books, including partial scans.
  /// - Throws: `storage` if the library cannot be read.
  public func count(_ selection: Selection = .listed) async throws(DeliveryError) -> Int {
    try await store.read("count the books") { database in
      func count(_ condition: String) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM book WHERE \(condition)") ?? 0
      }
      // Count the few unlikely ones via their index, and subtract them from all.
      guard case .listed = selection else { return try count(selection.condition) }
      return try count("TRUE") - count(Selection.unlikely.condition)
    }
  }

  /// The books, newest first.
  public func books(
    limit: Int = 100, _ selection: Selection = .listed
  ) async throws(DeliveryError) -> [Book] {
    try await store.read("list the books") { database in
      let sql = "SELECT * FROM book WHERE \(selection.condition) ORDER BY id DESC LIMIT ?"
      return try Row.fetchAll(database, sql: sql, arguments: [limit]).map(Book.init(row:))
    }
  }

  /// The books that have a cover address, oldest first: at most `limit` of those whose id is greater than `id`.
  public func coverAddresses(
    after id: Book.ID = 0, limit: Int = 100
  ) async throws(DeliveryError) -> [(id: Book.ID, address: String)] {
    try await store.read("list the covers") { database in
      let sql = "SELECT id, coverURL FROM book WHERE id > ? AND coverURL NOTNULL ORDER BY id LIMIT ?"
      return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [id, limit]).map {
        let row = StoredRow($0, of: "book")
        return (id: try row.integer("id"), address: try row.text("coverURL"))
      }
    }
  }

  /// The number of sightings of the book.
  public func sightings(of book: Book) async throws(DeliveryError) -> Int {
    try await store.read("count the sightings") { database in
      try Int.fetchOne(database, sql: "SELECT count(*) FROM sighting WHERE bookID = ?", arguments: [book.id])
        ?? 0
    }
  }

  /// Removes a book and its sightings. A later scan that shows the book adds it again.
  /// - Returns: whether there was such a book.
  /// - Throws: `storage`, `diskFull`.
  @discardableResult
  public func remove(_ id: Book.ID) async throws(DeliveryError) -> Bool {
    try await store.write("remove a book") { database in
      try database.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [id])
      return database.changesCount == 1
    }
  }

  /// Finds books whose title or author has every word of `text`, ignoring accents and case. The last word may be the beginning of a word. A text that
  /// is an ISBN finds the book with this ISBN.
  /// - Parameter selection: the books to search. An ISBN finds its book in any selection.
  /// - Returns: at most `limit` books: first the books whose title begins with the text, in alphabetical order, then the others, latest first.
  public func search(
    _ text: String, limit: Int = 50, _ selection: Selection = .listed
  ) async throws(DeliveryError) -> [Book] {
    guard let query = SearchQuery(text, selection) else { return [] }
    return try await store.read("search the library") { database in
      if let isbn = ISBN.normalize(text), let book = try Book.with(isbn: isbn, in: database) { return [book] }
      let beginning = try query.titlesThatBegin(in: database, limit: limit)
      guard beginning.count < limit else { return beginning }
      let known = Set(beginning.map(\.id))
      let others = try query.latest(in: database, limit: limit + known.count).filter {
        !known.contains($0.id)
      }
      return Array((beginning + others).prefix(limit))
    }
  }
}
