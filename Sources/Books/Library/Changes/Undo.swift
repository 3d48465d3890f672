import FoundationEssentials
import GRDB

extension Library {
  /// Undoes the latest changes, the last one first: all of `count`, or none.
  ///
  /// Newer values are kept: columns that the change did not touch, and all later sightings. If the old and the newer value exclude each other,
  /// nothing is undone.
  /// - Parameter count: the number of changes, 1 or more. If the log has fewer, all of them are undone.
  /// - Returns: the undone changes, the latest first.
  /// - Throws: `badInput` naming the book if something newer would be lost, or if the change is too large; `storage`, `diskFull`.
  @discardableResult
  public func undo(_ count: Int = 1) async throws(DeliveryError) -> [LibraryChange] {
    try await store.write("undo") { database in
      let sql = "SELECT * FROM change ORDER BY id DESC LIMIT ?"
      let changes = try Row.fetchAll(database, sql: sql, arguments: [count]).map(
        LibraryChange.init(row:))
      for change in changes { try Undoing(change, database).run() }
      return changes
    }
  }

  /// Undoes one change, regardless of later ones.
  /// - Throws: the errors of ``undo(_:)``; `badInput` if the log does not have the change.
  @discardableResult
  public func undo(change id: LibraryChange.ID) async throws(DeliveryError) -> LibraryChange {
    try await store.write("undo change \(id)") { database in
      let row = try Row.fetchOne(database, sql: "SELECT * FROM change WHERE id = ?", arguments: [id])
      guard let change = try row.map(LibraryChange.init(row:)) else {
        throw DeliveryError(
          .badInput, "undo change \(id)", reason: "it is not in the log of changes",
          remedy: "list the changes and their ids with `swiftwing library undo --list`")
      }
      try Undoing(change, database).run()
      return change
    }
  }
}

private struct Undoing {
  private let change: LibraryChange
  private let database: Database

  init(_ change: LibraryChange, _ database: Database) throws {
    (self.change, self.database) = (change, database)
    guard change.canBeUndone else {
      throw refusal("it was too large to be written down book by book", "correct the books by hand")
    }
  }

  func run() throws {
    try BookUndoing(rows(.book), of: change.id, database, refusal).run()
    try rows(.spine).forEach(restoreSpine)
    try rows(.sighting).forEach(restoreSighting)
    try rows(.picture).forEach(restorePicture)
    try rows(.dismissal).forEach(restoreDismissal)
    try database.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [change.id])
  }

  private func rows(_ images: Curation6.Images) throws -> [LoggedRow] {
    try LoggedRow.all(of: change.id, images, in: database)
  }

  private func refusal(_ reason: String, _ remedy: String) -> DeliveryError {
    DeliveryError(
      .badInput, "undo change \(change.id) (\(change.kind.rawValue))", reason: reason, remedy: remedy)
  }

  /// Gives a spine back to its former book, together with the sightings of the spine since the change.
  private func restoreSpine(_ row: LoggedRow) throws {
    guard let before = row.before?["bookID"], let after = row.after?["bookID"],
      row.current?["bookID"] == after
    else { return }
    let books = [before.value(isReal: false), after.value(isReal: false)]
    try database.execute(
      sql: "UPDATE spine SET bookID = ? WHERE id = ?", arguments: [books[0], row.key])
    guard before != .null else { return }
    try database.execute(
      sql: """
        UPDATE sighting SET bookID = ? WHERE bookID = ? AND spineID = ? AND EXISTS
        (SELECT 1 FROM receipt WHERE receipt.scanKey = sighting.scanKey AND deliveredAt >= ?)
        """, arguments: [books[0], books[1], row.key, Milliseconds.of(change.madeAt)])
  }

  private func restoreSighting(_ row: LoggedRow) throws {
    let parts = row.key.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    guard let before = row.before else {
      // The book that the sighting belonged to after the change is deleted already.
      return try database.execute(sql: "DELETE FROM place WHERE findingID = ?", arguments: [parts[1]])
    }
    func value(_ column: String) -> DatabaseValue {
      (before[column] ?? .null).value(isReal: column == "confidence")
    }
    if row.current == nil {
      let sql = """
        INSERT INTO sighting (scanKey, id, bookID, spineID, title, author, confidence) VALUES (?, ?, ?, ?, ?, ?, ?)
        """
      let columns = ["bookID", "spineID", "title", "author", "confidence"].map(value)
      try database.execute(
        sql: sql, arguments: StatementArguments(parts.map(\.databaseValue) + columns))
    } else if row.current?["bookID"] == row.after?["bookID"] {
      try database.execute(
        sql: "UPDATE sighting SET bookID = ? WHERE scanKey = ? AND id = ?",
        arguments: [value("bookID"), parts[0], parts[1]])
    }
  }

  private func restorePicture(_ row: LoggedRow) throws {
    guard let book = Int64(row.key) else { return }
    if row.before == nil {
      try database.execute(sql: "DELETE FROM picture WHERE bookID = ?", arguments: [book])
    } else if row.current == nil, let picture = row.picture {
      try database.execute(
        sql: "INSERT INTO picture (bookID, jpeg) VALUES (?, ?)", arguments: [book, picture])
    }
  }

  private func restoreDismissal(_ row: LoggedRow) throws {
    guard let number = Int64(row.key) else { return }
    if row.before == nil {
      try database.execute(sql: "DELETE FROM dismissal WHERE number = ?", arguments: [number])
    }
  }
}
