import BookScan
import Catalogue

/// The name that a catalogue gives a book that was read, as it is printed.
struct CatalogueName: Encodable {
  let title: String
  let author: String?
  let isbn: String?
  let score: Double

  init(_ match: CatalogueMatch) {
    title = match.title
    author = match.author
    isbn = match.isbn
    score = (match.score * 100).rounded() / 100
  }

  /// The books of a photo in their order, nil where the catalogue knows none.
  static func all(of spines: [SpineFinding], in catalogue: Catalogue) throws -> [CatalogueName?] {
    try spines.map { spine in
      try catalogue.match(title: spine.title, author: spine.author, isbn: spine.isbn).map(CatalogueName.init)
    }
  }

  var line: String { "\(title)\(author.map { " / \($0)" } ?? "")\(isbn.map { "  ISBN \($0)" } ?? "")" }

  // Absent things are written as null, so that every name has the same keys.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    try container.encode(author, forKey: .author)
    try container.encode(isbn, forKey: .isbn)
    try container.encode(score, forKey: .score)
  }

  private enum Key: CodingKey { case title, author, isbn, score }
}
