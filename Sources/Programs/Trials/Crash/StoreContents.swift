import GRDB
import Library

/// The contents of the library's store after a crash trial.
package struct StoreContents: Sendable {
  package let receipts: Set<String>
  package let titles: [String]
  package let sightings: Int
  /// Contradictions in the store; empty if there are none.
  package let findings: [String]

  package static func read(_ directory: String) async throws -> StoreContents {
    let pool = try DatabasePool(path: "\(directory)/\(Store.fileName)")
    return try await pool.writeWithoutTransaction { try StoreContents($0) }
  }

  private init(_ database: Database) throws {
    receipts = Set(try String.fetchAll(database, sql: "SELECT scanKey FROM receipt"))
    titles = try String.fetchAll(database, sql: "SELECT title FROM book")
    sightings = try Int.fetchOne(database, sql: "SELECT count(*) FROM sighting") ?? 0
    var findings = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    findings += try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "orphan \($0)" }
    for (sql, finding) in Self.rules where try Int.fetchOne(database, sql: sql) != 0 {
      findings.append(finding)
    }
    do {
      try database.execute(sql: "INSERT INTO book_text (book_text, rank) VALUES ('integrity-check', 1)")
    } catch { findings.append("the search index does not fit the books") }
    self.findings = findings
  }

  private static let rules = [
    ("SELECT count(*) FROM scan", "a scan is left in the queue"),
    ("SELECT count(*) FROM cleanup", "a cleanup is left in the queue"),
    (
      "SELECT count(*) FROM sighting WHERE scanKey NOT IN (SELECT scanKey FROM receipt)",
      "a book was seen in a scan that was never delivered"
    ),
    (
      "SELECT count(*) FROM book WHERE id NOT IN (SELECT bookID FROM sighting)", "a book was seen in no scan"
    ),
    (
      "SELECT count(*) FROM receipt r WHERE books <> (SELECT count(*) FROM sighting WHERE scanKey = r.scanKey)",
      "a scan has not the books it says"
    ),
  ]
}
