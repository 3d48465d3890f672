import Bibliography
import GRDB

extension Catalogue {
  /// Which book a reading is of. Title and author may be misread by a third of the letters of a word, have lost their spaces, or stand in one text in any order,
  /// with the publisher's name between them.
  ///
  /// A book is told only when it fits well and clearly better than any other: a title of one word needs its author, a number that
  /// was read must be the volume's or the edition's, and of two books that fit alike neither is told.
  /// - Parameters:
  ///   - title: as it was read; may hold the author too.
  ///   - author: as it was read, if it was.
  ///   - isbn: of a barcode. It decides, unless a title was read that is another one.
  /// - Returns: nil when no book fits, or more than one.
  /// - Throws: `badInput` when the catalogue is damaged, `storage` when it cannot be read.
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

  /// The book with an ISBN. A title that was read must have a half of its letters, or the barcode is another book's.
  private static func match(
    _ isbn: ISBNNumber, _ reading: Reading, in database: Database
  ) throws -> CatalogueMatch? {
    let book = try StoredBook.fetch(isbn: isbn, in: database).first { book in
      reading.title.letterCount < 6 || Agreement(book, with: reading).titleShare >= 0.5
        || Agreement(book, with: reading).explained >= 0.5
    }
    return book.map { CatalogueMatch($0, score: 1, isbns: [isbn]) }
  }

  /// Those of all editions that it may be. One whose number is not known may be another than the one that was read.
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
