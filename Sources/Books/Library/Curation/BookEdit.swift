import Bibliography
public import FoundationEssentials
import GRDB

/// A person's corrections of a book. A property that is nil leaves the book's value unchanged.
public struct BookEdit: Sendable, Equatable {
  /// The title. Empty if unknown; the book then needs an ISBN.
  public var title: String?
  /// The author. Empty if the book has none.
  public var author: String?
  /// The ISBN, with or without hyphens. An empty text removes the ISBN.
  public var isbn: String?
  /// The kind of edition. An empty text removes it.
  public var format: String?
  /// The number of copies, 1 to 1,000. With 0 the library counts the spines instead.
  public var copies: Int?

  /// Creates an edit. An edit without arguments confirms the book as it is.
  public init(
    title: String? = nil, author: String? = nil, isbn: String? = nil, format: String? = nil,
    copies: Int? = nil
  ) {
    (self.title, self.author, self.isbn) = (title, author, isbn)
    (self.format, self.copies) = (format, copies)
  }
}

extension Library {
  /// Corrects and confirms a book: it becomes `sure`, no machine renames it any more, and its picture is removed.
  /// - Returns: the book as it is now.
  /// - Throws: `badInput` if there is no such book, its ISBN is invalid or belongs to another book, or its name would be empty; `storage`,
  ///   `diskFull`.
  @discardableResult
  public func edit(
    _ id: Book.ID, _ edit: BookEdit, at now: Date = Date()
  ) async throws(DeliveryError) -> Book {
    try await store.write("edit book \(id)") {
      try Curation.edit(id, edit, as: .edit, at: now, in: $0).value
    }
  }

  /// Deletes books. The library remembers the findings of deleted books permanently, at most the last 100,000, so that the same spine does not add
  /// the book again.
  /// - Returns: the deleted books.
  /// - Throws: `badInput` if one of them does not exist; nothing is deleted then. `storage`, `diskFull`.
  @discardableResult
  public func delete(_ ids: [Book.ID], at now: Date = Date()) async throws(DeliveryError) -> [Book] {
    try await store.write("delete books") {
      try Curation.delete(ids, as: .delete, at: now, in: $0).value
    }
  }

  /// Merges books into the first, which keeps its name. The first book takes over all sightings of the others, and their fields if its own are
  /// missing. A merge does not confirm the name: the book is confirmed only if the first one was.
  /// - Returns: the first book as it is now.
  /// - Throws: `badInput` if one of the books does not exist, or if there are fewer than two; `storage`, `diskFull`.
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

/// Changes that a person makes to the library; each is logged.
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
  /// The elements without repetitions, in their order.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension LibraryChange {
  /// Names books for a person, such as `book 12, Dune / Frank Herbert` or `12 books: 1, 2, 3 …`.
  static func naming(_ books: [Book]) -> String {
    if books.count == 1, let book = books.first { return "book \(book.id), \(book.name)" }
    let ids = books.prefix(12).map { String($0.id) }.joined(separator: ", ")
    return "\(books.count) books: \(ids)\(books.count > 12 ? " …" : "")"
  }
}

extension Book {
  /// The name for a person, `Title / Author`.
  public var name: String {
    let title = title.isEmpty ? isbn ?? "" : title
    return author.isEmpty ? title : "\(title) / \(author)"
  }

  /// - Parameter action: a verb for the error message.
  static func known(_ id: Book.ID, _ action: String, in database: Database) throws -> Book {
    if let book = try with(id: id, in: database) { return book }
    throw DeliveryError(
      .badInput, "\(action) book \(id)", reason: "the library has no book of this id",
      remedy: "list the books and their ids with `swiftwing library list`")
  }

  /// - Parameter action: the operation for the error message. By default the correction of this book.
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
        throw refusal(
          "\(copies) is not a possible number of copies", "say 1 to 1000, or 0 to count the spines")
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

  /// Returns the book with its missing fields taken from `others`, and merges `others` into it. The result is not saved yet.
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
