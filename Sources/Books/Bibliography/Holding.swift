/// A book that a list says a library has.
package struct Holding: Sendable, Equatable {
  package var title: String
  /// Empty when the list names none.
  package var author: String
  /// The shelf mark; nil when the list has none.
  package var mark: String?
  /// Thirteen digits each.
  package var isbns: [String]

  package init(title: String, author: String = "", mark: String? = nil, isbns: [String] = []) {
    self.title = title
    self.author = author
    self.mark = mark
    self.isbns = isbns
  }
}
