import GRDB

/// Counts the physical books of a record.
///
/// A spine seen from another position may be taken for another spine, so the number of spines is not the number of copies. Only spines seen at the
/// same time, or at two places of one view, are certainly different books.
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
    let sql =
      "SELECT DISTINCT scanKey, spineID FROM sighting WHERE bookID = ? AND spineID NOTNULL LIMIT 10000"
    let places = try places(of: book, in: database)
    var seen: [String: [Spine.Place?]] = [:]
    for row in try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [book]) {
      let spine = try row.decode(String.self, forColumn: "spineID")
      seen[try row.decode(String.self, forColumn: "scanKey"), default: []].append(places[spine])
    }
    return seen.values.map(copies).max() ?? 0
  }

  /// The place where each spine of a book was last seen, by the spine's id.
  static func places(of book: Book.ID, in database: Database) throws -> [String: Spine.Place] {
    let sql = "SELECT * FROM spine WHERE bookID = ? ORDER BY number LIMIT 1000"
    let spines = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [book]).compactMap(
      Spine.init(row:))
    return spines.reduce(into: [:]) { $0[$1.id.fileName] = $1.place }
  }

  /// The number of books at places that were seen at the same time. The spine and the cover of one book, which are both read when the book is seen at
  /// an angle, count as one.
  private static func copies(_ places: [Spine.Place?]) -> Int {
    var kept: [Spine.Place] = []
    for place in places.compactMap(\.self) where !kept.contains(where: { $0.isOtherSide(of: place) }) {
      kept.append(place)
    }
    return kept.count + places.count(where: { $0 == nil })
  }

  private static func inOneView(_ book: Book.ID, in database: Database) throws -> Int {
    let sql = "SELECT * FROM spine WHERE bookID = ? ORDER BY number LIMIT 1000"
    let spines = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [book]).map(Spine.init(row:))
    return Dictionary(grouping: spines, by: \.view).values.map(apart).max() ?? 0
  }

  /// The number of spines that lie apart from each other.
  private static func apart(_ spines: [Spine]) -> Int {
    var kept: [Spine.Place] = []
    for place in spines.compactMap(\.place) where kept.allSatisfy({ $0.isCopy(beside: place) }) {
      kept.append(place)
    }
    return kept.count
  }
}

extension Spine.Place {
  /// Whether the two places are the spine and the cover of one book: their directions differ by more than 30 degrees, and the cover's text is a
  /// block. A copy that lies flat is no cover: its text is as slim as that of a standing copy.
  package func isOtherSide(of other: Spine.Place) -> Bool {
    let turn = abs(angle - other.angle).truncatingRemainder(dividingBy: 180)
    guard turn.isFinite, min(turn, 180 - turn) > 30 else { return false }
    let (wider, slimmer) = (min(slimness, other.slimness), max(slimness, other.slimness))
    return wider <= 6 && slimmer >= 2 * wider
  }

  /// The ratio of the longer side of the box to the shorter one.
  private var slimness: Double { max(width, height) / max(min(width, height), 1) }

  /// Whether two places with the same words are two physical books, rather than the spine and the cover of one book.
  func isCopy(beside other: Spine.Place) -> Bool {
    liesApart(from: other) && !isOtherSide(of: other)
  }

  /// Whether the two boxes overlap by less than three tenths of the smaller box.
  func liesApart(from other: Spine.Place) -> Bool {
    let wide = min(x + width, other.x + other.width) - max(x, other.x)
    let high = min(y + height, other.y + other.height) - max(y, other.y)
    let smaller = min(width * height, other.width * other.height)
    return wide <= 0 || high <= 0 || wide * high < 0.3 * smaller
  }
}
