import FoundationEssentials
import GRDB

/// Spines in the database, and their books.
extension Spine {
  /// The range of coordinates, in pixels from the first photo of a view. No shelf is that long, and no arithmetic with these values overflows.
  private static let places = -1e9...1e9

  /// - Throws: `damaged`.
  init(row: Row) throws {
    let row = StoredRow(row, of: "spine", by: "number")
    let place = try ["x", "y", "width", "height", "angle"].compactMap {
      try row.realIfAny($0, in: Self.places)
    }
    self.init(
      id: try row.uuid("id"), title: try row.text("title"), author: try row.textIfAny("author"),
      isbn: try row.textIfAny("isbn"), confidence: try row.real("confidence", in: 0...1),
      sightings: try row.count("sightings"),
      place: place.count == 5
        ? Place(x: place[0], y: place[1], width: place[2], height: place[3], angle: place[4]) : nil,
      view: try row.count("view"), look: try row.integerIfAny("look").map(UInt64.init(bitPattern:)),
      photo: try row.count("photo"))
  }

  static func latest(_ limit: Int, in database: Database) throws -> [Spine] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM spine ORDER BY number DESC LIMIT ?", arguments: [limit]
    ).map(Spine.init(row:)).reversed()
  }

  /// The book to which the spine belonged at its last delivery.
  static func book(of id: Spine.ID, in database: Database) throws -> Book? {
    let sql = "SELECT book.* FROM book JOIN spine ON spine.bookID = book.id WHERE spine.id = ?"
    return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [id.fileName]).map(Book.init(row:))
  }

  /// Saves the spine. Scans may be delivered in another order than they were read in, so data from a later photo are not overwritten by data from an
  /// earlier one.
  func save(as book: Book.ID?, in database: Database) throws {
    let sql = """
      INSERT INTO spine
      (id, title, author, isbn, confidence, sightings, x, y, width, height, angle, view, look, photo, bookID)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, author = excluded.author, isbn = excluded.isbn,
      confidence = excluded.confidence, sightings = excluded.sightings, x = excluded.x, y = excluded.y,
      width = excluded.width, height = excluded.height, angle = excluded.angle, view = excluded.view,
      look = excluded.look, photo = excluded.photo, bookID = excluded.bookID WHERE excluded.photo >= photo
      """
    let place = self.place.flatMap { place in
      [place.x, place.y, place.width, place.height, place.angle].allSatisfy(Self.places.contains)
        ? place : nil
    }
    try database.cachedStatement(sql: sql).execute(
      arguments: [
        id.fileName, title, author, isbn, confidence.isFinite ? min(max(confidence, 0), 1) : 0, sightings,
        place?.x, place?.y, place?.width, place?.height, place?.angle, view,
        look.map(Int64.init(bitPattern:)), photo, book,
      ])
  }

  /// Deletes the spine `part`, which turned out to be a part of `whole`. Merges the book of `part` into `book`, unless a person confirmed that book,
  /// or it has an ISBN or another spine.
  static func absorb(_ part: Spine.ID, into whole: Spine.ID, of book: Book.ID, in database: Database) throws {
    let old = try Self.book(of: part, in: database)
    try database.execute(sql: "DELETE FROM spine WHERE id = ?", arguments: [part.fileName])
    guard let old else { return }
    // A book that a person confirmed stays separate.
    if old.confirmedAt != nil, old.id != book { return }
    try database.execute(
      sql: "UPDATE sighting SET spineID = ?, bookID = ? WHERE bookID = ? AND spineID = ?",
      arguments: [whole.fileName, old.isbn == nil ? book : old.id, old.id, part.fileName])
    let others = try Bool.fetchOne(
      database, sql: "SELECT 1 FROM spine WHERE bookID = ?", arguments: [old.id])
    guard old.id != book, old.isbn == nil, others == nil else { return }
    try Shelving.fold(old.id, into: book, in: database)
  }
}
