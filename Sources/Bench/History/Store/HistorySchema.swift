import GRDB

/// The tables of a history, with one migration per step. A released step never changes.
enum HistorySchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 runs") { try $0.execute(sql: runs) }
    return migrator
  }

  /// Returns whether a newer program has written the database.
  static func isNewer(_ database: Database) throws -> Bool {
    !(try migrator.appliedIdentifiers(database)).isSubset(of: migrator.migrations)
  }

  /// Returns the SQL statements that created a database. A `STRICT` table made by these statements, with sound pages, has values of the declared
  /// types.
  static func tables(of database: Database) throws -> Set<String> {
    try String.fetchSet(database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
  }

  /// Returns the statements that create a history.
  static func tables() throws -> Set<String> {
    let queue = try DatabaseQueue()
    try migrator.migrate(queue)
    return try queue.read(tables)
  }

  /// `setting` holds what must be equal for two runs to be comparable. `figure` holds a metric of a run: its order statistics, a digest of its
  /// samples (`QuantileDigest`), and for an exact metric also a checksum of all samples in their order.
  private static let runs = """
    CREATE TABLE setting (
      id INTEGER PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      kind TEXT NOT NULL,
      source TEXT NOT NULL,
      name TEXT NOT NULL,
      format TEXT NOT NULL,
      profile TEXT NOT NULL,
      duration TEXT NOT NULL,
      UNIQUE (fingerprint, kind, source, format, profile, duration)
    ) STRICT;
    CREATE TABLE run (
      id INTEGER PRIMARY KEY,
      identity BLOB NOT NULL UNIQUE,
      setting INTEGER NOT NULL REFERENCES setting (id),
      started INTEGER NOT NULL,
      build TEXT NOT NULL,
      version TEXT NOT NULL,
      verdict TEXT NOT NULL
    ) STRICT;
    CREATE INDEX run_order ON run (setting, started, id);
    CREATE TABLE metric (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      scenario TEXT NOT NULL,
      title TEXT NOT NULL,
      unit TEXT NOT NULL,
      polarity TEXT NOT NULL,
      level TEXT NOT NULL,
      kind TEXT NOT NULL,
      UNIQUE (name, scenario, unit, polarity, level, kind)
    ) STRICT;
    CREATE TABLE figure (
      run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      metric INTEGER NOT NULL REFERENCES metric (id),
      count INTEGER NOT NULL,
      median REAL,
      p90 REAL,
      p99 REAL,
      mean REAL,
      verdict TEXT NOT NULL,
      decides INTEGER NOT NULL,
      statistic TEXT,
      "limit" REAL,
      relative REAL NOT NULL,
      absolute REAL NOT NULL,
      samples BLOB NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (run, metric)
    ) STRICT, WITHOUT ROWID;
    """
}
