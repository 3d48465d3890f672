public import FoundationEssentials
import GRDB

/// What a person says of a book that is doubtful or unlikely. A closed enumeration.
public enum ReviewAnswer: Sendable, Equatable {
  /// It is a book, and this is right of it; an empty edit says that all is.
  case right(BookEdit)
  /// It is no book.
  case noBook
  /// It is several books, which were read as one.
  case several([BookEdit])
}

extension Library {
  /// The books that wait for a person to look at them: the doubtful ones, then the unlikely ones, each as they stand on the shelf.
  /// - Throws: `storage`.
  public func booksToReview() async throws(DeliveryError) -> [Book.ID] {
    try await store.read("list the books to review") { database in
      try ["doubtful", "unlikely"].flatMap { certainty in
        try ShelfSequence.ids("certainty = '\(certainty)' AND confirmedAt ISNULL", in: database)
      }
    }
  }

  /// How many books wait for a person to look at them.
  /// - Throws: `storage`.
  public func countToReview() async throws(DeliveryError) -> Int {
    try await store.read("count the books to review") { database in
      try ["doubtful", "unlikely"].reduce(0) { sum, certainty in
        let sql = "SELECT count(*) FROM book WHERE certainty = '\(certainty)' AND confirmedAt ISNULL"
        return sum + (try Int.fetchOne(database, sql: sql) ?? 0)
      }
    }
  }

  /// Commits an answer: the book is corrected and confirmed, or deleted.
  /// - Returns: the change, which ``undo(change:)`` takes back; nil when the book was as the answer says already.
  /// - Throws: as ``edit(_:_:at:)``, ``delete(_:at:)`` and ``split(_:into:at:)`` do.
  @discardableResult
  public func review(
    _ id: Book.ID, _ answer: ReviewAnswer, at now: Date = Date()
  ) async throws(DeliveryError) -> LibraryChange? {
    try await store.write("review book \(id)") { database in
      switch answer {
      case .right(let edit): try Curation.edit(id, edit, as: .review, at: now, in: database).change
      case .noBook: try Curation.delete([id], as: .review, at: now, in: database).change
      case .several(let names): try Curation.split(id, names, as: .review, at: now, in: database).change
      }
    }
  }

  /// How the books were read: each reading once, at most 20 of each book, the commonest first.
  public func readings(of books: [Book]) async throws(DeliveryError) -> [Book.ID: [BookFinding.Reading]] {
    try await store.read("list the readings") { database in
      let sql = """
        SELECT bookID, title, author FROM sighting WHERE bookID = ? AND title NOTNULL
        GROUP BY title, author ORDER BY count(*) DESC, title, author LIMIT 20
        """
      var readings: [Book.ID: [BookFinding.Reading]] = [:]
      for book in books {
        readings[book.id] = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [book.id]).map {
          row in
          let row = StoredRow(row, of: "sighting", by: "bookID")
          return BookFinding.Reading(title: try row.text("title"), author: try row.textIfAny("author") ?? "")
        }
      }
      return readings
    }
  }
}
