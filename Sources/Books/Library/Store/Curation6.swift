import FoundationEssentials
import GRDB

/// Migration 6: a person's reviews and corrections, pictures for review, ids that are never reused, and a log of changes by which they are
/// undone.
enum Curation6 {
  static func migrate(_ database: Database) throws {
    try database.execute(sql: tables)
    try database.execute(
      sql: "INSERT INTO shelf (id, identity) VALUES (1, ?)", arguments: [UUID().fileName])
    for row in Images.all { try database.execute(sql: row.triggers) }
    try Findings5.deliverWaiting(in: database)
  }

  /// - `sighting.title`, `author`: the reading; null in a sighting of an older SwiftWing.
  /// - `dismissal`: findings and spines that a person declared not to be books.
  /// - `shelf.lastBook`: the largest id of a deleted book. `recording`: the change that is being made, set inside its transaction.
  /// - `change_row`: each row that a change touched, before and after the change; null if the row did not exist.
  private static let tables = """
    ALTER TABLE book ADD COLUMN certainty TEXT CHECK (certainty IN ('sure', 'doubtful', 'unlikely'));
    ALTER TABLE book ADD COLUMN confirmedAt INTEGER;
    ALTER TABLE book ADD COLUMN copies INTEGER;
    CREATE INDEX book_doubtful ON book (id) WHERE certainty = 'doubtful';
    CREATE INDEX book_unlikely ON book (id) WHERE certainty = 'unlikely';
    ALTER TABLE sighting ADD COLUMN title TEXT;
    ALTER TABLE sighting ADD COLUMN author TEXT;
    CREATE TABLE picture (
      bookID INTEGER PRIMARY KEY REFERENCES book (id) ON DELETE CASCADE,
      jpeg BLOB NOT NULL
    ) STRICT;
    CREATE TABLE dismissal (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      scanKey TEXT,
      findingID TEXT,
      spineID TEXT,
      dismissedAt INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX dismissal_finding ON dismissal (scanKey, findingID);
    CREATE INDEX dismissal_spine ON dismissal (spineID) WHERE spineID NOTNULL;
    CREATE TABLE shelf (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL,
      lastBook INTEGER NOT NULL DEFAULT 0,
      recording INTEGER
    ) STRICT;
    CREATE TRIGGER book_number AFTER DELETE ON book BEGIN
      UPDATE shelf SET lastBook = old.id WHERE lastBook < old.id;
    END;
    CREATE TABLE change (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      madeAt INTEGER NOT NULL,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      books INTEGER NOT NULL DEFAULT 0,
      isWhole INTEGER NOT NULL DEFAULT 1
    ) STRICT;
    CREATE TABLE change_row (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      tableName TEXT NOT NULL,
      key TEXT NOT NULL,
      before TEXT,
      after TEXT,
      picture BLOB,
      PRIMARY KEY (changeID, tableName, key)
    ) STRICT, WITHOUT ROWID;
    """

  /// The parts of a table's rows that are logged, as SQL. In it, `$` is replaced by the name of the row.
  struct Images: Sendable {
    let table: String
    /// The key that identifies a row in the log, and the condition that finds the row by this key.
    let (key, condition): (String, String)
    let json: String
    var picture = "NULL"
    var updates = "UPDATE"

    static let all = [book, sighting, spine, picture, dismissal]

    static let book = Images(
      table: "book", key: "$.id", condition: "$.id = CAST(key AS INTEGER)",
      json: """
        json_object('isbn', $.isbn, 'title', $.title, 'author', $.author, 'coverURL', $.coverURL, 'format', $.format,
        'addedAt', $.addedAt, 'spineConfidence', iif($.spineConfidence ISNULL, NULL, printf('%!.17g', $.spineConfidence)),
        'certainty', $.certainty, 'confirmedAt', $.confirmedAt, 'copies', $.copies)
        """)

    static let sighting = Images(
      table: "sighting", key: "$.scanKey || '/' || $.id",
      condition:
        "$.scanKey = substr(key, 1, instr(key, '/') - 1) AND $.id = substr(key, instr(key, '/') + 1)",
      json: """
        json_object('bookID', $.bookID, 'spineID', $.spineID, 'title', $.title, 'author', $.author,
        'confidence', iif($.confidence ISNULL, NULL, printf('%!.17g', $.confidence)))
        """)

    /// Only the spine's book: a person changes nothing else of a spine.
    static let spine = Images(
      table: "spine", key: "$.id", condition: "$.id = key", json: "json_object('bookID', $.bookID)",
      updates: "UPDATE OF bookID")

    static let picture = Images(
      table: "picture", key: "$.bookID", condition: "$.bookID = CAST(key AS INTEGER)", json: "'{}'",
      picture: "$.jpeg")

    static let dismissal = Images(
      table: "dismissal", key: "$.number", condition: "$.number = CAST(key AS INTEGER)",
      json: """
        json_object('scanKey', $.scanKey, 'findingID', $.findingID, 'spineID', $.spineID, 'dismissedAt', $.dismissedAt)
        """)

    /// Triggers that save each row as it was before a change, while the change is recorded. If the change
    /// writes a row several times, only the first time saves it.
    fileprivate var triggers: String {
      [("insert", "INSERT", "new", "NULL", "NULL"), ("update", updates, "old", json, picture)].map(trigger)
        .joined() + trigger("delete", "DELETE", "old", json, picture)
    }

    private func trigger(_ name: String, _ event: String, _ row: String, _ json: String, _ picture: String)
      -> String
    {
      func of(_ text: String) -> String { text.replacing("$.", with: "\(row).") }
      return """
        CREATE TRIGGER \(table)_logged_\(name) AFTER \(event) ON \(table) WHEN (SELECT recording FROM shelf) NOTNULL BEGIN
          INSERT OR IGNORE INTO change_row (changeID, tableName, key, before, picture)
          SELECT recording, '\(table)', \(of(key)), \(of(json)), \(of(picture)) FROM shelf;
        END;

        """
    }
  }
}
