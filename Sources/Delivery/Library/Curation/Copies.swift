import GRDB

/// How many physical books a record is.
///
/// A spine seen again from elsewhere may be taken for another, so spines are not simply counted: only those that were seen at the same
/// time, or at two places of one view, are certain to be two.
enum Copies {
  static func count(_ books: [Book], in database: Database) throws -> [Book.ID: Int] {
    var copies: [Book.ID: Int] = [:]
    let statement = try database.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM spine WHERE bookID = ? LIMIT 1 OFFSET 1)")
    for book in books {
      if let stated = book.statedCopies {
        copies[book.id] = stated
      } else if try Bool.fetchOne(statement, arguments: [book.id]) == true {
        copies[book.id] = try max(1, inOnePhoto(book.id, in: database), inOneView(book.id, in: database))
      } else {
        copies[book.id] = 1
      }
    }
    return copies
  }

  private static func inOnePhoto(_ book: Book.ID, in database: Database) throws -> Int {
    let sql = """
      SELECT max(spines) FROM (SELECT count(DISTINCT spineID) AS spines FROM sighting WHERE bookID = ? GROUP BY scanKey)
      """
    return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [book]) ?? 0
  }

  private static func inOneView(_ book: Book.ID, in database: Database) throws -> Int {
    let sql = "SELECT * FROM spine WHERE bookID = ? ORDER BY number LIMIT 1000"
    let spines = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [book]).compactMap(
      Spine.init(row:))
    return Dictionary(grouping: spines, by: \.view).values.map(apart).max() ?? 0
  }

  /// How many of them lie apart.
  private static func apart(_ spines: [Spine]) -> Int {
    var kept: [Spine.Place] = []
    for place in spines.compactMap(\.place) where kept.allSatisfy({ $0.liesApart(from: place) }) {
      kept.append(place)
    }
    return kept.count
  }
}

extension Spine.Place {
  /// Whether less than three tenths of the smaller box lie in the other.
  func liesApart(from other: Spine.Place) -> Bool {
    let wide = min(x + width, other.x + other.width) - max(x, other.x)
    let high = min(y + height, other.y + other.height) - max(y, other.y)
    let smaller = min(width * height, other.width * other.height)
    return wide <= 0 || high <= 0 || wide * high < 0.3 * smaller
  }
}
