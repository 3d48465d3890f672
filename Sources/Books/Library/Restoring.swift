import FoundationEssentials
import GRDB

extension Shelving {
  /// The outcome of restoring a book.
  enum Restored { case added, changed, known }

  /// Adds a book of a list. If the library has a book with the same ISBN, or, without an ISBN, with the same title and author, that book only gets
  /// missing fields. Without an equal ISBN, the library must have had its book before the import, since the books of one list are different books.
  /// - Parameters:
  ///   - last: the highest id of the books that existed before the import.
  ///   - newest: the highest id of all books; updated by this call.
  static func restore(
    _ finding: BookFinding, _ record: BookRecord, addedAt: Date, joining last: Int64, newest: inout Int64,
    in database: Database
  ) throws -> Restored {
    if let known = try same(finding, upTo: last, in: database) {
      let taught = known.filled(from: finding)
      guard taught != known else { return .known }
      _ = try taught.save(in: database)
      return .changed
    }
    let book = try add(finding, at: addedAt, joining: last, in: database)
    guard let book, book.id > newest else { return .changed }
    newest = book.id
    // A new book counts as one copy by itself.
    let copies = record.copies.flatMap { $0 > 1 ? $0 : nil }
    if record.confirmedAt != nil || copies != nil {
      var book = book
      (book.confirmedAt, book.statedCopies) = (record.confirmedAt.map(Milliseconds.date), copies)
      _ = try book.save(in: database)
    }
    return .added
  }

  /// Finds a book by title and author. The plus sign keeps SQLite from searching all books without an ISBN instead.
  static let sameBook =
    "SELECT * FROM book WHERE matchKey = ? AND +isbn IS NULL AND title = ? AND author = ? AND id <= ?"

  /// The book with this title and author, ignoring case and accents, whose ISBN does not differ. Nil if there is none.
  static func sameBook(_ book: Book, in database: Database) throws -> Book? {
    guard !book.title.isEmpty else { return nil }
    let sql = "SELECT * FROM book WHERE matchKey = ? ORDER BY id LIMIT 100"
    return try Row.fetchAll(
      database.cachedStatement(sql: sql), arguments: [BookMatch.key(title: book.title)]
    ).map(Book.init(row:)).first { other in
      BookMatch.titlesAgree(other.title, book.title)
        && BookMatch.words(of: other.author) == BookMatch.words(of: book.author)
        && (book.isbn == nil || other.isbn == nil || book.isbn == other.isbn)
    }
  }

  private static func same(
    _ finding: BookFinding, upTo last: Int64, in database: Database
  ) throws -> Book? {
    if let isbn = finding.isbn { return try Book.with(isbn: isbn, in: database) }
    return try Row.fetchOne(
      database.cachedStatement(sql: sameBook),
      arguments: [BookMatch.key(title: finding.title), finding.title, finding.author, last]
    ).map(Book.init(row:))
  }
}

extension Book {
  /// The book with its missing fields taken from `finding`, and with the higher of the two confidences.
  func filled(from finding: BookFinding) -> Book {
    var book = self
    if book.title.isEmpty { book.title = finding.title }
    if book.author.isEmpty { book.author = finding.author }
    book.coverURL = coverURL ?? finding.coverURL
    book.format = format ?? finding.format
    book.spineConfidence = better(finding.confidence)
    return book
  }

  /// The higher of the two confidences. If both are equal when rounded to two digits, as in a table, the book keeps its own.
  private func better(_ listed: Double?) -> Double? {
    guard let spineConfidence, let listed else { return spineConfidence ?? listed }
    let isSame = (spineConfidence * 100).rounded() == (listed * 100).rounded()
    return isSame ? spineConfidence : max(spineConfidence, listed)
  }
}
