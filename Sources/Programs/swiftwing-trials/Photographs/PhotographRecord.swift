import GRDB
import Library

/// A library's contents from photographs, without row numbers and times, which differ from run to run.
struct PhotographRecord: Sendable {
  let receipts: Int
  let books: Int
  /// A line for each book, sighting, spine and receipt, with the number of its occurrences.
  private let lines: [String: Int]

  static func read(_ directory: String) async throws -> PhotographRecord {
    let pool = try DatabasePool(path: "\(directory)/\(Store.fileName)")
    return try await pool.read { try PhotographRecord($0) }
  }

  private init(_ database: Database) throws {
    receipts = try Int.fetchOne(database, sql: "SELECT count(*) FROM receipt") ?? 0
    books = try Int.fetchOne(database, sql: "SELECT count(*) FROM book") ?? 0
    lines = try Self.queries.reduce(into: [:]) { lines, sql in
      for line in try String.fetchAll(database, sql: sql) { lines[line, default: 0] += 1 }
    }
  }

  private static let queries = [
    "SELECT 'book ' || title || ' / ' || author || ' ' || ifnull(certainty, '-') FROM book",
    """
    SELECT 'sighting ' || scanKey || ' ' || s.id || ' ' || ifnull(spineID, '-') || ' ' || b.title
    FROM sighting s JOIN book b ON b.id = s.bookID
    """,
    "SELECT 'spine ' || id || ' ' || title || ' ' || sightings FROM spine",
    "SELECT 'receipt ' || scanKey || ' ' || books FROM receipt",
    "SELECT 'picture ' || b.title FROM picture p JOIN book b ON b.id = p.bookID",
  ]

  /// Compares two libraries.
  /// - Returns: the lines that the other library has more often (`lost`), and the lines that this library has more often (`doubled`).
  func differences(from other: PhotographRecord) -> (lost: [String], doubled: [String]) {
    let lost = other.lines.filter { lines[$0.key, default: 0] < $0.value }.map(\.key)
    let doubled = lines.filter { other.lines[$0.key, default: 0] < $0.value }.map(\.key)
    return (lost.sorted(), doubled.sorted())
  }
}
