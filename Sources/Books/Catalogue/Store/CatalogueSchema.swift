import GRDB

/// The tables of a catalogue. `docs/catalogue.md` describes them for other programs.
enum CatalogueSchema {
  /// The application id in the header of the file, `SWCA`.
  static let applicationID: Int32 = 0x5357_4341
  /// The version of these tables, in `user_version`.
  static let version: Int32 = 1

  /// `gram` finds books by trigrams, `word` by words; neither stores the text itself. `gram_count` has the number of books with each trigram.
  static let tables = [
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, subtitle TEXT NOT NULL, author TEXT NOT NULL, "
      + "volume TEXT NOT NULL, edition TEXT NOT NULL, publisher TEXT NOT NULL) STRICT",
    "CREATE TABLE isbn (isbn INTEGER NOT NULL, book INTEGER NOT NULL, PRIMARY KEY (isbn, book)) STRICT, WITHOUT ROWID",
    "CREATE VIRTUAL TABLE gram USING fts5(text, content='', detail=none, columnsize=0, tokenize='trigram case_sensitive 1')",
    "CREATE VIRTUAL TABLE word USING fts5(text, content='', detail=none, columnsize=0, tokenize='unicode61')",
    "CREATE TABLE gram_count (gram TEXT PRIMARY KEY, books INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX isbn_book ON isbn (book)",
  ]

  static func make(in database: Database) throws {
    try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    for statement in tables { try database.execute(sql: statement) }
  }

  /// Whether a database has exactly these tables, without hidden additions.
  static func isWhole(_ database: Database) throws -> Bool {
    let statements = try String.fetchSet(
      database,
      sql: """
        SELECT sql FROM sqlite_master WHERE sql IS NOT NULL
        AND NOT (type = 'table' AND (name GLOB 'gram_*' OR name GLOB 'word_*') AND name <> 'gram_count')
        """)
    return statements == Set(tables)
  }
}
