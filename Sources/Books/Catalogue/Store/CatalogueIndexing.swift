import Bibliography
import GRDB

/// Creates the indexes of a catalogue after its books are written.
enum CatalogueIndexing {
  /// - Parameter progress: called with the number of indexed books.
  static func index(_ database: Database, _ progress: (Int) -> Void) throws {
    let grams = try database.makeStatement(sql: "INSERT INTO gram (rowid, text) VALUES (?, ?)")
    let words = try database.makeStatement(sql: "INSERT INTO word (rowid, text) VALUES (?, ?)")
    let books = try Row.fetchCursor(
      database, sql: "SELECT id, title, subtitle, author, volume, publisher FROM book ORDER BY id")
    var count = 0
    while let row = try books.next() {
      let id: Int64 = row[0]
      let (title, author) = (
        FoldedText("\(row[1] as String) \(row[2] as String)"), FoldedText(row[3] as String)
      )
      try grams.execute(arguments: [id, Grams.text(title) + Grams.text(author)])
      let others = FoldedText("\(row[4] as String) \(row[5] as String)")
      let all = (title + author + others).words.map(\.text).joined(separator: " ")
      try words.execute(arguments: [id, all])
      count += 1
      if count.isMultiple(of: 1000) {
        try Task.checkCancellation()
        progress(count)
      }
    }
    try finish(database)
  }

  private static func finish(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO gram (gram) VALUES ('optimize');
        INSERT INTO word (word) VALUES ('optimize');
        CREATE VIRTUAL TABLE temp.gram_terms USING fts5vocab(main, gram, row);
        INSERT INTO gram_count SELECT term, doc FROM gram_terms;
        DROP TABLE temp.gram_terms;
        """)
  }
}
