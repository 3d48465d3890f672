import GRDB

/// Stores Open Library's keys of authors, until their names are known, in temporary tables. The tables are on disk and not part of the catalogue.
enum AuthorStaging {
  static func make(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        CREATE TEMP TABLE book_author (book INTEGER, place INTEGER, author INTEGER, PRIMARY KEY (book, place))
          STRICT, WITHOUT ROWID;
        CREATE TEMP TABLE work_author (work INTEGER, place INTEGER, author INTEGER, PRIMARY KEY (work, place))
          STRICT, WITHOUT ROWID;
        CREATE TEMP TABLE orphan (book INTEGER PRIMARY KEY, work INTEGER NOT NULL) STRICT;
        """)
  }

  static func add(_ authors: [(Int64, String)], in database: Database) throws {
    let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO author VALUES (?, ?)")
    for (key, name) in authors { try statement.execute(arguments: [key, name]) }
  }

  /// Stores the authors of a book. An edition without authors gets those of its work.
  static func add(_ record: CatalogueRecord, id: Int64, work: Int64?, in database: Database) throws {
    guard record.author.isEmpty else { return }
    for (place, author) in record.authorKeys.enumerated() {
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO book_author VALUES (?, ?, ?)")
        .execute(arguments: [id, place, author])
      guard let work else { continue }
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO work_author VALUES (?, ?, ?)")
        .execute(arguments: [work, place, author])
    }
    if record.authorKeys.isEmpty, let of = record.work {
      try database.cachedStatement(sql: "INSERT INTO orphan VALUES (?, ?)").execute(arguments: [id, of])
    }
  }

  /// Writes the names of the authors into the books. Keys without a name are left out.
  static func resolve(in database: Database) throws {
    try database.execute(
      sql: """
        BEGIN;
        INSERT OR IGNORE INTO book_author
          SELECT orphan.book, work_author.place, work_author.author
          FROM orphan JOIN work_author ON work_author.work = orphan.work;
        UPDATE book SET author = coalesce((
          SELECT substr(group_concat(name, '; '), 1, \(CatalogueRecord.fieldLimit))
          FROM book_author JOIN author ON author.id = book_author.author WHERE book_author.book = book.id), '')
          WHERE id IN (SELECT book FROM book_author);
        COMMIT;
        DROP TABLE author;
        DROP TABLE book_author;
        DROP TABLE work_author;
        DROP TABLE orphan;
        """)
  }
}
