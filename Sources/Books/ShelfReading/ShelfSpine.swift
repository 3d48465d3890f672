/// A spine on the shelf. Spines are given in the order of the shelf.
package struct ShelfSpine: Sendable, Equatable {
  /// The quality of a reading. A closed enumeration.
  package enum Legibility: Sendable, Equatable {
    /// The reading is reliable.
    case read
    /// The reading may be wrong, and the spine may be of another book.
    case doubtful
    /// There is a spine, or space for one, but nothing was read.
    case unread
  }

  package var title: String
  package var author: String
  /// Other text on the spine: shelf mark, publisher, series.
  package var rest: String
  package var isbn: String?
  package var legibility: Legibility
  /// The number of the row. Rows of different photographs have different numbers. Consecutive spines with an equal number stand side by side.
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
