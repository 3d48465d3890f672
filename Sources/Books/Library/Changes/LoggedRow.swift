import FoundationEssentials
import GRDB

/// A row of the log, with the values of the changed row before the change, after it, and now. Each is nil if the row did not exist at that time.
struct LoggedRow {
  let key: String
  let before: [String: LoggedValue]?
  let after: [String: LoggedValue]?
  let current: [String: LoggedValue]?
  let picture: Data?

  /// - Parameter condition: SQL that selects and orders the rows.
  static func all(
    of change: Int64, _ images: Curation6.Images, where condition: String = "TRUE", in database: Database
  ) throws -> [LoggedRow] {
    let sql = """
      SELECT key, before, after, picture, \(images.now) AS current FROM change_row
      WHERE changeID = ? AND tableName = '\(images.table)' AND \(condition)
      """
    return try Row.fetchAll(database, sql: sql, arguments: [change]).map { row in
      let row = StoredRow(row, of: "change_row", by: "key")
      func image(_ column: String) throws -> [String: LoggedValue]? {
        try row.json(column, [String: LoggedValue].self, limit: 1 << 20)
      }
      return LoggedRow(
        key: try row.text("key"), before: try image("before"), after: try image("after"),
        current: try image("current"), picture: try row.blobIfAny("picture", limit: Finding.pictureLimit))
    }
  }

  /// The names of the columns that the change altered.
  var changed: [String] {
    guard let before, let after else { return [] }
    return before.keys.filter { before[$0] != after[$0] }.sorted()
  }
}

/// A value of the log's JSON.
enum LoggedValue: Equatable, Decodable {
  case null
  case number(Int64)
  case text(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The value for a column of the database. If `isReal`, a text is converted to a number.
  func value(isReal: Bool) -> DatabaseValue {
    switch self {
    case .null: .null
    case .number(let number): number.databaseValue
    case .text(let text): isReal ? (Double(text)?.databaseValue ?? .null) : text.databaseValue
    }
  }
}
