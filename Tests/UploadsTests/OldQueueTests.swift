import Foundation
import GRDB
import System
import Testing

@testable import Library
@testable import Uploads

/// A library of schema 4, made with that version's SQL. In this schema, a scan read on this machine waited for delivery as a job
/// with its books as JSON in `streamURL`, and a sighting was identified by its position.
@Suite struct OldQueueTests {
  private let folder = try! TemporaryFolder()

  private enum Key {
    static let read = "00000000-0000-4000-8000-000000000001"
    static let damaged = "00000000-0000-4000-8000-000000000002"
    static let given = "00000000-0000-4000-8000-000000000003"
    static let sent = "00000000-0000-4000-8000-000000000004"
    static let waiting = "00000000-0000-4000-8000-000000000005"
    static let empty = "00000000-0000-4000-8000-000000000006"
    static let delivered = "00000000-0000-4000-8000-000000000007"
  }

  private static let migrations = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('1 queue'), ('2 library'), ('3 full-text search'), ('4 deaths');
    """
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
    ALTER TABLE scan ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
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
  /// The JSON as `LocalJob` wrote it. The library already has the second book with its ISBN, and the third without one.
  private static let json = """
    local:[{"title":"Dune \\"x\\"","author":"F. Herbert","confidence":0.5},\
    {"isbn":"9780441478125","title":"The Left Hand","author":"Le Guin","confidence":0.5},\
    {"title":"emile","author":"","confidence":0.25}]
    """
  private static let rows = """
    INSERT INTO book (id, isbn, title, author, addedAt, spineConfidence, matchKey) VALUES
      (1, '9780441478125', 'The Left Hand of Darkness', 'Ursula K. Le Guin', 5, 0.8, 'the left hand of darkness'),
      (2, NULL, 'Émile', 'Rousseau', 6, 0.7, 'emile');
    INSERT INTO sighting VALUES
      ('\(Key.delivered)', 0, 1, 0.8), ('\(Key.delivered)', 1, 2, 0.7), ('\(Key.delivered)', 2, 2, NULL);
    INSERT INTO receipt VALUES ('\(Key.delivered)', 7, 3);
    INSERT INTO scan (key, capturedAt, mediaType, metadata, state, jobID, streamURL) VALUES
      ('\(Key.read)', 1, 'image/jpeg', '{}', 'uploaded', 'local-1b4e28ba-2fa1-41d2-883f-0016d3cca427', '\(json)'),
      ('\(Key.damaged)', 2, 'image/jpeg', '{}', 'uploaded', 'local-1b4e28ba-2fa1-41d2-883f-0016d3cca428', 'local:['),
      ('\(Key.given)', 3, 'image/jpeg', '{}', 'failed', 'local-1b4e28ba-2fa1-41d2-883f-0016d3cca429', '\(json)'),
      ('\(Key.sent)', 4, 'image/jpeg', '{}', 'uploaded', 'local-7', 'https://talaria/local-7'),
      ('\(Key.empty)', 6, 'image/jpeg', '{}', 'uploaded', 'local-1b4e28ba-2fa1-41d2-883f-0016d3cca430', 'local:[]');
    INSERT INTO scan (key, capturedAt, text, metadata, state) VALUES ('\(Key.waiting)', 5, 'DUNE', '{}', 'pending');
    INSERT INTO cleanup VALUES ('local-1b4e28ba-2fa1-41d2-883f-0016d3cca431', 2, 9), ('local-8', 1, 9), ('job-9', 0, 0);
    INSERT INTO pause VALUES (1, 1900000000000);
    """

  init() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/store/images", withIntermediateDirectories: true)
    let pool = try DatabasePool(path: "\(folder.path)/store/library.sqlite")
    try pool.write { database in
      for sql in [Self.migrations, Self.queue, Self.library, Self.rows] { try database.execute(sql: sql) }
    }
    for key in [Key.read, Key.damaged, Key.given, Key.sent, Key.empty] {
      try Data([0xFF]).write(to: URL(filePath: "\(folder.path)/store/images/\(key)"))
    }
  }

  @Test func booksThatWereReadHereAreInTheLibrary() async throws {
    let store = try folder.store()
    let books = try await store.library.books()
    #expect(books.map(\.title) == ["Dune \"x\"", "Émile", "The Left Hand of Darkness"])
    #expect(books.map(\.author) == ["F. Herbert", "Rousseau", "Ursula K. Le Guin"])
    #expect(try await store.library.search("emile rousseau").count == 1)
    #expect(try await store.library.search("dune x").count == 1)
    #expect(try await store.library.sightings(of: books[1]) == 3)
    // The scan is not delivered again, even if it is submitted again.
    let submission = Submission(
      key: UUID(uuidString: Key.read)!, content: .image([0xFF], mediaType: "image/jpeg"))
    #expect(try await store.queue.accept(submission) == .alreadyDelivered)
    #expect(try await store.queue.counts().delivered == 3)
  }

  @Test func whatWasNotUnderstoodIsReadAgainFromItsPhoto() async throws {
    let store = try folder.store()
    let scans = Dictionary(
      uniqueKeysWithValues: try await store.queue.scans().map { ($0.key.fileName, $0) })
    #expect(Set(scans.keys) == [Key.damaged, Key.given, Key.sent, Key.waiting])
    let damaged = try #require(scans[Key.damaged])
    #expect(damaged.state == .pending && damaged.job == nil && damaged.generation == 1)
    let given = try #require(scans[Key.given])
    #expect(given.state == .failed && given.job == nil)
    // A backend's job stays unchanged, even if its id looks like that of a local job.
    #expect(scans[Key.sent]?.job == QueuedScan.Job(id: "local-7", streamURL: "https://talaria/local-7"))
    #expect(Set(folder.images) == [Key.damaged, Key.given, Key.sent])
  }

  @Test func theQueueIsDeliveredOnce() async throws {
    let store = try folder.store()
    #expect(try await store.queue.retry() == 1)
    let backend = ScriptedBackend()
    await Uploader(store: store, backend: backend, clock: InstantClock()).drain()
    #expect(try await store.queue.counts() == ScanQueue.Counts(delivered: 7))
    #expect(folder.images.isEmpty)
    let done = backend.script.withLock { $0 }
    #expect(done.follows.contains("local-7") && done.uploads.count == 3)
    // The backend is asked to clean up its own jobs, but no local ones.
    #expect(Set(done.cleanups).isSuperset(of: ["local-7", "local-8", "job-9"]))
    #expect(!done.cleanups.contains { $0.hasPrefix("local-1b4e") })
  }

  @Test func sightingsHaveIdsAndNothingIsLeftOfTheOldWay() async throws {
    func sightings() async throws -> [[String]] {
      try await folder.store().database.read { database in
        try Row.fetchAll(database, sql: "SELECT scanKey, id FROM sighting ORDER BY scanKey, id").map {
          [$0["scanKey"], $0["id"]]
        }
      }
    }
    let first = try await sightings()
    #expect(first.count == 6 && Set(first.map { $0[1] }).count == 6)
    #expect(first.allSatisfy { UUID(uuidString: $0[1]) != nil })
    #expect(try await sightings() == first)
    let left = try await folder.store().database.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM scan WHERE streamURL LIKE 'local:%'")
    }
    #expect(left == 0)
    let damage = try await folder.store().database.writeWithoutTransaction {
      try String.fetchAll($0, sql: "PRAGMA integrity_check")
        + String.fetchAll($0, sql: "PRAGMA foreign_key_check")
    }
    #expect(damage == ["ok"])
  }
}
