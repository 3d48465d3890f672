import GRDB

extension Library {
  /// Puts a surer reading of a spine in the place of the title and author that a book has. When that makes it a book there is
  /// already, the two become one. A book with an ISBN is named by it, and one that a person
  /// confirmed by the person: they stay as they are.
  /// - Returns: the book as it is now; nil when there is none of this `id`, or nothing in `reading`.
  @discardableResult
  public func correct(_ id: Book.ID, by reading: BookFinding) async throws(DeliveryError) -> Book? {
    try await store.write("correct a book") { database in
      let row = try Row.fetchOne(database, sql: "SELECT * FROM book WHERE id = ?", arguments: [id])
      guard var book = try row.map(Book.init(row:)), let reading = reading.normalized() else { return nil }
      guard book.isbn == nil, book.confirmedAt == nil, !reading.title.isEmpty else { return book }
      book.title = reading.title
      if !reading.author.isEmpty { book.author = reading.author }
      book.spineConfidence = [book.spineConfidence, reading.confidence].compactMap(\.self).max()
      return try Shelving.settle(book, in: database)
    }
  }
}
