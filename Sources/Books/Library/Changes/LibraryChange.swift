public import FoundationEssentials
import GRDB

/// One change that a person made to the library, which can be taken back.
public struct LibraryChange: Sendable, Equatable, Identifiable, Codable {
  /// What made it. A closed enumeration.
  public enum Kind: String, Sendable, Codable {
    /// A book was corrected or confirmed.
    case edit
    /// Books were deleted.
    case delete
    /// A book was added by hand.
    case add
    /// A record was made several books.
    case split
    /// Books were made one, because a person said so.
    case merge
    /// Books were made one, because they looked the same.
    case duplicates
    /// A book was confirmed, corrected or deleted as it was reviewed.
    case review
    /// A list of books was imported.
    case `import`
  }

  /// Larger than that of every earlier change.
  public var id: Int64
  /// To the millisecond.
  public var madeAt: Date
  /// What made it.
  public var kind: Kind
  /// What was done to which book, for a person.
  public var subject: String
  /// How many books it touched.
  public var books: Int
  /// False for an import of so many books that they are not written down one by one.
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
  /// The changes that can be taken back, the latest first; the library remembers the last 1,000.
  /// - Throws: `storage`.
  public func changes(limit: Int = 1000) async throws(DeliveryError) -> [LibraryChange] {
    try await store.read("list the changes") { database in
      try Row.fetchAll(database, sql: "SELECT * FROM change ORDER BY id DESC LIMIT ?", arguments: [limit])
        .map(LibraryChange.init(row:))
    }
  }
}
