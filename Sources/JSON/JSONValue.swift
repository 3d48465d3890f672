/// A JSON document (RFC 8259) in memory. Small and quick, because opening a corpus is part of a camera's cold start.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number written without point and exponent that fits into 64 bits.
  case integer(Int64)
  /// Any other number. JSON knows one kind of them: whoever wants a number takes both cases.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

/// What is wrong with a document, and where.
package struct JSONError: Error, Hashable {
  /// "duration: must be 0 to 5, is 7".
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
