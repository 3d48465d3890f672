import Bibliography
import FoundationEssentials
import GRDB

/// A row as stored in the file. A value that the schema does not allow (of another type, a number out of range, an endless text) throws an error that
/// names the cell; a subscript of `Row` would end the process.
struct StoredRow {
  private let row: Row
  private let table: String
  private let key: String

  /// `textLimit`: the maximum size of a text in bytes, unless the column sets another limit. `countLimit`: the maximum value of a count.
  static let (textLimit, countLimit) = (1 << 16, Int64(1) << 40)
  /// The range of valid times, in milliseconds since 1970: from the year 1 to the end of the year 9999.
  static let times = Int64(-62_135_769_600_000)...253_402_300_799_999

  /// - Parameter key: the column that identifies the row in an error message.
  init(_ row: Row, of table: String, by key: String = "id") {
    (self.row, self.table, self.key) = (row, table, key)
  }

  func text(_ column: String, limit: Int = Self.textLimit) throws -> String {
    guard let text = try textIfAny(column, limit: limit) else { throw damage(column, "is missing") }
    return text
  }

  func textIfAny(_ column: String, limit: Int = Self.textLimit) throws -> String? {
    switch value(column).storage {
    case .null: return nil
    case .string(let text):
      guard text.utf8.count <= limit else { throw damage(column, "is longer than \(limit) bytes") }
      return text
    case .int64, .double: throw damage(column, "is a number, not a text")
    case .blob: throw damage(column, "is a blob, not a text")
    }
  }

  /// A text that identifies rows. It must be valid UTF-8: a repaired text would not match the bytes in the file.
  func identifier(_ column: String) throws -> String {
    let text = try text(column)
    guard !text.unicodeScalars.contains("\u{FFFD}") else { throw damage(column, "is not UTF-8") }
    return text
  }

  func integer(_ column: String, in range: ClosedRange<Int64> = .min ... .max) throws -> Int64 {
    guard let number = try integerIfAny(column, in: range) else { throw damage(column, "is missing") }
    return number
  }

  func integerIfAny(_ column: String, in range: ClosedRange<Int64> = .min ... .max) throws -> Int64? {
    switch value(column).storage {
    case .null: return nil
    case .int64(let number):
      guard range.contains(number) else { throw damage(column, "is \(number), which is out of range") }
      return number
    case .double, .string, .blob: throw damage(column, "is no whole number")
    }
  }

  /// A count, 0 or more.
  func count(_ column: String) throws -> Int { Int(try integer(column, in: 0...Self.countLimit)) }

  func flag(_ column: String) throws -> Bool { try integer(column, in: 0...1) == 1 }

  func real(_ column: String, in range: ClosedRange<Double>) throws -> Double {
    guard let number = try realIfAny(column, in: range) else { throw damage(column, "is missing") }
    return number
  }

  func realIfAny(_ column: String, in range: ClosedRange<Double>) throws -> Double? {
    let number: Double
    switch value(column).storage {
    case .null: return nil
    case .double(let value): number = value
    case .int64(let value): number = Double(value)
    case .string, .blob: throw damage(column, "is no number")
    }
    guard range.contains(number) else { throw damage(column, "is \(number), which is out of range") }
    return number
  }

  func time(_ column: String) throws -> Date { Milliseconds.date(try integer(column, in: Self.times)) }

  func timeIfAny(_ column: String) throws -> Date? {
    try integerIfAny(column, in: Self.times).map(Milliseconds.date)
  }

  func blobIfAny(_ column: String, limit: Int) throws -> Data? {
    switch value(column).storage {
    case .null: return nil
    case .blob(let bytes):
      guard bytes.count <= limit else { throw damage(column, "is longer than \(limit) bytes") }
      return bytes
    case .int64, .double, .string: throw damage(column, "is no blob")
    }
  }

  /// A value of `Value` that the column stores as its raw text.
  func name<Value: RawRepresentable<String>>(_ column: String, _ type: Value.Type) throws -> Value {
    guard let value = try nameIfAny(column, type) else { throw damage(column, "is missing") }
    return value
  }

  func nameIfAny<Value: RawRepresentable<String>>(_ column: String, _ type: Value.Type) throws -> Value? {
    try textIfAny(column).map { text in
      guard let value = Value(rawValue: text) else {
        throw damage(column, "is not one of the values that it may have")
      }
      return value
    }
  }

  func uuid(_ column: String) throws -> UUID {
    guard let id = UUID(uuidString: try text(column)) else { throw damage(column, "is no UUID") }
    return id
  }

  func json<Value: Decodable>(_ column: String, _ type: Value.Type, limit: Int) throws -> Value? {
    try textIfAny(column, limit: limit).map { text in
      do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch {
        throw damage(column, "is not the JSON that it must be")
      }
    }
  }

  /// The value of a column. A missing column counts as null.
  private func value(_ column: String) -> DatabaseValue { row[column] ?? .null }

  func damage(_ column: String, _ flaw: String) -> DeliveryError {
    let name =
      switch value(key).storage {
      case .int64(let number): String(number)
      case .string(let text): CleanText.line(text, characters: 80)
      case .null, .double, .blob: "without a usable \(key)"
      }
    return .damaged("read the library", "in the row \(name) of its table \(table), \(column) \(flaw)")
  }
}

extension DeliveryError {
  static func damaged(_ action: String, _ reason: String) -> DeliveryError {
    DeliveryError(.damaged, action, reason: reason, remedy: "restore the library file from a backup")
  }
}
