import Delivery

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

  /// Those whose check digit holds, each once. What stands after the number, such as "(pbk.)", is passed over.
  static func isbns(_ texts: [String]) -> [ISBNNumber] {
    var found: [ISBNNumber] = []
    for text in texts.prefix(listLimit) {
      let bare = String(text.prefix(40).drop { $0 == " " }.prefix { $0.isNumber || "-xX".contains($0) })
      guard let isbn = ISBNNumber(text) ?? ISBNNumber(bare), !found.contains(isbn) else { continue }
      found.append(isbn)
    }
    return found
  }
}
