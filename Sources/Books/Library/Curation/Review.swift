public import FoundationEssentials
import GRDB

/// A person's answer about a doubtful or unlikely book. A closed enumeration.
public enum ReviewAnswer: Sendable, Equatable {
  /// The record is a book, with these corrections. An empty edit confirms everything.
  case right(BookEdit)
  /// The record is not a book.
  case noBook
  /// The record is several books that were read as one.
  case several([BookEdit])
}

extension Library {
  /// The books to review: first the doubtful books, then the unlikely ones. Each group is in the order of the shelf.
  /// - Throws: `storage`.
  public func booksToReview() async throws(DeliveryError) -> [Book.ID] {
    try await store.read("list the books to review") { database in
      try [BookFinding.Certainty.doubtful, .unlikely].flatMap {
        try ShelfSequence.ids($0.toReview, in: database)
      }
    }
  }

  /// The books of this certainty to review, in the order of the shelf.
  package func booksToReview(
    _ certainty: BookFinding.Certainty
  ) async throws(DeliveryError) -> [Book.ID] {
    try await store.read("list the books to review") {
      try ShelfSequence.ids(certainty.toReview, in: $0)
    }
  }

  /// The number of books to review.
  /// - Throws: `storage`.
  public func countToReview() async throws(DeliveryError) -> Int {
    try await countToReview(.doubtful) + countToReview(.unlikely)
  }

  /// The number of books of this certainty to review.
  package func countToReview(_ certainty: BookFinding.Certainty) async throws(DeliveryError) -> Int {
    try await store.read("count the books to review") {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM book WHERE \(certainty.toReview)") ?? 0
    }
  }

  /// Carries out an answer: corrects and confirms the book, deletes it, or splits it.
  /// - Returns: the change, which ``undo(change:)`` takes back. Nil if the book already agreed with the answer.
  /// - Throws: the errors of ``edit(_:_:at:)``, ``delete(_:at:)`` and ``split(_:into:at:)``.
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

  /// The distinct readings of each book, at most 20 per book, the most frequent first.
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

extension BookFinding.Certainty {
  /// The condition for a book of this certainty that nobody has confirmed.
  fileprivate var toReview: String { "certainty = '\(rawValue)' AND confirmedAt ISNULL" }
}
