import Bibliography
import FoundationEssentials
import GRDB

/// Imports the records of one list into the library.
struct BookListImport {
  private(set) var outcome = ImportOutcome()
  private let database: Database
  private let now: Date
  private let change: Int64
  private let undoLimit: Int
  private let progress: @Sendable (Int) -> Void
  private var identity = ""
  /// The highest id of the books that existed before the import.
  private var last: Int64 = 0
  private var newest: Int64 = 0
  /// A bit set of the ids that the list has named so far: 64 ids per value.
  private var named: [Int64: UInt64] = [:]
  /// New ISBNs that another book still has. A later line may change that book's ISBN.
  private var waiting: [(book: Book.ID, isbn: String, line: Int)] = []

  init(
    _ database: Database, at now: Date, _ change: Int64, undoLimit: Int,
    _ progress: @escaping @Sendable (Int) -> Void
  ) {
    self.undoLimit = undoLimit
    (self.database, self.now, self.change, self.progress) = (database, now, change, progress)
  }

  mutating func begin() throws {
    last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM book") ?? 0
    newest = last
    identity = try Library.identity(in: database)
  }

  mutating func take(_ records: [(line: Int, record: BookRecord)]) throws {
    for (line, record) in records {
      try Task.checkCancellation()
      guard outcome.read < Library.importCountLimit else {
        throw ListTrouble(line: line, reason: "there are more than \(Library.importCountLimit) books")
      }
      let before = outcome.added + outcome.changed
      if let place = record.place, place.library == identity {
        try replace(place.id, by: record, line)
      } else {
        if record.place != nil { outcome.idsOfOthers += 1 }
        if let trouble = record.trouble { throw ListTrouble(line: line, reason: trouble.reason) }
        try restore(try Self.finding(record, line), record)
      }
      outcome.read += 1
      if before == undoLimit, outcome.added + outcome.changed > before {
        try ChangeLog.giveUp(change, in: database)
      }
      if outcome.read.isMultiple(of: 1000) { progress(outcome.read) }
    }
  }

  /// Gives books the new ISBNs in `waiting`, which must be free by now, and optimises the search index if many books were added.
  mutating func finish() throws {
    for (book, isbn, line) in waiting {
      if let other = try Book.with(isbn: isbn, in: database) {
        throw ListTrouble(line: line, reason: "ISBN \(isbn) is that of book \(other.id), \(other.name)")
      }
      try database.execute(sql: "UPDATE book SET isbn = ? WHERE id = ?", arguments: [isbn, book])
    }
    guard outcome.added > 10_000 else { return }
    try database.execute(sql: "INSERT INTO book_text (book_text) VALUES ('optimize')")
  }

  private static func finding(_ record: BookRecord, _ line: Int) throws(ListTrouble) -> BookFinding {
    do { return try record.finding() } catch { throw ListTrouble(line: line, reason: error.reason) }
  }

  private mutating func restore(_ finding: BookFinding, _ record: BookRecord) throws {
    let addedAt = record.addedAt.map(Milliseconds.date) ?? now
    let restored = try Shelving.restore(
      finding, record, addedAt: addedAt, joining: last, newest: &newest, in: database)
    switch restored {
    case .added: outcome.added += 1
    case .changed: outcome.changed += 1
    case .known: break
    }
  }

  private mutating func replace(_ id: Book.ID, by line: BookRecord, _ number: Int) throws {
    let bit = UInt64(1) << UInt64(id & 63)
    guard named[id >> 6, default: 0] & bit == 0 else {
      throw ListTrouble(line: number, reason: "book \(id) is in the file twice")
    }
    named[id >> 6, default: 0] |= bit
    guard let book = try Book.with(id: id, in: database) else {
      throw ListTrouble(
        line: number,
        reason: "the library has no book \(id) any more; leave the line out, or empty its id to add it again")
    }
    let record = line.restored(from: book)
    var edited = book.replaced(by: try Self.finding(record, number), record, at: now)
    if record.named.contains(.copies) { edited.statedCopies = try copies(record.copies, of: book) }
    guard edited != book else { return }
    outcome.changed += 1
    if let isbn = edited.isbn, isbn != book.isbn, try Book.with(isbn: isbn, in: database) != nil {
      waiting.append((id, isbn, number))
      edited.isbn = nil
    }
    _ = try edited.save(in: database)
    guard !edited.isToBeReviewed else { return }
    try database.execute(sql: "DELETE FROM picture WHERE bookID = ?", arguments: [id])
  }

  /// The number of copies that a person stated. The counted number in a list states nothing.
  private func copies(_ listed: Int?, of book: Book) throws -> Int? {
    guard let listed, book.statedCopies == nil else { return listed }
    return try Copies.count([book], in: database)[book.id] == listed ? nil : listed
  }
}

extension Book {
  /// The book with the values of the list's record. A changed title, author, ISBN or format confirms the book. So does a certainty that the list
  /// changes to `sure`; one that it changes to `doubtful` or `unlikely` unconfirms the book.
  fileprivate func replaced(by finding: BookFinding, _ record: BookRecord, at now: Date) -> Book {
    var book = self
    if record.named.contains(.title) { book.title = finding.title }
    if record.named.contains(.author) { book.author = finding.author }
    if record.named.contains(.isbn) { book.isbn = finding.isbn }
    if record.named.contains(.format) { book.format = finding.format }
    let isRenamed =
      book.title != title || book.author != author || book.isbn != isbn || book.format != format
    let judged = record.certainty.flatMap { $0 == certainty ? nil : $0 }
    if isRenamed || judged == .sure {
      (book.certainty, book.confirmedAt) = (.sure, Milliseconds.date(Milliseconds.of(now)))
    }
    if let judged, judged != .sure { (book.certainty, book.confirmedAt) = (judged, nil) }
    return book
  }
}
