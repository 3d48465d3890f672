import Bibliography
import GRDB

/// The schema of the database, in migrations. A migration that was released is never changed.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 queue") { try $0.execute(sql: queue) }
    migrator.registerMigration("2 library") { try $0.execute(sql: library) }
    migrator.registerMigration("3 full-text search") { try $0.execute(sql: search) }
    migrator.registerMigration("4 deaths") { try $0.execute(sql: deaths) }
    migrator.registerMigration("5 findings", migrate: Findings5.migrate)
    migrator.registerMigration("6 curation", migrate: Curation6.migrate)
    migrator.registerMigration("7 confidence", migrate: Confidence7.migrate)
    migrator.registerMigration("8 photographs") { try $0.execute(sql: Photographs8.tables) }
    migrator.registerMigration("9 clock") { try $0.execute(sql: clock) }
    // The place of a photograph's shelf, in a person's words.
    migrator.registerMigration("10 locations") {
      try $0.execute(sql: "ALTER TABLE photograph ADD COLUMN location TEXT")
    }
    return migrator
  }

  /// The relation of a database's schema to this program's schema.
  enum Standing: Equatable {
    case new, older, current
    /// A newer program has written the database. The value is the number of its last migration.
    case newer(String)
  }

  static func standing(_ database: Database) throws -> Standing {
    let (known, found) = (migrator.migrations, try migrator.appliedIdentifiers(database))
    let unknown = found.subtracting(known)
    guard unknown.isEmpty else { return .newer(version(of: unknown)) }
    if found.isEmpty { return .new }
    return found.count < known.count ? .older : .current
  }

  /// The number at the beginning of the last migration's name, or the name itself if it has no number.
  private static func version(of migrations: some Collection<String>) -> String {
    let numbers = migrations.compactMap { Int($0.prefix { $0.isNumber }) }
    return numbers.max().map(String.init) ?? CleanText.line(migrations.max() ?? "none", characters: 40)
  }

  static func refusal(of path: String, _ found: String) -> DeliveryError {
    DeliveryError(
      .badInput, "open the library \(path)",
      reason:
        "a newer SwiftWing has written it: its schema is \(found), this one's is \(version(of: migrator.migrations))",
      remedy: "use the newer SwiftWing, or choose another library with --library")
  }

  /// Tables of the queue. A scan is deleted in the commit that delivers it. Its receipt is kept, so that the scan is never delivered again.
  private static let queue = """
    CREATE TABLE scan (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      capturedAt INTEGER NOT NULL,
      mediaType TEXT,
      text TEXT,
      metadata TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'uploaded', 'failed')),
      generation INTEGER NOT NULL DEFAULT 0,
      jobID TEXT,
      streamURL TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      notBefore INTEGER NOT NULL DEFAULT 0,
      failure TEXT
    ) STRICT;
    CREATE INDEX scan_due ON scan (notBefore, id) WHERE state <> 'failed';
    CREATE TABLE receipt (scanKey TEXT PRIMARY KEY, deliveredAt INTEGER NOT NULL, books INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE cleanup (jobID TEXT PRIMARY KEY, attempts INTEGER NOT NULL DEFAULT 0, notBefore INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
    CREATE INDEX cleanup_due ON cleanup (notBefore);
    CREATE TABLE pause (id INTEGER PRIMARY KEY CHECK (id = 1), until INTEGER NOT NULL) STRICT;
    """

  private static let library = """
    CREATE TABLE book (
      id INTEGER PRIMARY KEY,
      isbn TEXT UNIQUE,
      title TEXT NOT NULL,
      author TEXT NOT NULL,
      coverURL TEXT,
      format TEXT,
      addedAt INTEGER NOT NULL,
      spineConfidence REAL,
      matchKey TEXT NOT NULL
    ) STRICT;
    CREATE INDEX book_match ON book (matchKey);
    CREATE TABLE sighting (
      scanKey TEXT NOT NULL,
      ordinal INTEGER NOT NULL,
      bookID INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE,
      confidence REAL,
      PRIMARY KEY (scanKey, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sighting_book ON sighting (bookID);
    """

  /// The time at which `uptime` was 0, on the time line of the queue (`QueueTime`), in milliseconds since 1970, and the id of the machine start from
  /// which `uptime` counts.
  private static let clock = """
    CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), boot TEXT NOT NULL, epoch INTEGER NOT NULL) STRICT
    """

  /// The number of processes that ended while working on the scan.
  private static let deaths = "ALTER TABLE scan ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0"

  private static let search = """
    CREATE VIRTUAL TABLE book_text USING fts5(
      title, author, content = 'book', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3');
    INSERT INTO book_text (book_text) VALUES ('rebuild');
    CREATE TRIGGER book_text_insert AFTER INSERT ON book BEGIN
      INSERT INTO book_text (rowid, title, author) VALUES (new.id, new.title, new.author);
    END;
    CREATE TRIGGER book_text_delete AFTER DELETE ON book BEGIN
      INSERT INTO book_text (book_text, rowid, title, author) VALUES ('delete', old.id, old.title, old.author);
    END;
    CREATE TRIGGER book_text_update AFTER UPDATE OF title, author ON book BEGIN
      INSERT INTO book_text (book_text, rowid, title, author) VALUES ('delete', old.id, old.title, old.author);
      INSERT INTO book_text (rowid, title, author) VALUES (new.id, new.title, new.author);
    END;
    """
}
