/// A JSON document (RFC 8259) in memory. It is small and fast, because opening a corpus is part of a camera's cold start.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number written without point and exponent that fits into 64 bits.
  case integer(Int64)
  /// Any other number. JSON has only one kind of number, so code that expects a number must accept both cases.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

/// Strings and names are equal if their bytes are: `é` of one scalar is another name than `é` of two.
extension JSONValue: Hashable {
  package static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)):
      one.count == other.count
        && one.allSatisfy { name, value in
          guard let index = other.index(forKey: name) else { return false }
          return other.keys[index].utf8.elementsEqual(name.utf8) && other.values[index] == value
        }
    case (.null, _), (.bool, _), (.integer, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    // Strings with equal bytes also have equal characters, so their hashes agree.
    case .string(let value): hasher.combine(value)
    case .array(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members)
    }
  }
}

/// An error in a document, with its place.
package struct JSONError: Error, Hashable {
  /// The member and its flaw, such as "duration: must be 0 to 5, is 7".
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
