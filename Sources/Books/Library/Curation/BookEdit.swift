import Bibliography
public import FoundationEssentials
import GRDB

/// What a person says of a book. What is nil stays as it is.
public struct BookEdit: Sendable, Equatable {
  /// Empty where the title is unknown; the book then needs an ISBN.
  public var title: String?
  /// Empty where it has none.
  public var author: String?
  /// With or without hyphens; empty takes it away.
  public var isbn: String?
  /// Empty takes it away.
  public var format: String?
  /// How many copies there are, 1 to 1,000; 0 leaves it to the spines that were seen.
  public var copies: Int?

  /// Nothing but that the book is right.
  public init(
    title: String? = nil, author: String? = nil, isbn: String? = nil, format: String? = nil,
    copies: Int? = nil
  ) {
    (self.title, self.author, self.isbn) = (title, author, isbn)
    (self.format, self.copies) = (format, copies)
  }
}

extension Library {
  /// Corrects a book, and confirms it: no machine renames it since, it is `sure`, and its picture is removed.
  /// - Returns: the book as it is now.
  /// - Throws: `badInput` when there is no such book, its ISBN does not hold or is another book's, or nothing is left of its name;
  ///   `storage`, `diskFull`.
  @discardableResult
  public func edit(
    _ id: Book.ID, _ edit: BookEdit, at now: Date = Date()
  ) async throws(DeliveryError) -> Book {
    try await store.write("edit book \(id)") {
      try Curation.edit(id, edit, as: .edit, at: now, in: $0).value
    }
  }

  /// Deletes books. What was seen as them is remembered, so that the same spine does not bring them back: the last 100,000 such
  /// findings, for as long as the library is there.
  /// - Returns: the books that were.
  /// - Throws: `badInput` when there is no such book; nothing is deleted then. `storage`, `diskFull`.
  @discardableResult
  public func delete(_ ids: [Book.ID], at now: Date = Date()) async throws(DeliveryError) -> [Book] {
    try await store.write("delete books") {
      try Curation.delete(ids, as: .delete, at: now, in: $0).value
    }
  }

  /// Makes books one: the first, which keeps its name. It learns what it lacks, and everything that was seen of the others is its own. That
  /// its name is right nobody has said: it is confirmed only if it was.
  /// - Returns: the first as it is now.
  /// - Throws: `badInput` when there is no such book, or fewer than two; `storage`, `diskFull`.
  @discardableResult
  public func merge(_ ids: [Book.ID], at now: Date = Date()) async throws(DeliveryError) -> Book {
    try await store.write("merge books") { database in
      let books = try ids.unique.map { try Book.known($0, "merge", in: database) }
      guard let first = books.first, books.count > 1 else {
        throw DeliveryError(
          .badInput, "merge books", reason: "there is only one", remedy: "name two or more by their ids")
      }
      return try ChangeLog.record(
        .merge, at: now, in: database,
        subject: { "\(LibraryChange.naming(Array(books.dropFirst()))) into \(LibraryChange.naming([$0]))" }
      ) { _ in
        var book = try first.absorbing(books.dropFirst(), in: database)
        book.confirmedAt = first.confirmedAt
        if !book.isToBeReviewed {
          try database.execute(sql: "DELETE FROM picture WHERE bookID = ?", arguments: [book.id])
        }
        return try book.save(in: database)
      }.value
    }
  }
}

/// Changes that a person makes, each with its entry in the log.
enum Curation {
  static func edit(
    _ id: Book.ID, _ edit: BookEdit, as kind: LibraryChange.Kind, at now: Date, in database: Database
  ) throws -> (value: Book, change: LibraryChange?) {
    let book = try Book.known(id, "edit", in: database)
    let naming = { (book: Book) in LibraryChange.naming([book]) }
    return try ChangeLog.record(kind, at: now, in: database, subject: naming) { _ in
      try database.execute(sql: "DELETE FROM picture WHERE bookID = ?", arguments: [id])
      return try book.edited(by: edit, at: now, in: database).save(in: database)
    }
  }

  static func delete(
    _ ids: [Book.ID], as kind: LibraryChange.Kind, at now: Date, in database: Database
  ) throws -> (value: [Book], change: LibraryChange?) {
    let books = try ids.unique.map { try Book.known($0, "delete", in: database) }
    return try ChangeLog.record(kind, at: now, in: database, subject: LibraryChange.naming) { _ in
      for book in books {
        try Dismissal.remember(book.id, at: now, in: database)
        try database.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [book.id])
      }
      return books
    }
  }
}

extension Array where Element: Hashable {
  /// Each once, in their order.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension LibraryChange {
  /// Such as `book 12, Dune / Frank Herbert`, or `12 books: 1, 2, 3 …`.
  static func naming(_ books: [Book]) -> String {
    if books.count == 1, let book = books.first { return "book \(book.id), \(book.name)" }
    let ids = books.prefix(12).map { String($0.id) }.joined(separator: ", ")
    return "\(books.count) books: \(ids)\(books.count > 12 ? " …" : "")"
  }
}

extension Book {
  /// `Title / Author`, for a person.
  public var name: String {
    let title = title.isEmpty ? isbn ?? "" : title
    return author.isEmpty ? title : "\(title) / \(author)"
  }

  /// - Parameter action: a verb.
  static func known(_ id: Book.ID, _ action: String, in database: Database) throws -> Book {
    if let book = try with(id: id, in: database) { return book }
    throw DeliveryError(
      .badInput, "\(action) book \(id)", reason: "the library has no book of this id",
      remedy: "list the books to see their ids")
  }

  /// - Parameter action: what is being done; by default the correction of this book.
  func edited(
    by edit: BookEdit, as action: String? = nil, at now: Date, in database: Database
  ) throws -> Book {
    var book = self
    func refusal(_ reason: String, _ remedy: String) -> DeliveryError {
      DeliveryError(.badInput, action ?? "edit book \(id)", reason: reason, remedy: remedy)
    }
    if let title = edit.title { book.title = CleanText.line(title) }
    if let author = edit.author { book.author = CleanText.line(author) }
    if let format = edit.format.map({ CleanText.line($0) }) { book.format = format.isEmpty ? nil : format }
    if let copies = edit.copies {
      guard (0...1000).contains(copies) else {
        throw refusal("\(copies) is no number of copies", "say 1 to 1000, or 0 to count the spines")
      }
      book.statedCopies = copies == 0 ? nil : copies
    }
    if let text = edit.isbn { book.isbn = text.isEmpty ? nil : ISBN.normalize(text) }
    if let text = edit.isbn, !text.isEmpty, book.isbn == nil {
      throw refusal("\(CleanText.line(text, characters: 40)) is not an ISBN", "check its digits")
    }
    if let isbn = book.isbn, let other = try Book.with(isbn: isbn, in: database), other.id != id {
      throw refusal(
        "ISBN \(isbn) is that of book \(other.id), \(other.name)", "merge the two, or check its digits")
    }
    guard !book.title.isEmpty || book.isbn != nil else {
      throw refusal("neither a title nor an ISBN would be left", "give it a title, or delete it")
    }
    (book.confirmedAt, book.certainty) = (Milliseconds.date(Milliseconds.of(now)), .sure)
    return book
  }

  /// The book with what it lacks taken from `others`, which become part of it; not saved yet.
  func absorbing(_ others: some Sequence<Book>, in database: Database) throws -> Book {
    var book = self
    for other in others {
      try Shelving.fold(other.id, into: id, in: database)
      book = book.filled(from: BookFinding(other))
      book.isbn = book.isbn ?? other.isbn
      book.certainty = BookFinding.Certainty.best(book.certainty, other.certainty)
      book.confirmedAt = book.confirmedAt ?? other.confirmedAt
      book.statedCopies = book.statedCopies ?? other.statedCopies
    }
    return book
  }
}
