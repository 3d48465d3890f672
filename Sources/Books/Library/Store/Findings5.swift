import FoundationEssentials
import GRDB

/// Migration 5: sightings get ids in place of positions, and spines are stored. Scans that were read on this machine are no longer jobs;
/// migration 6 delivers them, because only the present schema can add books.
///
/// Until schema 4, a scan that had been read on this machine waited for its delivery as a job `local-UUID`. Its books were stored as JSON,
/// `local:[…]`, in place of the stream's address. Only the code here knows such scans, and delivers them once.
enum Findings5 {
  static func migrate(_ database: Database) throws {
    try database.execute(sql: spines)
    try nameSightings(in: database)
    // No backend knows these jobs, so nothing needs to be cleaned up.
    try database.execute(sql: "DELETE FROM cleanup WHERE jobID GLOB ?", arguments: [jobPattern])
  }

  /// Delivers the scans that were read on this machine and waited as jobs. Afterwards there are none.
  static func deliverWaiting(in database: Database) throws {
    for row in try Row.fetchAll(database, sql: "SELECT * FROM scan WHERE \(isRead)") {
      try deliver(row, in: database)
    }
  }

  private static let isRead = "jobID GLOB 'local-*' AND streamURL GLOB 'local:*'"
  private static let jobPattern =
    "local-" + [8, 4, 4, 4, 12].map { String(repeating: "[0-9a-f]", count: $0) }.joined(separator: "-")

  private static let spines = """
    CREATE TABLE spine (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL,
      author TEXT,
      isbn TEXT,
      confidence REAL NOT NULL,
      sightings INTEGER NOT NULL,
      x REAL, y REAL, width REAL, height REAL, angle REAL,
      view INTEGER NOT NULL,
      look INTEGER,
      photo INTEGER NOT NULL,
      bookID INTEGER REFERENCES book (id) ON DELETE SET NULL
    ) STRICT;
    CREATE INDEX spine_book ON spine (bookID);
    CREATE TABLE sighting5 (
      scanKey TEXT NOT NULL,
      id TEXT NOT NULL,
      bookID INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE,
      spineID TEXT,
      confidence REAL,
      PRIMARY KEY (scanKey, id)
    ) STRICT, WITHOUT ROWID;
    """

  /// Gives each sighting an id, derived from its position among the books of its scan.
  private static func nameSightings(in database: Database) throws {
    let insert = try database.makeStatement(
      sql: "INSERT INTO sighting5 (scanKey, id, bookID, confidence) VALUES (?, ?, ?, ?)")
    let rows = try Row.fetchCursor(database, sql: "SELECT scanKey, ordinal, bookID, confidence FROM sighting")
    while let row = try rows.next() {
      let row = StoredRow(row, of: "sighting", by: "scanKey")
      let (scan, ordinal) = (try row.text("scanKey"), try row.count("ordinal"))
      let (book, confidence) = (try row.integer("bookID"), try row.realIfAny("confidence", in: 0...1))
      try insert.execute(arguments: [scan, id(scan, ordinal), book, confidence])
    }
    try database.execute(
      sql: """
        DROP TABLE sighting;
        ALTER TABLE sighting5 RENAME TO sighting;
        CREATE INDEX sighting_book ON sighting (bookID);
        """)
  }

  private static func id(_ scan: String, _ ordinal: Int) -> String {
    UUID.named("\(scan)/\(ordinal)").uuidString.lowercased()
  }

  /// A reading, with the fields that schema 4 wrote.
  private struct Record: Decodable {
    var title: String
    var author: String
    var isbn: String?
    var confidence: Double?
  }

  /// Adds the books of a scan to the library, and removes the scan from the queue. The scan's image is removed when the store is next opened. A scan
  /// that was given up or cannot be decoded is read again from its photo.
  private static func deliver(_ row: Row, in database: Database) throws {
    let row = StoredRow(row, of: "scan")
    let (number, scan) = (try row.integer("id"), try row.text("key"))
    let (text, state) = (try row.text("streamURL", limit: 1 << 24), try row.text("state"))
    let json = Data(text.dropFirst("local:".count).utf8)
    guard state == "uploaded", let records = try? JSONDecoder().decode([Record].self, from: json) else {
      let sql = """
        UPDATE scan SET state = iif(state = 'failed', state, 'pending'), jobID = NULL, streamURL = NULL,
        generation = generation + 1 WHERE id = ?
        """
      return try database.execute(sql: sql, arguments: [number])
    }
    let now = Date()
    var books = 0
    for (ordinal, record) in records.enumerated() {
      let finding = BookFinding(
        isbn: record.isbn, title: record.title, author: record.author, confidence: record.confidence)
      guard let book = try Shelving.add(finding, at: now, in: database) else { continue }
      try database.execute(
        sql: "INSERT INTO sighting (scanKey, id, bookID, confidence) VALUES (?, ?, ?, ?)",
        arguments: [scan, id(scan, ordinal), book.id, finding.normalized()?.confidence])
      books += 1
    }
    try database.execute(
      sql: "INSERT INTO receipt (scanKey, deliveredAt, books) VALUES (?, ?, ?)",
      arguments: [scan, Milliseconds.of(now), books])
    try database.execute(sql: "DELETE FROM scan WHERE id = ?", arguments: [number])
  }
}
