/// A spine as it stands on the shelf, in the order of the shelf.
package struct ShelfSpine: Sendable, Equatable {
  /// How well it was read. A closed enumeration.
  package enum Legibility: Sendable, Equatable {
    /// What was read is taken as it is.
    case read
    /// It may be another book than what was read.
    case doubtful
    /// There is a spine, or room for one, of which nothing was read.
    case unread
  }

  package var title: String
  package var author: String
  /// What else was read on it: shelf mark, publisher, series.
  package var rest: String
  package var isbn: String?
  package var legibility: Legibility
  /// Which row of which photograph. Spines with the same number that follow each other stand side by side.
  package var row: Int

  package init(
    title: String = "", author: String = "", rest: String = "", isbn: String? = nil,
    legibility: Legibility = .read, row: Int = 0
  ) {
    self.title = title
    self.author = author
    self.rest = rest
    self.isbn = isbn
    self.legibility = legibility
    self.row = row
  }
}
