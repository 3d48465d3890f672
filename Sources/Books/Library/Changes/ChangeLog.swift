import Bibliography
import FoundationEssentials
import GRDB

/// Logs each row that a change touches, with its values before and after, in the same commit as the change. While `shelf.recording` names the change,
/// triggers log the values before it.
enum ChangeLog {
  /// `limit`: the maximum number of changes in the log. `pictureLimit`: the number of latest changes whose removed pictures are kept.
  static let (limit, pictureLimit) = (1000, 100)
  /// The maximum number of books that are logged one by one: for one change (`bookLimit`), and for all changes together (`totalLimit`).
  static let (bookLimit, totalLimit) = (100_000, 500_000)

  /// Makes a change by `body`, and logs it. A change that touches nothing is not logged.
  /// - Parameter subject: describes for a person what was done, from the value that `body` returns.
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

  /// Stops logging a change that is too large to be undone, and deletes its rows from the log.
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
  /// SQL for the present values of the row that `change_row.key` names.
  var now: String {
    func of(_ text: String) -> String { text.replacing("$.", with: "it.") }
    return "(SELECT \(of(json)) FROM \(table) AS it WHERE \(of(condition)))"
  }
}
