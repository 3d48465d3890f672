import Bibliography

/// One book of a list, made clean and bounded.
struct CatalogueRecord: Equatable {
  /// Most bytes of a field.
  static let fieldLimit = 1000
  /// Most ISBNs and authors of a book.
  static let listLimit = 20

  var title = ""
  var subtitle = ""
  /// Several are joined by semicolons.
  var author = ""
  var volume = ""
  var edition = ""
  var publisher = ""
  var isbns: [ISBNNumber] = []
  /// Shelf marks, one for each copy of which the list has one. A catalogue does not keep them.
  var marks: [String] = []
  /// Of Open Library: whose names stand elsewhere.
  var authorKeys: [Int64] = []
  var work: Int64?

  static func clean(_ text: String) -> String {
    CleanText.line(text, characters: fieldLimit, bytes: fieldLimit)
  }

  /// Several authors as one text.
  static func joined(_ names: [String]) -> String {
    clean(names.prefix(listLimit).map(clean).filter { !$0.isEmpty }.joined(separator: "; "))
  }

  /// Those whose check digit holds, each once. What stands around a number, such as "(pbk.)", is passed over.
  static func isbns(_ texts: [String]) -> [ISBNNumber] {
    var found: [ISBNNumber] = []
    for isbn in texts.prefix(listLimit).flatMap({ ISBN.read($0).isbns }).compactMap(ISBNNumber.init)
    where !found.contains(isbn) {
      found.append(isbn)
    }
    return Array(found.prefix(listLimit))
  }
}
