/// The persons in the author of a book.
package enum AuthorNames {
  /// The names in a text, separated by semicolons or, as Calibre and many spines have them, by `&`.
  package static func all(in text: String) -> [String] {
    text.split(separator: ";").flatMap { $0.split(separator: " & ").map(String.init) }
  }
}
