import Bibliography
public import FoundationEssentials
import GRDB

/// A photograph that shows a book, and the book's position in it.
public struct PhotographPlace: Sendable, Equatable, Codable {
  /// The number of the photograph in the library: from 1, in the order of submission.
  public var number: Int
  /// The path of the file, as last given. Nil for a camera's photo.
  public var path: String?
  /// The row of books, from the top, from 1. Nil if only the photograph is known.
  public var row: Int?
  /// The position in the row, from the left, from 1: a whole number for a book, a fraction for a record that is probably no book and for a book that
  /// a person added there. Nil if only the photograph is known.
  public var position: Double?
  /// The place of the photographed shelf in a person's words, such as `living room, 3`. Nil if nobody gave a place.
  public var location: String?
}

extension Finding {
  /// The place of a book in a photograph.
  public struct Place: Sendable, Equatable {
    /// The row, from the top, from 1.
    public var row: Int
    /// The position in the row, from the left; see ``PhotographPlace/position``.
    public var position: Double
    /// The left edge, upper edge, width and height of the book's text, in pixels of the upright photograph.
    public var (x, y, width, height): (Double, Double, Double, Double)

    /// Creates a place, without checking its values.
    public init(row: Int, position: Double, x: Double, y: Double, width: Double, height: Double) {
      (self.row, self.position) = (row, position)
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Saves the place. Nothing is saved if the position is not finite; a coordinate that is not finite becomes null.
    func save(_ finding: String, of scan: String, in database: Database) throws {
      guard position.isFinite else { return }
      try Photographs.make(scan, in: database)
      let box = [x, y, width, height].map { $0.isFinite ? $0 : nil }
      try database.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO place (photograph, findingID, row, number, x, y, width, height)
          VALUES ((SELECT number FROM photograph WHERE scanKey = ?), ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [scan, finding, row, position, box[0], box[1], box[2], box[3]])
    }
  }
}

/// Saves and forgets the photographs of a library.
enum Photographs {
  /// The prefix of the ids of sightings that a person added. These sightings are kept if the photograph is read again.
  static let byHand = "hand-"

  /// Adds the photograph, or updates it. An argument that is nil leaves the stored value unchanged.
  static func make(
    _ scan: String, path: String? = nil, location: String? = nil, in database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO photograph (scanKey, path, location) VALUES (?, ?, ?)
        ON CONFLICT (scanKey) DO UPDATE SET path = coalesce(excluded.path, path),
        location = coalesce(excluded.location, location)
        """
    ).execute(arguments: [scan, path.map { CleanPath.kept($0) }, location.flatMap(LocationName.kept)])
  }

  /// Forgets a photograph that was never delivered.
  static func forget(_ scan: String, in database: Database) throws {
    try database.cachedStatement(
      sql:
        "DELETE FROM photograph WHERE scanKey = :scan AND NOT EXISTS (SELECT 1 FROM receipt WHERE scanKey = :scan)"
    ).execute(arguments: ["scan": scan])
  }

  /// Forgets the sightings of a photograph that is read again, except those that a person added.
  static func clear(_ scan: String, in database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM sighting WHERE scanKey = ? AND id NOT GLOB ?")
      .execute(arguments: [scan, "\(byHand)*"])
    try database.cachedStatement(
      sql:
        "DELETE FROM place WHERE photograph = (SELECT number FROM photograph WHERE scanKey = ?) AND findingID NOT GLOB ?"
    ).execute(arguments: [scan, "\(byHand)*"])
  }
}

/// The path of a file, cut to a bounded length. A path may have nearly any content.
private enum CleanPath {
  static func kept(_ path: String) -> String { String(decoding: path.utf8.prefix(4096), as: UTF8.self) }
}

/// A person's name for the place of a shelf.
private enum LocationName {
  /// One clean line of at most 200 characters. Nil if nothing is left.
  static func kept(_ text: String) -> String? {
    let line = CleanText.line(text, characters: 200, bytes: 800)
    return line.isEmpty ? nil : line
  }
}

extension Library {
  /// Updates the path of a photograph that was read, and the place of the photographed shelf.
  /// - Parameters:
  ///   - key: the key of the photograph's scan.
  ///   - location: nil keeps the earlier place.
  public func name(
    photograph key: UUID, _ path: String, location: String? = nil
  ) async throws(DeliveryError) {
    let location = location.flatMap(LocationName.kept)
    let same = try await store.read("look for a photograph") { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM photograph WHERE scanKey = :key AND path = :path
          AND (:location ISNULL OR location = :location))
          """,
        arguments: ["key": key.fileName, "path": path, "location": location]) ?? false
    }
    if same { return }
    try await store.write("name a photograph") {
      try Photographs.make(key.fileName, path: path, location: location, in: $0)
    }
  }

  /// The first place of each book. Books that no photograph shows are left out.
  public func places(of books: [Book]) async throws(DeliveryError) -> [Book.ID: PhotographPlace] {
    try await store.read("look for places") { database in
      var places: [Book.ID: PhotographPlace] = [:]
      for book in books { places[book.id] = try PhotographPlace.first(of: book.id, in: database) }
      return places
    }
  }
}

extension PhotographPlace {
  init?(row: StoredRow) throws {
    guard let number = try row.integerIfAny("photo", in: 1...StoredRow.countLimit) else { return nil }
    self.init(
      number: Int(number), path: try row.textIfAny("path"),
      row: try row.integerIfAny("row", in: 0...StoredRow.countLimit).map(Int.init),
      position: try row.realIfAny("position", in: -1e12...1e12), location: try row.textIfAny("location"))
  }

  /// Columns for a query of `sighting` with `joins`: `photo`, `path`, `location`, `row` and `position`.
  static let columns =
    "photograph.number AS photo, photograph.path, photograph.location, place.row, place.number AS position"
  static let joins = """
    LEFT JOIN photograph ON photograph.scanKey = sighting.scanKey
    LEFT JOIN place ON place.photograph = photograph.number AND place.findingID = sighting.id
    """

  /// The listed book next to `book` in its row. Nil if there is no such book, or if the row is unknown.
  /// - Parameters:
  ///   - book: the book at this place.
  ///   - isBefore: true for the left neighbour, false for the right one.
  func neighbour(of book: Book.ID, isBefore: Bool, in database: Database) throws -> Book? {
    guard let row, let position else { return nil }
    let sql = """
      SELECT book.* FROM place JOIN photograph ON photograph.number = place.photograph
      JOIN sighting ON sighting.scanKey = photograph.scanKey AND sighting.id = place.findingID
      JOIN book ON book.id = sighting.bookID
      WHERE place.photograph = ? AND place.row = ? AND place.number \(isBefore ? "<" : ">") ?
      AND book.id <> ? AND \(Library.Selection.listed.condition)
      ORDER BY place.number \(isBefore ? "DESC" : "ASC") LIMIT 1
      """
    return try Row.fetchOne(database, sql: sql, arguments: [number, row, position, book]).map(Book.init(row:))
  }

  static func first(of book: Book.ID, in database: Database) throws -> PhotographPlace? {
    let sql = """
      SELECT \(columns) FROM sighting \(joins) WHERE bookID = ? AND photograph.number NOTNULL
      ORDER BY place.row ISNULL, place.photograph, place.row, place.number, photograph.number LIMIT 1
      """
    return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [book]).flatMap {
      try Self(row: StoredRow($0, of: "photograph", by: "photo"))
    }
  }
}
