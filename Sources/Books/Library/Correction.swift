import GRDB

extension Library {
  /// Replaces the title and author of a book by a surer reading of its spine. If the library already has a book of that name, merges the two. A book
  /// that has an ISBN or was confirmed by a person keeps its name.
  /// - Returns: the book as it is now. Nil if there is no book of this `id`, or if nothing is left of `reading`.
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
