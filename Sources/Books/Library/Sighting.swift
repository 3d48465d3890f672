import FoundationEssentials
import GRDB

/// A finding as the library stores it, with its scan, its spine and its reading.
struct Sighting {
  var (scan, id): (String, String)
  var book: Book.ID
  var spine: String?
  var reading: BookFinding.Reading?
  var confidence: Double?

  init(_ finding: Finding, of scan: String, as book: Book.ID) {
    let normal = finding.book.normalized()
    (self.scan, id, self.book) = (scan, finding.id.fileName, book)
    spine = finding.spine?.id.fileName
    reading = normal?.reading ?? normal.map { BookFinding.Reading(title: $0.title, author: $0.author) }
    confidence = normal?.confidence
  }

  func insert(in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO sighting (scanKey, id, bookID, spineID, confidence, title, author) VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [scan, id, book, spine, confidence, reading?.title, reading?.author])
  }
}

extension Finding {
  /// Saves the finding's picture for the review of a book, replacing an earlier picture.
  func savePicture(of book: Book.ID, in database: Database) throws {
    guard let picture, picture.starts(with: [0xFF, 0xD8, 0xFF]), picture.count <= Self.pictureLimit else {
      return
    }
    try database.cachedStatement(
      sql:
        "INSERT INTO picture (bookID, jpeg) VALUES (?, ?) ON CONFLICT (bookID) DO UPDATE SET jpeg = excluded.jpeg"
    ).execute(arguments: [book, Data(picture)])
  }
}

/// Findings and spines that a person declared not to be books. They add no book when they are delivered again.
enum Dismissal {
  /// The maximum number of dismissed findings and spines; the oldest are forgotten.
  static let limit = 100_000

  /// Whether the finding or its spine is dismissed.
  static func holds(_ finding: Finding, of scan: String, in database: Database) throws -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM dismissal WHERE scanKey = ? AND findingID = ?)
      OR EXISTS (SELECT 1 FROM dismissal WHERE spineID NOTNULL AND spineID = ?)
      """
    return try Bool.fetchOne(
      database.cachedStatement(sql: sql),
      arguments: [scan, finding.id.fileName, finding.spine?.id.fileName]) ?? false
  }

  /// Dismisses the findings and spines of a book that is about to be deleted.
  static func remember(_ book: Book.ID, at now: Date, in database: Database) throws {
    let time = Milliseconds.of(now)
    try database.execute(
      sql: """
        INSERT INTO dismissal (scanKey, findingID, spineID, dismissedAt)
        SELECT scanKey, id, spineID, :now FROM sighting WHERE bookID = :book;
        INSERT INTO dismissal (spineID, dismissedAt) SELECT id, :now FROM spine WHERE bookID = :book
        AND NOT EXISTS (SELECT 1 FROM dismissal WHERE spineID = spine.id);
        """, arguments: ["now": time, "book": book])
    try database.execute(
      sql: "DELETE FROM dismissal WHERE number <= (SELECT max(number) FROM dismissal) - ?", arguments: [limit]
    )
  }
}
