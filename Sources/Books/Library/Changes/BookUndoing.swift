import FoundationEssentials
import GRDB

/// Restores the books of one change: checks all of them first, then writes them.
struct BookUndoing {
  private let rows: [(id: Book.ID, row: LoggedRow)]
  private let database: Database
  private let change: LibraryChange.ID
  private let refusal: (_ reason: String, _ remedy: String) -> DeliveryError

  init(
    _ rows: [LoggedRow], of change: LibraryChange.ID, _ database: Database,
    _ refusal: @escaping (_ reason: String, _ remedy: String) -> DeliveryError
  ) {
    self.rows = rows.compactMap { row in Int64(row.key).map { (id: $0, row: row) } }
    (self.change, self.database, self.refusal) = (change, database, refusal)
  }

  func run() throws {
    for (id, row) in rows { try check(id, row) }
    for (id, row) in rows where row.before == nil {
      try database.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [id])
    }
    // The change may have moved ISBNs between the books, so clear them before writing.
    for (id, row) in rows where row.changed.contains("isbn") {
      try database.execute(sql: "UPDATE book SET isbn = NULL WHERE id = ?", arguments: [id])
    }
    for (id, row) in rows where row.after == nil { try insert(id, row) }
    for (id, row) in rows where !row.changed.isEmpty { try restore(id, row) }
  }

  private func check(_ id: Book.ID, _ row: LoggedRow) throws {
    switch (row.before, row.after) {
    case (nil, _):
      if row.current != nil { try checkUntouched(id, row) }
    case (let before?, nil):
      if row.current != nil {
        throw refusal("the library has a book \(id) again", "list the books, and correct them by hand")
      }
      try checkISBN(before["isbn"], of: id)
    case (let before?, let after?):
      guard let current = row.current else {
        throw refusal(
          "book \(id) has been deleted since",
          "undo the change that deleted it first, or add it with `swiftwing library import`"
        )
      }
      for column in row.changed where !Self.newerStays(column, row) && current[column] != after[column] {
        throw refusal(
          "the \(Self.names[column] ?? column) of book \(id) has been changed since",
          "undo the newer change first, or edit the book")
      }
      if row.changed.contains("isbn") { try checkISBN(before["isbn"], of: id) }
    }
  }

  /// Whether a column keeps its current value because it is newer: a machine has since read the spine better, or a person has confirmed the book
  /// again.
  private static func newerStays(_ column: String, _ row: LoggedRow) -> Bool {
    let decisive = column == "certainty" ? "confirmedAt" : column
    guard decisive == "confirmedAt" || decisive == "spineConfidence" else { return false }
    return row.current?[decisive] != row.after?[decisive]
  }

  private static let names = ["addedAt": "date", "coverURL": "cover", "confirmedAt": "confirmation"]

  /// Checks that a book that the change added may be deleted: its values have not changed since, and it has no spine and no sightings except those
  /// of the change.
  private func checkUntouched(_ id: Book.ID, _ row: LoggedRow) throws {
    let isSeen =
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (SELECT 1 FROM sighting WHERE bookID = :id AND NOT EXISTS (SELECT 1 FROM change_row
          WHERE changeID = :change AND tableName = 'sighting' AND key = scanKey || '/' || id AND before ISNULL))
          OR EXISTS (SELECT 1 FROM spine WHERE bookID = :id)
          """, arguments: ["id": id, "change": change]) ?? false
    guard !isSeen, row.current == row.after else {
      throw refusal(
        isSeen
          ? "book \(id), which the change added, has been seen by a scan since"
          : "book \(id), which the change added, has been changed since",
        isSeen ? "delete the books that are wrong by their ids" : "undo the newer change first")
    }
  }

  private func checkISBN(_ value: LoggedValue?, of id: Book.ID) throws {
    // A book that undoing deletes, or gives another ISBN, is not in the way.
    func leaves(_ id: Book.ID) -> Bool {
      rows.contains { $0.id == id && ($0.row.before == nil || $0.row.changed.contains("isbn")) }
    }
    guard let isbn = value?.text, let other = try Book.with(isbn: isbn, in: database), other.id != id,
      !leaves(other.id)
    else { return }
    throw refusal(
      "book \(other.id) has been given the ISBN \(isbn) since",
      "merge the books, or take the ISBN from book \(other.id), first")
  }

  private static let columns = [
    "isbn", "title", "author", "coverURL", "format", "addedAt", "spineConfidence", "certainty", "confirmedAt",
    "copies",
  ]

  private static func value(_ column: String, _ image: [String: LoggedValue]) -> DatabaseValue {
    (image[column] ?? .null).value(isReal: column == "spineConfidence")
  }

  private func insert(_ id: Book.ID, _ row: LoggedRow) throws {
    guard let before = row.before else { return }
    let values = Self.columns.map { Self.value($0, before) }
    let names = (["id", "matchKey"] + Self.columns).joined(separator: ", ")
    let places = Array(repeating: "?", count: Self.columns.count + 2).joined(separator: ", ")
    let key = BookMatch.key(title: before["title"]?.text ?? "")
    try database.execute(
      sql: "INSERT INTO book (\(names)) VALUES (\(places))",
      arguments: StatementArguments([id.databaseValue, key.databaseValue] + values))
  }

  private func restore(_ id: Book.ID, _ row: LoggedRow) throws {
    guard let before = row.before else { return }
    for column in row.changed where Self.columns.contains(column) {
      if Self.newerStays(column, row) { continue }
      try database.execute(
        sql: "UPDATE book SET \(column) = ? WHERE id = ?", arguments: [Self.value(column, before), id])
    }
    guard row.changed.contains("title"), let title = before["title"]?.text else { return }
    try database.execute(
      sql: "UPDATE book SET matchKey = ? WHERE id = ?", arguments: [BookMatch.key(title: title), id])
  }
}
