import FoundationEssentials
import GRDB

/// Spines in the database, and the books that they are.
extension Spine {
  /// Photos and views beyond this are not counted to; a number above it is damage.
  private static let countLimit = 1 << 40

  init?(row: Row) {
    guard let id = UUID(uuidString: row["id"]) else { return nil }
    let numbers: [Double?] = [row["x"], row["y"], row["width"], row["height"], row["angle"]]
    let known = numbers.compactMap { $0.flatMap { $0.isFinite ? $0 : nil } }
    let look: Int64? = row["look"]
    self.init(
      id: id, title: row["title"], author: row["author"], isbn: row["isbn"], confidence: row["confidence"],
      sightings: row["sightings"],
      place: known.count == 5
        ? Place(x: known[0], y: known[1], width: known[2], height: known[3], angle: known[4]) : nil,
      view: min(max(row["view"], 0), Self.countLimit), look: look.map(UInt64.init(bitPattern:)),
      photo: min(max(row["photo"], 0), Self.countLimit))
  }

  static func latest(_ limit: Int, in database: Database) throws -> [Spine] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM spine ORDER BY number DESC LIMIT ?", arguments: [limit]
    ).compactMap(Spine.init(row:)).reversed()
  }

  /// The book that the spine was when it was delivered last.
  static func book(of id: Spine.ID, in database: Database) throws -> Book? {
    let sql = "SELECT book.* FROM book JOIN spine ON spine.bookID = book.id WHERE spine.id = ?"
    return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [id.fileName]).map(Book.init(row:))
  }

  /// Scans may be delivered in another order than they were read in: what a later photo told stays.
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
    try database.cachedStatement(sql: sql).execute(
      arguments: [
        id.fileName, title, author, isbn, confidence.isFinite ? confidence : 0, sightings, place?.x, place?.y,
        place?.width, place?.height, place?.angle, view, look.map(Int64.init(bitPattern:)), photo, book,
      ])
  }

  /// A spine turned out to be a part of another: it goes, and so does its book, unless that has an ISBN, or another spine is that
  /// book too.
  static func absorb(_ part: Spine.ID, into whole: Spine.ID, of book: Book.ID, in database: Database) throws {
    let old = try Self.book(of: part, in: database)
    try database.execute(sql: "DELETE FROM spine WHERE id = ?", arguments: [part.fileName])
    guard let old else { return }
    // What a person confirmed is a book of its own.
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
