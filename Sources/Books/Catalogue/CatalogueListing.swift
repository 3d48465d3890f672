import Bibliography
import GRDB

/// The size and origin of a catalogue.
package struct CatalogueInfo: Sendable, Equatable, Codable {
  package var books: Int
  package var isbns: Int
  /// The time at which the catalogue was created, in UTC by ISO 8601.
  package var made: String
  package var sources: [String]
  package var bytes: Int
}

package struct CatalogueBook: Sendable, Equatable, Codable {
  package var title: String
  package var subtitle: String?
  package var author: String?
  package var volume: String?
  package var edition: String?
  package var publisher: String?
  /// The ISBNs, of thirteen digits each.
  package var isbns: [String]
}

extension Catalogue {
  package func info() throws(CatalogueError) -> CatalogueInfo {
    try read("read the catalogue") { database in
      func about(_ name: String) throws -> String {
        try String.fetchOne(database, sql: "SELECT value FROM about WHERE name = ?", arguments: [name]) ?? ""
      }
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      return CatalogueInfo(
        books: try Int.fetchOne(database, sql: "SELECT count(*) FROM book") ?? 0,
        isbns: try Int.fetchOne(database, sql: "SELECT count(*) FROM isbn") ?? 0,
        made: try about("made"), sources: try about("sources").split(separator: "\n").map(String.init),
        bytes: pages * size)
    }
  }

  /// Finds the books with the ISBN `text` or, if `text` is no ISBN, the books that have every word of it in title, subtitle, author, volume or
  /// publisher. Accents and case are ignored, and the last word may be the beginning of a word.
  package func search(_ text: String, limit: Int) throws(CatalogueError) -> [CatalogueBook] {
    try read("search the catalogue") { database in
      if let isbn = ISBNNumber(text) {
        return try StoredBook.fetch(isbn: isbn, in: database).prefix(limit).map(\.listed)
      }
      // The index divides some words further, such as Indic ones at their vowel signs, and has no phrases.
      let tokenizer = try database.makeTokenizer(.unicode61())
      let words = try FoldedText(text).words.prefix(32).flatMap {
        try tokenizer.tokenize(query: $0.text).map(\.token)
      }.prefix(32)
      guard let last = words.last else { return [] }
      let query = (words.dropLast().map { "\"\($0)\"" } + ["\"\(last)\" *"]).joined(separator: " AND ")
      let ids = try Int64.fetchAll(
        database, sql: "SELECT rowid FROM word WHERE word MATCH ? LIMIT ?", arguments: [query, limit])
      return try ids.compactMap { try StoredBook.fetch(id: $0, in: database)?.listed }
    }
  }
}
