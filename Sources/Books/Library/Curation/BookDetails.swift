public import FoundationEssentials
import GRDB

/// All data of a book.
public struct BookDetails: Sendable, Equatable {
  /// One sighting of the book.
  public struct Sighting: Sendable, Equatable {
    /// The key of the scan.
    public var scan: String
    /// The id of the finding in the scan.
    public var finding: String
    /// The id of the physical book. Nil if physical books are not told apart.
    public var spine: String?
    /// The text that was read. Nil if an older SwiftWing delivered the sighting.
    public var reading: BookFinding.Reading?
    /// The confidence of the reading, 0 to 1.
    public var confidence: Double?
    /// The time at which the scan was delivered. Nil if unknown.
    public var deliveredAt: Date?
    /// The photograph, and the sighting's position in it. Nil if neither is known.
    public var place: PhotographPlace?
  }

  /// The book as in the list.
  public var book: Book
  /// The number of physical books; see ``Library/copies(of:)``.
  public var copies: Int
  /// The number of sightings.
  public var seen: Int
  /// The latest sightings, at most 200, the latest first.
  public var sightings: [Sighting]
  /// Whether the library has a picture of the book's spine.
  public var hasPicture: Bool
  /// The listed book directly to the book's left, in the first photograph that shows the book. Nil if there is none.
  public var behind: Book?
  /// The listed book directly to the book's right, in the first photograph that shows the book. Nil if there is none.
  public var before: Book?
}

extension Library {
  /// The book of this id. Nil if there is none.
  public func book(_ id: Book.ID) async throws(DeliveryError) -> Book? {
    try await store.read("read book \(id)") { try Book.with(id: id, in: $0) }
  }

  /// The data of the books, in the order of `ids`.
  /// - Throws: `badInput` if one of the books does not exist; `storage`.
  public func details(of ids: [Book.ID]) async throws(DeliveryError) -> [BookDetails] {
    try await store.read("show books") { database in
      try ids.map { id in
        let book = try Book.known(id, "show", in: database)
        let seen = try Int.fetchOne(
          database, sql: "SELECT count(*) FROM sighting WHERE bookID = ?", arguments: [id])
        let hasPicture = try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM picture WHERE bookID = ?)", arguments: [id])
        let place = try PhotographPlace.first(of: id, in: database)
        return BookDetails(
          book: book, copies: try Copies.count([book], in: database)[id] ?? 1, seen: seen ?? 0,
          sightings: try BookDetails.Sighting.latest(of: id, in: database), hasPicture: hasPicture ?? false,
          behind: try place?.neighbour(of: id, isBefore: true, in: database),
          before: try place?.neighbour(of: id, isBefore: false, in: database))
      }
    }
  }

  /// The picture of a book's spine, an upright JPEG. Nil if there is none.
  public func picture(of id: Book.ID) async throws(DeliveryError) -> [UInt8]? {
    try await store.read("read the picture of book \(id)") { database in
      let sql = "SELECT bookID, jpeg FROM picture WHERE bookID = ?"
      return try Row.fetchOne(database, sql: sql, arguments: [id]).flatMap { row in
        try StoredRow(row, of: "picture", by: "bookID").blobIfAny("jpeg", limit: Finding.pictureLimit)
      }.map { [UInt8]($0) }
    }
  }

  /// The number of copies of each book: the number that a person stated, or else the greatest number of the book's spines that were seen at the same
  /// time, in one photograph or at separate places of one view of a shelf. At least 1.
  public func copies(of books: [Book]) async throws(DeliveryError) -> [Book.ID: Int] {
    try await store.read("count the copies") { try Copies.count(books, in: $0) }
  }
}

extension BookDetails.Sighting {
  fileprivate static func latest(of book: Book.ID, in database: Database) throws -> [Self] {
    let sql = """
      SELECT sighting.*, receipt.deliveredAt, \(PhotographPlace.columns) FROM sighting
      LEFT JOIN receipt ON receipt.scanKey = sighting.scanKey \(PhotographPlace.joins)
      WHERE bookID = ? ORDER BY receipt.deliveredAt DESC, sighting.scanKey, sighting.id LIMIT 200
      """
    return try Row.fetchAll(database, sql: sql, arguments: [book]).map { row in
      let row = StoredRow(row, of: "sighting")
      let author = try row.textIfAny("author") ?? ""
      return Self(
        scan: try row.text("scanKey"), finding: try row.text("id"), spine: try row.textIfAny("spineID"),
        reading: try row.textIfAny("title").map { BookFinding.Reading(title: $0, author: author) },
        confidence: try row.realIfAny("confidence", in: 0...1),
        deliveredAt: try row.timeIfAny("deliveredAt"), place: try PhotographPlace(row: row))
    }
  }
}
