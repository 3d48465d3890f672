/// A book in the list of a library's holdings.
package struct Holding: Sendable, Equatable {
  package var title: String
  /// The author. Empty if the list names none.
  package var author: String
  /// The shelf mark. Nil if the list has none.
  package var mark: String?
  /// The ISBNs, thirteen digits each.
  package var isbns: [String]

  package init(title: String, author: String = "", mark: String? = nil, isbns: [String] = []) {
    self.title = title
    self.author = author
    self.mark = mark
    self.isbns = isbns
  }
}
