import FoundationEssentials
import GRDB

/// What an import did, or would do.
public struct ImportOutcome: Sendable, Equatable, Codable {
  /// Books in the file.
  public var read = 0
  /// Books that were not there before.
  public var added = 0
  /// Books that were there and are otherwise now.
  public var changed = 0
  /// Lines with the id of another library, which was passed over.
  public var idsOfOthers = 0
  /// Columns of a table that were not read, as its first line names them.
  public var passedOver: [String] = []
  /// The books that were there, as they were and as they are: at most 1,000, by their ids. Empty for an import of more than 100,000 books.
  public var edits: [Edit] = []

  /// A book that the import changes.
  public struct Edit: Sendable, Equatable, Codable {
    /// What a list may change of a book.
    public struct Name: Sendable, Equatable, Codable {
      /// Empty when unknown.
      public var title: String
      /// Empty when unknown.
      public var author: String
      /// Thirteen digits.
      public var isbn: String?
      /// Such as `hardcover`.
      public var format: String?
    }

    /// The book's.
    public var id: Book.ID
    /// Before the import.
    public var before: Name
    /// After it.
    public var after: Name
  }

  /// Nothing read yet.
  public init() {}
}

extension ImportOutcome.Edit {
  static func all(of change: Int64, in database: Database) throws -> [Self] {
    let edited = "before NOTNULL AND after NOTNULL ORDER BY CAST(key AS INTEGER) LIMIT 1000"
    let rows = try LoggedRow.all(of: change, .book, where: edited, in: database)
    return rows.compactMap { row in
      guard let id = Int64(row.key), let before = row.before, let after = row.after else { return nil }
      return Self(id: id, before: Name(before), after: Name(after))
    }
  }
}

extension ImportOutcome.Edit.Name {
  fileprivate init(_ image: [String: LoggedValue]) {
    self.init(
      title: image["title"]?.text ?? "", author: image["author"]?.text ?? "", isbn: image["isbn"]?.text,
      format: image["format"]?.text)
  }
}
