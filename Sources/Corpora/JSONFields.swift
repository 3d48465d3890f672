import JSON

/// The members of a JSON object, by name, with complaints that name the member.
struct JSONFields {
  let path: String
  let members: [String: JSONValue]

  init(_ value: JSONValue, path: String = "") throws(JSONError) {
    guard case .object(let members) = value else {
      throw JSONError(reason: "\(path.isEmpty ? "the document" : path) must be an object")
    }
    self.path = path
    self.members = members
  }

  func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  func has(_ key: String) -> Bool { members[key].map { $0 != .null } ?? false }

  func complaint(_ key: String, _ rule: String) -> JSONError {
    JSONError(reason: members[key] == nil ? "\(name(key)) is missing" : "\(name(key)) \(rule)")
  }

  func string(_ key: String) throws(JSONError) -> String {
    guard case .string(let text)? = members[key] else { throw complaint(key, "must be a string") }
    guard text.utf8.count <= CorpusLimits.textBytes else {
      throw complaint(key, "must have at most \(CorpusLimits.textBytes) bytes")
    }
    return text
  }

  func bool(_ key: String) throws(JSONError) -> Bool {
    guard case .bool(let flag)? = members[key] else { throw complaint(key, "must be true or false") }
    return flag
  }

  func integer(_ key: String, in range: ClosedRange<Int64>) throws(JSONError) -> Int64 {
    guard case .integer(let number)? = members[key], range.contains(number) else {
      throw complaint(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(JSONError) -> Int {
    Int(try integer(key, in: Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(JSONError) -> Double {
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

  func array(_ key: String, atMost limit: Int) throws(JSONError) -> [JSONValue] {
    guard case .array(let values)? = members[key], values.count <= limit else {
      throw complaint(key, "must be a list of at most \(limit)")
    }
    return values
  }

  func object(_ key: String) throws(JSONError) -> JSONFields {
    guard let value = members[key] else { throw complaint(key, "is missing") }
    return try JSONFields(value, path: name(key))
  }

  func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _: Choice.Type = Choice.self)
    throws(JSONError) -> Choice where Choice.RawValue == String
  {
    guard case .string(let text)? = members[key], let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw complaint(key, "must be one of \(names)")
    }
    return choice
  }

  /// Objects of a list, each read by `read`.
  func list<Element>(
    _ key: String, atMost limit: Int, read: (JSONFields) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    for (index, value) in try array(key, atMost: limit).enumerated() {
      elements.append(try read(JSONFields(value, path: "\(name(key))[\(index)]")))
    }
    return elements
  }
}
