import BookScan
import Catalogue
import Console
import Library
import System
import Uploads

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

extension Catalogue {
  /// Names books as they go into the library. A catalogue that cannot be read names none, which is told once.
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
