import JSON

/// Values of the state document.
extension JSONValue {
  /// The number rounded to six decimal places, which is enough for a person and a page. Null if unknown.
  static func number(known number: Double?) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    return .number((number * 1e6).rounded() / 1e6)
  }

  static func text(_ text: String?) -> JSONValue { text.map { .string(bounded($0)) } ?? .null }
  static func whole(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
  static func range(_ range: ClosedRange<Double>?) -> JSONValue {
    guard let range else { return .null }
    return .array([.number(known: range.lowerBound), .number(known: range.upperBound)])
  }

  /// The reason why something is not available.
  static func unsupported(_ reason: String) -> JSONValue {
    .object(["unsupported": .string(bounded(reason))])
  }

  /// Bounds a text, since names come from devices and files.
  private static func bounded(_ text: String) -> String {
    text.utf8.count <= 2048 ? text : String(text.prefix(500)) + "…"
  }

  /// The object with further members.
  func merging(_ others: [String: JSONValue]) -> JSONValue {
    guard case .object(let members) = self else { return .object(others) }
    return .object(members.merging(others) { $1 })
  }
}
