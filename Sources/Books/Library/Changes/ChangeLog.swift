import Bibliography
import FoundationEssentials
import GRDB

/// Writes down each row that a change touches, as it was and as it is then, in the change's own commit. Triggers do the first half while
/// `shelf.recording` names the change.
enum ChangeLog {
  /// Changes that are remembered, and those of them that keep the pictures they removed.
  static let (limit, pictureLimit) = (1000, 100)
  /// Most books of a change that are written down one by one, and of all changes together.
  static let (bookLimit, totalLimit) = (100_000, 500_000)

  /// Makes a change. One that touches nothing leaves nothing in the log.
  /// - Parameter subject: what was done, for a person; known when it is done.
  /// - Returns: what `body` returns, and the change.
  static func record<Value>(
    _ kind: LibraryChange.Kind, at now: Date, in database: Database, subject: (Value) -> String,
    _ body: (_ change: Int64) throws -> Value
  ) throws -> (value: Value, change: LibraryChange?) {
    try database.execute(
      sql: "INSERT INTO change (madeAt, kind, subject) VALUES (?, ?, '')",
      arguments: [Milliseconds.of(now), kind.rawValue])
    let change = database.lastInsertedRowID
    try database.execute(sql: "UPDATE shelf SET recording = ?", arguments: [change])
    let value = try body(change)
    try database.execute(sql: "UPDATE shelf SET recording = NULL")
    try seal(change, CleanText.line(subject(value), characters: 300), in: database)
    try prune(after: change, in: database)
    let row = try Row.fetchOne(database, sql: "SELECT * FROM change WHERE id = ?", arguments: [change])
    return (value, try row.map(LibraryChange.init(row:)))
  }

  /// The change is too large to be taken back: from here on its rows are not written down.
  static func giveUp(_ change: Int64, in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE shelf SET recording = NULL;
        DELETE FROM change_row WHERE changeID = :change;
        UPDATE change SET isWhole = 0 WHERE id = :change;
        """, arguments: ["change": change])
  }

  private static func seal(_ change: Int64, _ subject: String, in database: Database) throws {
    for images in Curation6.Images.all {
      try database.execute(
        sql: """
          UPDATE change_row SET after = \(images.now) WHERE changeID = ? AND tableName = '\(images.table)'
          """, arguments: [change])
    }
    try database.execute(
      sql: """
        DELETE FROM change_row WHERE changeID = :change AND before IS after;
        UPDATE change SET subject = :subject,
        books = (SELECT count(*) FROM change_row WHERE changeID = :change AND tableName = 'book') WHERE id = :change;
        DELETE FROM change WHERE id = :change AND isWhole AND NOT EXISTS
        (SELECT 1 FROM change_row WHERE changeID = :change);
        """, arguments: ["change": change, "subject": subject])
  }

  private static func prune(after change: Int64, in database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM change WHERE id <= :change - :limit OR id IN (
          SELECT id FROM (SELECT id, sum(books) OVER (ORDER BY id DESC) AS total FROM change)
          WHERE total > :total AND id <> :change);
        UPDATE change_row SET picture = NULL WHERE changeID BETWEEN :change - :pictures - 20 AND :change - :pictures
        AND tableName = 'picture';
        """,
      arguments: ["change": change, "limit": limit, "total": totalLimit, "pictures": pictureLimit])
  }
}

extension Curation6.Images {
  /// The row that `key` of `change_row` names, as it is now, in SQL.
  var now: String {
    func of(_ text: String) -> String { text.replacing("$.", with: "it.") }
    return "(SELECT \(of(json)) FROM \(table) AS it WHERE \(of(condition)))"
  }
}
