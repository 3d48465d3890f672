public import FoundationEssentials
import GRDB

extension Library {
  /// Adds a book that was not found in any photograph. It counts as confirmed.
  /// - Parameters:
  ///   - book: the book, with a title or an ISBN.
  ///   - neighbour: the book directly to the left of the new one. The new book is placed in every photograph that shows the neighbour. Nil if
  ///     unknown.
  /// - Throws: `badInput` if the book has neither a title nor an ISBN, the ISBN is invalid, or the library has the book already; `storage`,
  ///   `diskFull`.
  @discardableResult
  public func add(
    byHand book: BookEdit, after neighbour: Book.ID? = nil, at now: Date = Date()
  ) async throws(DeliveryError) -> (book: Book, change: LibraryChange?) {
    try await store.write("add a book") { database in
      let neighbour = try neighbour.map { try Book.known($0, "add a book after", in: database) }
      let done = try ChangeLog.record(.add, at: now, in: database, subject: { LibraryChange.naming([$0]) }) {
        _ in
        try Curation.add(book, after: neighbour, at: now, in: database)
      }
      return (done.value, done.change)
    }
  }

  /// Splits a record of several books that were read as one. Each of the books gets the record's photographs and reading. In each photograph they
  /// follow each other at the record's place. All of them are confirmed.
  /// - Parameters:
  ///   - id: the record. It becomes the first book, and keeps its spine, its ISBN, its cover and its counts.
  ///   - names: two or more books, each with a title or an ISBN: first the corrections of the record, then the other books.
  /// - Returns: the books, in the order of `names`.
  /// - Throws: `badInput` if there is no such record, there are fewer than two books, or one of them is in the library already; `storage`,
  ///   `diskFull`.
  @discardableResult
  public func split(
    _ id: Book.ID, into names: [BookEdit], at now: Date = Date()
  ) async throws(DeliveryError) -> [Book] {
    try await store.write("split book \(id)") {
      try Curation.split(id, names, as: .split, at: now, in: $0).value
    }
  }
}

extension Curation {
  /// The maximum number of books from one record.
  static let splitLimit = 20

  static func split(
    _ id: Book.ID, _ names: [BookEdit], as kind: LibraryChange.Kind, at now: Date, in database: Database
  ) throws -> (value: [Book], change: LibraryChange?) {
    let book = try Book.known(id, "split", in: database)
    guard (2...splitLimit).contains(names.count), let first = names.first else {
      throw DeliveryError(
        .badInput, "split book \(id)",
        reason:
          "\(names.count == 1 ? "one name is" : "\(names.count) names are") given for its parts",
        remedy: "give 2 to \(splitLimit) names")
    }
    return try ChangeLog.record(kind, at: now, in: database, subject: LibraryChange.naming) { _ in
      try database.execute(sql: "DELETE FROM picture WHERE bookID = ?", arguments: [id])
      var books = [try book.edited(by: first, at: now, in: database).save(in: database)]
      for name in names.dropFirst() {
        books.append(try add(name, after: books.last, reading: true, at: now, in: database))
      }
      return books
    }
  }

  /// - Parameters:
  ///   - neighbour: the book whose photographs also show the new book.
  ///   - reading: whether the neighbour's reading also belongs to the new book.
  fileprivate static func add(
    _ edit: BookEdit, after neighbour: Book?, reading: Bool = false, at now: Date, in database: Database
  ) throws -> Book {
    let draft = Book(id: 0, title: "", author: "", addedAt: now)
    let book = try draft.edited(by: edit, as: "add a book", at: now, in: database)
    if let known = try Shelving.sameBook(book, in: database) {
      throw DeliveryError(
        .badInput, "add \(book.name)", reason: "the library has it already, as book \(known.id)",
        remedy: "edit that book; it may have several copies")
    }
    var added = try Book.insert(BookFinding(book), at: now, in: database)
    (added.confirmedAt, added.statedCopies) = (book.confirmedAt, book.statedCopies)
    let saved = try added.save(in: database)
    if let neighbour {
      try HandPlace(after: neighbour, reading: reading, in: database).put(saved, in: database)
    }
    return saved
  }
}

/// Places a new book in the photographs that show its left neighbour, directly to the right of that neighbour.
private struct HandPlace {
  private let neighbour: Book
  private let isRead: Bool
  private let scans: [String]

  init(after neighbour: Book, reading: Bool, in database: Database) throws {
    (self.neighbour, isRead) = (neighbour, reading)
    scans = try String.fetchAll(
      database, sql: "SELECT DISTINCT scanKey FROM sighting WHERE bookID = ? ORDER BY scanKey LIMIT 200",
      arguments: [neighbour.id])
  }

  /// Adds a sighting of the book to each photograph. The sighting has no spine, since the spine stays with the neighbour.
  func put(_ book: Book, in database: Database) throws {
    for scan in scans {
      let id = Photographs.byHand + UUID().fileName
      try database.execute(
        sql: """
          INSERT INTO sighting (scanKey, id, bookID, title, author)
          SELECT scanKey, :id, :book, iif(:read, title, NULL), iif(:read, author, NULL) FROM sighting
          WHERE scanKey = :scan AND bookID = :neighbour ORDER BY id LIMIT 1
          """,
        arguments: ["id": id, "book": book.id, "read": isRead, "scan": scan, "neighbour": neighbour.id])
      // Place the book halfway between the neighbour and the next one in the row.
      try database.execute(
        sql: """
          INSERT INTO place (photograph, findingID, row, number)
          SELECT place.photograph, :id, place.row, (place.number + coalesce((SELECT min(next.number) FROM place AS next
          WHERE next.photograph = place.photograph AND next.row = place.row AND next.number > place.number),
          place.number + 1)) / 2 FROM place
          JOIN photograph ON photograph.number = place.photograph AND photograph.scanKey = :scan
          JOIN sighting ON sighting.scanKey = photograph.scanKey AND sighting.id = place.findingID
          WHERE sighting.bookID = :neighbour ORDER BY place.row, place.number LIMIT 1
          """, arguments: ["id": id, "scan": scan, "neighbour": neighbour.id])
    }
  }
}
