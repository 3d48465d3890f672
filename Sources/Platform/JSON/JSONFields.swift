/// The members of a JSON object by name. Its errors name the member.
package struct JSONFields {
  /// The maximum number of bytes in a string.
  package static let textBytes = 2048

  package let path: String
  package let members: [String: JSONValue]

  package init(_ value: JSONValue, path: String = "") throws(JSONError) {
    guard case .object(let members) = value else {
      throw JSONError(reason: "\(path.isEmpty ? "the document" : path) must be an object")
    }
    self.path = path
    self.members = members
  }

  package func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  package func has(_ key: String) -> Bool { members[key].map { $0 != .null } ?? false }

  package func complaint(_ key: String, _ rule: String) -> JSONError {
    JSONError(reason: members[key] == nil ? "\(name(key)) is missing" : "\(name(key)) \(rule)")
  }

  package func string(_ key: String) throws(JSONError) -> String {
    guard case .string(let text)? = members[key] else { throw complaint(key, "must be a string") }
    guard text.utf8.count <= Self.textBytes else {
      throw complaint(key, "must have at most \(Self.textBytes) bytes")
    }
    return text
  }

  package func bool(_ key: String) throws(JSONError) -> Bool {
    guard case .bool(let flag)? = members[key] else { throw complaint(key, "must be true or false") }
    return flag
  }

  package func integer(_ key: String, in range: ClosedRange<Int64>) throws(JSONError) -> Int64 {
    guard case .integer(let number)? = members[key], range.contains(number) else {
      throw complaint(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  package func integer(_ key: String, in range: ClosedRange<Int>) throws(JSONError) -> Int {
    Int(try integer(key, in: Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  package func number(_ key: String, in range: ClosedRange<Double>) throws(JSONError) -> Double {
    let number: Double? =
      switch members[key] {
      case .integer(let value)?: Double(value)
      case .number(let value)?: value
      default: nil
      }
    guard let number, range.contains(number) else {
      throw complaint(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  package func array(_ key: String, atMost limit: Int) throws(JSONError) -> [JSONValue] {
    guard case .array(let values)? = members[key], values.count <= limit else {
      throw complaint(key, "must be a list of at most \(limit) entries")
    }
    return values
  }

  package func object(_ key: String) throws(JSONError) -> JSONFields {
    guard let value = members[key] else { throw complaint(key, "is missing") }
    return try JSONFields(value, path: name(key))
  }

  package func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _: Choice.Type = Choice.self)
    throws(JSONError) -> Choice where Choice.RawValue == String
  {
    guard case .string(let text)? = members[key], let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw complaint(key, "must be one of \(names)")
    }
    return choice
  }

  /// The objects of a list, each read by `read`.
  package func list<Element>(
    _ key: String, atMost limit: Int, read: (JSONFields) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    for (index, value) in try array(key, atMost: limit).enumerated() {
      elements.append(try read(JSONFields(value, path: "\(name(key))[\(index)]")))
    }
    return elements
  }
}
