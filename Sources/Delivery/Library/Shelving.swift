import FoundationEssentials
import GRDB

/// Puts findings on the shelf: new books, known books, and partial scans that turn out to be one of them.
enum Shelving {
  /// Adds `finding` to the library or merges it into what is there.
  /// - Parameters:
  ///   - sighting: the scan it was seen in and which of that scan's books it is; the same one is never added twice.
  ///   - last: the id of the last book that may turn out to be the same without the same ISBN.
  /// - Returns: the book as it is now; `nil` when the finding has neither title nor ISBN.
  static func add(
    _ finding: BookFinding, sighting: (scan: String, ordinal: Int)?, at now: Date, joining last: Int64 = .max,
    in database: Database
  ) throws -> Book? {
    guard let finding = finding.normalized() else { return nil }
    let twins = try twins(of: finding, upTo: last, in: database)
    let book: Book
    if let isbn = finding.isbn {
      let known = try Book.with(isbn: isbn, in: database)
      let partials = twins.filter { $0.isbn == nil }
      let target = try known ?? partials.first ?? Book.insert(finding, at: now, in: database)
      for partial in partials where partial.id != target.id {
        try fold(partial.id, into: target.id, in: database)
      }
      book = try partials.reduce(target) { $0.merged(with: BookFinding($1)) }.merged(with: finding).save(
        in: database)
    } else if let twin = twins.first {
      book = try twin.merged(with: finding).save(in: database)
    } else {
      book = try Book.insert(finding, at: now, in: database)
    }
    if let sighting { try note(sighting, of: book, confidence: finding.confidence, in: database) }
    return book
  }

  /// Records that may be the same book, those with an ISBN first, then the oldest.
  private static func twins(of finding: BookFinding, upTo last: Int64 = .max, in database: Database) throws
    -> [Book]
  {
    guard !finding.title.isEmpty, last > 0 else { return [] }
    let sql = "SELECT * FROM book WHERE matchKey = ? AND id <= ? ORDER BY isbn IS NULL, id LIMIT 100"
    return try Row.fetchAll(
      database.cachedStatement(sql: sql), arguments: [BookMatch.key(title: finding.title), last]
    ).map(Book.init(row:)).filter { BookMatch.authorsAgree($0.author, finding.author) }
  }

  /// Saves a book whose name has changed, or makes it part of the one that has that name already.
  static func settle(_ book: Book, in database: Database) throws -> Book {
    let others = try twins(of: BookFinding(book), upTo: .max, in: database).filter { $0.id != book.id }
    guard let twin = others.first else {
      return try book.save(in: database)
    }
    try fold(book.id, into: twin.id, in: database)
    return try twin.merged(with: BookFinding(book)).save(in: database)
  }

  static func fold(_ partial: Book.ID, into book: Book.ID, in database: Database) throws {
    try database.execute(
      sql: "UPDATE sighting SET bookID = ? WHERE bookID = ?", arguments: [book, partial])
    try database.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [partial])
  }

  private static func note(
    _ sighting: (scan: String, ordinal: Int), of book: Book, confidence: Double?, in database: Database
  ) throws {
    try database.cachedStatement(
      sql: "INSERT INTO sighting (scanKey, ordinal, bookID, confidence) VALUES (?, ?, ?, ?)"
    ).execute(arguments: [sighting.scan, sighting.ordinal, book.id, confidence])
  }
}

extension BookFinding {
  init(_ book: Book) {
    self.init(
      isbn: book.isbn, title: book.title, author: book.author, coverURL: book.coverURL, format: book.format,
      confidence: book.spineConfidence)
  }
}

extension Book {
  /// What is missing is filled in; title and author are replaced when the finding is surer or brings the ISBN.
  func merged(with finding: BookFinding) -> Book {
    var book = self
    let isSurer = (finding.confidence ?? 0) > (spineConfidence ?? 0) && (isbn == nil || finding.isbn != nil)
    let wins = isSurer || (isbn == nil && finding.isbn != nil)
    if !finding.title.isEmpty, wins || title.isEmpty { book.title = finding.title }
    if !finding.author.isEmpty, wins || author.isEmpty { book.author = finding.author }
    book.isbn = isbn ?? finding.isbn
    book.coverURL = coverURL ?? finding.coverURL
    book.format = format ?? finding.format
    book.spineConfidence = [spineConfidence, finding.confidence].compactMap(\.self).max()
    return book
  }
}
