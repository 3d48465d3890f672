import JSON

/// A value as JSON Schema sees it: there is one kind of number, and 1 and 1.0 are the same.
extension JSONValue {
  /// The name JSON Schema has for its type.
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

  /// As a clause names it.
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
  /// Beyond 2⁵³ the nearest.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }
  var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  /// Equal as JSON Schema has it ("Instance Equality").
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
