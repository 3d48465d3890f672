import FoundationEssentials
import GRDB

/// Adds findings to the library: as new books, to known books, or to partial scans that the findings complete.
///
/// A book that a person has confirmed only gets missing fields. It is never renamed, nor merged into another book.
enum Shelving {
  /// Adds a finding of a scan to the library, and saves its sighting and spine.
  /// - Returns: the book as it is now. Nil if the finding has neither title nor ISBN, or if a person said that it is not a book.
  static func shelve(
    _ finding: Finding, of scan: String, at now: Date, in database: Database
  ) throws -> Book? {
    if try Dismissal.holds(finding, of: scan, in: database) {
      try finding.spine?.save(as: nil, in: database)
      return nil
    }
    let link =
      finding.followsSpine ? try finding.spine.flatMap { try Spine.book(of: $0.id, in: database) } : nil
    guard let book = try add(finding.book, at: now, knownAs: link, in: database) else { return nil }
    if let spine = finding.spine {
      try spine.save(as: book.id, in: database)
      for part in finding.parts where part != spine.id {
        try Spine.absorb(part, into: spine.id, of: book.id, in: database)
      }
    }
    try Sighting(finding, of: scan, as: book.id).insert(in: database)
    try finding.place?.save(finding.id.fileName, of: scan, in: database)
    if book.isToBeReviewed {
      try finding.savePicture(of: book.id, in: database)
    } else {
      try database.cachedStatement(sql: "DELETE FROM picture WHERE bookID = ?").execute(arguments: [book.id])
    }
    return book
  }

  /// Adds `finding` to the library, or merges it into a book that the library has.
  /// - Parameters:
  ///   - last: the highest id of the books with which the finding may be merged without an equal ISBN.
  ///   - link: the book that the finding is known to be, whatever its title. A different ISBN overrides the link, unless a person has confirmed the
  ///     book.
  /// - Returns: the book as it is now. Nil if the finding has neither title nor ISBN.
  static func add(
    _ finding: BookFinding, at now: Date, joining last: Int64 = .max, knownAs link: Book? = nil,
    in database: Database
  ) throws -> Book? {
    guard let finding = finding.normalized() else { return nil }
    if let link, link.confirmedAt != nil { return try complete(link, by: finding, in: database) }
    if let link, finding.isbn == nil || finding.isbn == link.isbn {
      return try rename(link, by: finding, in: database)
    }
    let twins = try twins(of: finding, upTo: last, in: database)
    guard let isbn = finding.isbn else {
      guard let twin = twins.first else { return try Book.insert(finding, at: now, in: database) }
      return try twin.merged(with: finding).save(in: database)
    }
    let known = try Book.with(isbn: isbn, in: database)
    var partials = twins.filter { $0.isbn == nil }
    if let link, link.isbn == nil, !partials.contains(where: { $0.id == link.id }) { partials.append(link) }
    let confirmed = known == nil ? partials.first { $0.confirmedAt != nil } : nil
    let target = try known ?? confirmed ?? partials.first ?? Book.insert(finding, at: now, in: database)
    let parts = partials.filter { $0.id != target.id && $0.confirmedAt == nil }
    for part in parts { try fold(part.id, into: target.id, in: database) }
    return try parts.reduce(target) { $0.merged(with: BookFinding($1)) }.merged(with: finding).save(
      in: database)
  }

  /// Fills in missing fields of a confirmed book, but not an ISBN that another book has.
  private static func complete(_ book: Book, by finding: BookFinding, in database: Database) throws -> Book {
    var finding = finding
    if let isbn = finding.isbn, try Book.with(isbn: isbn, in: database) != nil { finding.isbn = nil }
    let merged = book.merged(with: finding)
    return merged == book ? book : try merged.save(in: database)
  }

  /// Renames the book if the reading is surer. A book with an ISBN keeps its name.
  private static func rename(_ book: Book, by finding: BookFinding, in database: Database) throws -> Book {
    let merged = book.merged(with: finding)
    guard merged != book else { return book }
    guard merged.title != book.title || merged.author != book.author, merged.isbn == nil else {
      return try merged.save(in: database)
    }
    return try settle(merged, in: database)
  }

  /// The books that may be the same as `finding`. Books with an ISBN come first, then the oldest.
  private static func twins(of finding: BookFinding, upTo last: Int64 = .max, in database: Database) throws
    -> [Book]
  {
    guard !finding.title.isEmpty, last > 0 else { return [] }
    let sql = "SELECT * FROM book WHERE matchKey = ? AND id <= ? ORDER BY isbn IS NULL, id LIMIT 100"
    return try Row.fetchAll(
      database.cachedStatement(sql: sql), arguments: [BookMatch.key(title: finding.title), last]
    ).map(Book.init(row:)).filter {
      BookMatch.titlesAgree($0.title, finding.title) && BookMatch.authorsAgree($0.author, finding.author)
    }
  }

  /// Saves a renamed book, or merges it into the book that already has that name.
  static func settle(_ book: Book, in database: Database) throws -> Book {
    let others = try twins(of: BookFinding(book), upTo: .max, in: database).filter { $0.id != book.id }
    guard let twin = others.first else {
      return try book.save(in: database)
    }
    try fold(book.id, into: twin.id, in: database)
    return try twin.merged(with: BookFinding(book)).save(in: database)
  }

  /// Folds `partial` into `book`: moves the sightings and spines of `partial` to `book`, and deletes `partial`.
  static func fold(_ partial: Book.ID, into book: Book.ID, in database: Database) throws {
    try database.execute(
      sql: "UPDATE sighting SET bookID = ? WHERE bookID = ?", arguments: [book, partial])
    try database.execute(sql: "UPDATE spine SET bookID = ? WHERE bookID = ?", arguments: [book, partial])
    try database.execute(
      sql: """
        INSERT INTO picture (bookID, jpeg) SELECT :book, jpeg FROM picture WHERE bookID = :partial
        AND NOT EXISTS (SELECT 1 FROM picture WHERE bookID = :book)
        AND EXISTS (SELECT 1 FROM book WHERE id = :book AND certainty IN ('doubtful', 'unlikely'))
        """, arguments: ["book": book, "partial": partial])
    try database.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [partial])
  }
}

extension BookFinding {
  init(_ book: Book) {
    self.init(
      isbn: book.isbn, title: book.title, author: book.author, coverURL: book.coverURL, format: book.format,
      confidence: book.spineConfidence, certainty: book.certainty)
  }
}

extension Book {
  /// Whether a person should review the book.
  var isToBeReviewed: Bool { confirmedAt == nil && (certainty == .doubtful || certainty == .unlikely) }

  /// The book with missing fields filled in. If the finding is surer or brings the ISBN, it also replaces title and author, unless a person has
  /// confirmed the book. A reading that has lost a part of a word never replaces the complete reading, whatever its confidence.
  func merged(with finding: BookFinding) -> Book {
    var book = self
    let (name, other) = ("\(title) \(author)", "\(finding.title) \(finding.author)")
    let isSurer = (finding.confidence ?? 0) > (spineConfidence ?? 0) || CutReading.isCut(name, of: other)
    let brings = isbn == nil && finding.isbn != nil
    let wins =
      ((isSurer && (isbn == nil || finding.isbn != nil)) || brings) && !CutReading.isCut(other, of: name)
    if !finding.title.isEmpty, title.isEmpty || (wins && confirmedAt == nil) { book.title = finding.title }
    if !finding.author.isEmpty, confirmedAt == nil, wins || author.isEmpty { book.author = finding.author }
    book.isbn = isbn ?? finding.isbn
    book.coverURL = coverURL ?? finding.coverURL
    book.format = format ?? finding.format
    book.spineConfidence = [spineConfidence, finding.confidence].compactMap(\.self).max()
    if confirmedAt == nil { book.certainty = BookFinding.Certainty.best(certainty, finding.certainty) }
    return book
  }
}

extension BookFinding.Certainty {
  /// The higher of the two certainties. Nil means that nothing was judged, and counts as sure.
  static func best(_ one: Self?, _ other: Self?) -> Self? {
    let order = Self.allCases
    guard let one, let other else { return one == .sure || other == .sure ? .sure : nil }
    return order.first { $0 == one || $0 == other }
  }
}
