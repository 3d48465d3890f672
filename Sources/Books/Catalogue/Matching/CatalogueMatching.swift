import Bibliography
import GRDB

extension Catalogue {
  /// Finds the book that a reading belongs to. Up to a third of the letters of a word in title or author may be misread, and spaces may be missing.
  /// Title and author may be in one text in any order, with the publisher's name between them.
  ///
  /// A book is returned only if it fits well, and clearly better than any other. A title of one word needs its author. A number in the reading must
  /// be that of the volume or the edition. If two books fit equally well, neither is returned.
  /// - Parameters:
  ///   - title: the title as read; may also contain the author.
  ///   - author: the author as read, if any.
  ///   - isbn: the ISBN of a barcode. It decides the match, unless the reading has a clearly different title.
  /// - Returns: nil if no book fits, or more than one.
  /// - Throws: `badInput` if the catalogue is damaged, `storage` if it cannot be read.
  public func match(
    title: String, author: String? = nil, isbn: String? = nil
  ) throws(CatalogueError) -> CatalogueMatch? {
    let reading = Reading(title: title, author: author)
    return try read("look into the catalogue") { database in
      if let isbn = isbn.flatMap(ISBNNumber.init), let match = try Self.match(isbn, reading, in: database) {
        return match
      }
      guard !reading.title.words.isEmpty else { return nil }
      let books = try Candidates(database).ids(for: reading).compactMap {
        try StoredBook.fetch(id: $0, in: database)
      }
      let chosen = Decision.choose(books.map { Agreement($0, with: reading) }, for: reading)
      return chosen.first.map { CatalogueMatch($0.book, score: $0.score, isbns: Self.isbns(chosen, reading)) }
    }
  }

  /// The book with an ISBN. If a title was read, half of its letters must agree; otherwise the barcode belongs to another book.
  private static func match(
    _ isbn: ISBNNumber, _ reading: Reading, in database: Database
  ) throws -> CatalogueMatch? {
    let book = try StoredBook.fetch(isbn: isbn, in: database).first { book in
      reading.title.letterCount < 6 || Agreement(book, with: reading).titleShare >= 0.5
        || Agreement(book, with: reading).explained >= 0.5
    }
    return book.map { CatalogueMatch($0, score: 1, isbns: [isbn]) }
  }

  /// The ISBNs of all editions that the reading may belong to. Empty if the reading names an edition, and one of the books does not.
  private static func isbns(_ chosen: [Agreement], _ reading: Reading) -> Set<ISBNNumber> {
    guard reading.numbers.editions.isEmpty || chosen.allSatisfy({ !$0.numbers.editions.isEmpty }) else {
      return []
    }
    return Set(chosen.flatMap(\.book.isbns))
  }
}

extension CatalogueMatch {
  fileprivate init(_ book: StoredBook, score: Double, isbns: Set<ISBNNumber>) {
    self.init(
      title: book.name, author: book.author.isEmpty ? nil : book.author,
      isbn: isbns.count == 1 ? isbns.first?.text : nil, score: score)
  }
}
