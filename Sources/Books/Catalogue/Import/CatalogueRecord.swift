import Bibliography

/// A book of a list, with clean texts of bounded length.
struct CatalogueRecord: Equatable {
  /// The maximum number of bytes in a field.
  static let fieldLimit = 1000
  /// The maximum number of ISBNs and of authors of a book.
  static let listLimit = 20

  var title = ""
  var subtitle = ""
  /// The authors, joined by semicolons.
  var author = ""
  var volume = ""
  var edition = ""
  var publisher = ""
  var isbns: [ISBNNumber] = []
  /// The shelf marks, one for each copy that has a mark. A catalogue does not store them.
  var marks: [String] = []
  /// Open Library's keys of the authors, whose names are in other records.
  var authorKeys: [Int64] = []
  var work: Int64?

  static func clean(_ text: String) -> String {
    CleanText.line(text, characters: fieldLimit, bytes: fieldLimit)
  }

  /// Joins several authors to one text.
  static func joined(_ names: [String]) -> String {
    clean(names.prefix(listLimit).map(clean).filter { !$0.isEmpty }.joined(separator: "; "))
  }

  /// The ISBNs with a valid check digit, without repetitions. Text around a number, such as "(pbk.)", is ignored.
  static func isbns(_ texts: [String]) -> [ISBNNumber] {
    var found: [ISBNNumber] = []
    for isbn in texts.prefix(listLimit).flatMap({ ISBN.read($0).isbns }).compactMap(ISBNNumber.init)
    where !found.contains(isbn) {
      found.append(isbn)
    }
    return Array(found.prefix(listLimit))
  }
}
