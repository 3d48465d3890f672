public import FoundationEssentials
import GRDB

/// One change that a person made to the library, logged so that it can be undone.
public struct LibraryChange: Sendable, Equatable, Identifiable, Codable {
  /// The operation that made a change. A closed enumeration.
  public enum Kind: String, Sendable, Codable {
    /// A book was corrected or confirmed.
    case edit
    /// Books were deleted.
    case delete
    /// A book was added by hand.
    case add
    /// A record was split into several books.
    case split
    /// Books were merged by a person.
    case merge
    /// Books were merged because they looked the same.
    case duplicates
    /// A book was confirmed, corrected or deleted in a review.
    case review
    /// A list of books was imported.
    case `import`
  }

  /// The id, larger than that of every earlier change.
  public var id: Int64
  /// The time at which the change was made, to the millisecond.
  public var madeAt: Date
  /// The operation that made the change.
  public var kind: Kind
  /// A description, for a person, of what was done to which book.
  public var subject: String
  /// The number of books that the change touched.
  public var books: Int
  /// Whether the change can be undone. False for an import of more books than are logged one by one.
  public var canBeUndone: Bool
}

extension LibraryChange {
  /// - Throws: `damaged`.
  init(row: Row) throws {
    let row = StoredRow(row, of: "change")
    self.init(
      id: try row.integer("id"), madeAt: try row.time("madeAt"), kind: try row.name("kind", Kind.self),
      subject: try row.text("subject"), books: try row.count("books"), canBeUndone: try row.flag("isWhole"))
  }
}

extension Library {
  /// The logged changes, the latest first. The library remembers the last 1,000.
  /// - Throws: `storage`.
  public func changes(limit: Int = 1000) async throws(DeliveryError) -> [LibraryChange] {
    try await store.read("list the changes") { database in
      try Row.fetchAll(database, sql: "SELECT * FROM change ORDER BY id DESC LIMIT ?", arguments: [limit])
        .map(LibraryChange.init(row:))
    }
  }
}
