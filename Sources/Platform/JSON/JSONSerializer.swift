import System

/// Writes JSON deterministically: names sorted, numbers in the shortest form, with one space of indentation per level or none.
package struct JSONSerializer {
  private var bytes: [UInt8] = []
  private let isPretty: Bool

  private init(isPretty: Bool) { self.isPretty = isPretty }

  /// The value as one line, without line end.
  package static func line(_ value: JSONValue) -> [UInt8] {
    var serializer = JSONSerializer(isPretty: false)
    serializer.write(value, level: 0)
    return TerminalText.escaped(json: serializer.bytes)
  }

  /// The value as a document for a person, with a line end.
  package static func document(_ value: JSONValue) -> [UInt8] {
    var serializer = JSONSerializer(isPretty: true)
    serializer.write(value, level: 0)
    serializer.write("\n")
    return TerminalText.escaped(json: serializer.bytes)
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func newLine(_ level: Int) {
    guard isPretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: level))
  }

  private mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: write("null")
    case .bool(let flag): write(flag ? "true" : "false")
    case .integer(let number): write(String(number))
    case .number(let number): write(Self.text(number))
    case .string(let text): quote(text)
    case .array(let values): writeArray(values, level: level)
    case .object(let members): writeObject(members, level: level)
    }
  }

  /// The text of a number. A number that is not finite becomes null, since JSON has no infinities.
  private static func text(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    return number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : number.description
  }

  /// Writes a list. A list of plain values stays on one line.
  private mutating func writeArray(_ values: [JSONValue], level: Int) {
    let isFlat = values.allSatisfy { value in
      switch value {
      case .array, .object: false
      case .null, .bool, .integer, .number, .string: true
      }
    }
    write("[")
    for (index, value) in values.enumerated() {
      if index > 0 { write(isFlat && isPretty ? ", " : ",") }
      if !isFlat { newLine(level + 1) }
      write(value, level: level + 1)
    }
    if !isFlat { newLine(level) }
    write("]")
  }

  private mutating func writeObject(_ members: [String: JSONValue], level: Int) {
    write("{")
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, member) in sorted.enumerated() {
      if index > 0 { write(",") }
      newLine(level + 1)
      quote(member.key)
      write(isPretty ? ": " : ":")
      write(member.value, level: level + 1)
    }
    if !members.isEmpty { newLine(level) }
    write("}")
  }

  private mutating func quote(_ text: String) {
    write("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": write("\\\"")
      case "\\": write("\\\\")
      case "\n": write("\\n")
      case "\u{0}"..<"\u{20}":
        let code = String(scalar.value, radix: 16)
        write("\\u" + String(repeating: "0", count: 4 - code.count) + code)
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    write("\"")
  }
}
