import JSON

/// JSON values compared as in JSON Schema: there is one type of number, and 1 equals 1.0.
extension JSONValue {
  /// The name of the type in JSON Schema.
  var type: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The value in a clause.
  var text: String {
    switch self {
    case .string(let value): "`\(value)`"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .null, .array, .object: type
    }
  }

  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The number, rounded to the nearest `Double` beyond 2⁵³.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }
  var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  /// Returns whether the values are equal by JSON Schema ("Instance Equality").
  func isSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.integer, .number), (.number, .integer): number == other.number
    case (.array(let values), .array(let others)):
      values.count == others.count && zip(values, others).allSatisfy { $0.isSame(as: $1) }
    case (.object(let members), .object(let others)):
      members.count == others.count
        && members.allSatisfy { name, value in others[name].map { value.isSame(as: $0) } ?? false }
    default: self == other
    }
  }
}
