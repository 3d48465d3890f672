/// Parses strict JSON (RFC 8259) from bytes: no duplicate names, no invalid UTF-8, no number beyond a `Double`.
///
/// Memory grows with the document, so bound the bytes before parsing.
package struct JSONParser {
  /// The maximum depth of nested lists and objects. A report of `bench` has seven, the schema of reports nine, a corpus four.
  package static let levels = 32

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var depth = 0

  private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// - Throws: the error and its byte offset, such as "it is not JSON at byte 7: expected a name".
  package static func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.error("text after the end of the document") }
    return value
  }

  package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    try bytes.withUnsafeBytes { bytes in Result { () throws(JSONError) in try parse(bytes) } }.get()
  }

  private func error(_ reason: String) -> JSONError {
    JSONError(reason: "it is not JSON at byte \(position): \(reason)")
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ byte: UInt8, _ expected: StaticString) throws(JSONError) {
    guard skip(byte) else { throw error("expected \(expected)") }
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in .object(try parser.object()) }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in .array(try parser.array()) }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("it ends too early")
    default: return try number()
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    depth += 1
    guard depth <= Self.levels else { throw error("nested too deeply") }
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> [String: JSONValue] {
    position += 1
    var members: [String: JSONValue] = [:]
    if skip(UInt8(ascii: "}")) { return members }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("expected a name") }
      let name = try string()
      try expect(UInt8(ascii: ":"), "“:” after the name")
      guard members.updateValue(try value(), forKey: name) == nil else {
        throw error("the object has the name “\(name.prefix(64))” twice")
      }
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"), "“,” or “}”")
    return members
  }

  private mutating func array() throws(JSONError) -> [JSONValue] {
    position += 1
    var values: [JSONValue] = []
    if skip(UInt8(ascii: "]")) { return values }
    repeat { values.append(try value()) } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"), "“,” or “]”")
    return values
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count,
      bytes[position..<position + count].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: count))
    else { throw error("a word other than true, false and null") }
    position += count
    return value
  }
}

// Numbers.
extension JSONParser {
  private mutating func digits() -> Int {
    let start = position
    while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
    return position - start
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let first = next
    let count = digits()
    guard count > 0 else { throw error("an unexpected character") }
    guard first != 0x30 || count == 1 else { throw error("a number with a leading zero") }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      position += 1
      isWhole = false
      guard digits() > 0 else { throw error("no digit after the point") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      isWhole = false
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard digits() > 0 else { throw error("no digit in the exponent") }
    }
    let text = bytes[start..<position]
    if isWhole, let whole = Self.whole(text) { return .integer(whole) }
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else {
      throw error("a number out of range")
    }
    return .number(number)
  }

  /// The integer. Nil if it exceeds 64 bits.
  private static func whole(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    var magnitude: Int64 = 0
    for byte in isNegative ? digits.dropFirst() : digits {
      let (product, over) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(byte - 0x30))
      if over || carry { return nil }
      magnitude = sum
    }
    return isNegative ? -magnitude : magnitude
  }
}

// Strings.
extension JSONParser {
  private mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    if next == UInt8(ascii: "\"") {
      defer { position += 1 }
      return try text(bytes[start..<position])
    }
    position = start
    return try escapedString()
  }

  private func text(_ utf8: some Sequence<UInt8>) throws(JSONError) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else { throw error("text that is not UTF-8") }
    return text
  }

  private mutating func escapedString() throws(JSONError) -> String {
    var utf8: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(utf8)
      case UInt8(ascii: "\\"): utf8.append(contentsOf: String(try escape()).utf8)
      case 0..<0x20: throw error("a control character in a string")
      default: utf8.append(byte)
      }
    }
    throw error("a string that does not end")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw error("a string that does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw error("an unknown escape")
    }
  }

  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, next == UInt8(ascii: "\\") else {
      throw error("a \\u escape with half a surrogate pair")
    }
    position += 1
    guard next == UInt8(ascii: "u") else { throw error("a \\u escape with half a surrogate pair") }
    position += 1
    let second = try hexadecimal()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("a \\u escape with half a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("fewer than four hexadecimal digits after \\u")
      }
      position += 1
      code = code << 4 | UInt32(digit)
    }
    return code
  }
}
