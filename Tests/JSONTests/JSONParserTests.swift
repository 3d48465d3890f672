import Testing

@testable import JSON

@Suite struct JSONParserTests {
  private func parse(_ text: String) throws(JSONError) -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

  @Test(arguments: [
    ("null", JSONValue.null), (" true\n", .bool(true)), ("false", .bool(false)), ("[]", .array([])),
    ("{}", .object([:])), ("\"\"", .string("")),
    (
      #"{"a":[1,{"b":null}],"c":"d"}"#,
      .object(["a": .array([.integer(1), .object(["b": .null])]), "c": .string("d")])
    ),
  ])
  func valuesAreRead(_ text: String, _ value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test(arguments: [
    ("0", JSONValue.integer(0)), ("-0", .integer(0)), ("-17", .integer(-17)),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("1.0", .number(1)), ("1e2", .number(100)), ("-2.5E-3", .number(-0.0025)),
  ])
  func aNumberIsWholeWhereItIsWrittenWhole(_ text: String, _ value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u20AC""#, "é€"), (#""\ud83d\ude00""#, "😀"),
    ("\"é😀\"", "é😀"), (#""a\u0000b""#, "a\0b"),
  ])
  func textIsReadWithItsEscapes(_ text: String, _ value: String) throws {
    #expect(try parse(text) == .string(value))
  }

  @Test(arguments: [
    ("", "byte 0: it ends too early"), ("[1,", "it ends too early"), ("[1 2]", "byte 3: expected “,” or “]”"),
    ("{\"a\":1,}", "expected a name"), ("{a:1}", "expected a name"),
    (#"{"a" 1}"#, "expected “:” after the name"),
    (#"{"a":1,"a":2}"#, "the object has the name “a” twice"), ("1 2", "text after the end"),
    ("nul", "a word other than true, false and null"),
    ("NaN", "an unexpected character"), ("+1", "an unexpected character"), ("01", "a leading zero"),
    ("1.", "no digit after the point"), ("1e", "no digit in the exponent"),
    ("1e400", "a number out of range"),
    ("\"a", "does not end"), ("\"a\nb\"", "a control character"), (#""\x""#, "an unknown escape"),
    (#""\u12g4""#, "four hexadecimal digits"), (#""\ud83d""#, "half a surrogate pair"),
    (#""\ude00""#, "half a surrogate pair"), (#""\ud83d\u0041""#, "half a surrogate pair"),
  ])
  func whatIsNotJSONIsRefusedWithItsPlace(_ text: String, _ reason: String) {
    let error = #expect(throws: JSONError.self) { try parse(text) }
    #expect(error?.reason.hasPrefix("it is not JSON at byte ") == true)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xEF, 0xBB, 0xBF, 0x31],
  ])
  func bytesThatAreNotUTF8AreRefused(_ bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
  }

  @Test func onlySoManyLevelsAreRead() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(throws: Never.self) { try parse(nested(JSONParser.levels)) }
    let error = #expect(throws: JSONError.self) { try parse(nested(JSONParser.levels + 1)) }
    #expect(error?.reason == "it is not JSON at byte 32: nested too deeply")
    #expect(throws: JSONError.self) { try parse(String(repeating: #"{"a":"#, count: 1_000_000)) }
  }
}
