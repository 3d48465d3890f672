import BookScan
import Catalogue
import Console
import Library
import System
import Uploads

/// A catalogue's name of a book that was read, as it is printed.
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

  /// Returns the name of each book of a photo, in order; nil for a book that the catalogue does not have.
  static func all(of spines: [SpineFinding], in catalogue: Catalogue) throws -> [CatalogueName?] {
    try spines.map { spine in
      try catalogue.match(title: spine.title, author: spine.author, isbn: spine.isbn).map(CatalogueName.init)
    }
  }

  var line: String { "\(title)\(author.map { " / \($0)" } ?? "")\(isbn.map { "  ISBN \($0)" } ?? "")" }

  // Missing values are written as null, so that every name has the same keys.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    try container.encode(author, forKey: .author)
    try container.encode(isbn, forKey: .isbn)
    try container.encode(score, forKey: .score)
  }

  private enum Key: CodingKey { case title, author, isbn, score }
}

extension Catalogue {
  /// Returns a function that names books when they are added to the library. If the catalogue cannot be read, the function names
  /// none, and reports that once.
  func naming() -> @Sendable (BookFinding) -> BookFinding? {
    let isTold = Locked(false)
    return { [self] book in
      do {
        let author = book.author.isEmpty ? nil : book.author
        return try match(title: book.title, author: author, isbn: book.isbn).map {
          BookFinding(isbn: $0.isbn, title: $0.title, author: $0.author ?? book.author)
        }
      } catch {
        let isNews = isTold.withLock { isTold in
          defer { isTold = true }
          return !isTold
        }
        if isNews { Terminal.tell("note: \(error) Books keep the names that were read.") }
        return nil
      }
    }
  }
}
