import GRDB

/// The result of an import, or of a trial import.
public struct ImportOutcome: Sendable, Equatable, Codable {
  /// The number of books in the file.
  public var read = 0
  /// The number of books that were new.
  public var added = 0
  /// The number of known books that were changed.
  public var changed = 0
  /// The number of lines whose id is of another library. These ids were ignored.
  public var idsOfOthers = 0
  /// The names, as in the first line of the table, of the columns that were not read.
  public var passedOver: [String] = []
  /// The changed books before and after the import: at most 1,000, ordered by id. Empty for an import of more than 100,000 books.
  public var edits: [Edit] = []

  /// A book that the import changes.
  public struct Edit: Sendable, Equatable, Codable {
    /// The fields of a book that a list may change.
    public struct Name: Sendable, Equatable, Codable {
      /// The title. Empty if unknown.
      public var title: String
      /// The author. Empty if unknown.
      public var author: String
      /// The ISBN, thirteen digits.
      public var isbn: String?
      /// The kind of edition, such as `hardcover`.
      public var format: String?
    }

    /// The id of the book.
    public var id: Book.ID
    /// The fields before the import.
    public var before: Name
    /// The fields after the import.
    public var after: Name
  }

  /// Creates the outcome of an import that has read nothing yet.
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
