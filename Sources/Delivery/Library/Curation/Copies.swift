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

  /// A spine and a cover of one book are read side by side too, where it is seen at an angle: their texts run in different directions.
  private static func inOnePhoto(_ book: Book.ID, in database: Database) throws -> Int {
    let sql = """
      SELECT DISTINCT scanKey, spineID, angle FROM sighting LEFT JOIN spine ON spine.id = spineID
      WHERE sighting.bookID = ? AND spineID NOTNULL LIMIT 10000
      """
    var angles: [String: [Double?]] = [:]
    for row in try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [book]) {
      let scan = try row.decode(String.self, forColumn: "scanKey")
      angles[scan, default: []].append(try row.decode(Double?.self, forColumn: "angle"))
    }
    return angles.values.map(parallel).max() ?? 0
  }

  /// How many of them stand alike: the most that are parallel. One of which no direction is known counts with any.
  private static func parallel(_ angles: [Double?]) -> Int {
    let known = angles.compactMap(\.self)
    let most = known.map { one in known.count { Spine.Place.areParallel(one, $0) } }.max() ?? 0
    return most + angles.count - known.count
  }

  private static func inOneView(_ book: Book.ID, in database: Database) throws -> Int {
    let sql = "SELECT * FROM spine WHERE bookID = ? ORDER BY number LIMIT 1000"
    let spines = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [book]).map(Spine.init(row:))
    return Dictionary(grouping: spines, by: \.view).values.map(apart).max() ?? 0
  }

  /// How many of them lie apart.
  private static func apart(_ spines: [Spine]) -> Int {
    var kept: [Spine.Place] = []
    for place in spines.compactMap(\.place) where kept.allSatisfy({ $0.isCopy(beside: place) }) {
      kept.append(place)
    }
    return kept.count
  }
}

extension Spine.Place {
  /// Whether texts at these angles, degrees, run along the same line, either way; 30 degrees off at most.
  static func areParallel(_ one: Double, _ other: Double) -> Bool {
    let turn = abs(one - other).truncatingRemainder(dividingBy: 180)
    return turn.isFinite && min(turn, 180 - turn) <= 30
  }

  /// Whether the same words here and there are two physical books, and not the spine and the cover of one.
  func isCopy(beside other: Spine.Place) -> Bool {
    liesApart(from: other) && Self.areParallel(angle, other.angle)
  }

  /// Whether less than three tenths of the smaller box lie in the other.
  func liesApart(from other: Spine.Place) -> Bool {
    let wide = min(x + width, other.x + other.width) - max(x, other.x)
    let high = min(y + height, other.y + other.height) - max(y, other.y)
    let smaller = min(width * height, other.width * other.height)
    return wide <= 0 || high <= 0 || wide * high < 0.3 * smaller
  }
}
