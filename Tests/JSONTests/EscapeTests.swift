import JSON
import Testing

@Suite struct EscapeTests {
  /// Characters that move a terminal's cursor or reverse its text are escaped. Reading gives them back unchanged.
  @Test(arguments: [
    "\u{7F}", "\u{80}", "\u{9B}31m", "\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}",
    "\u{202A}", "\u{202E}gpj.exe", "\u{2066}", "\u{2069}",
  ])
  func movesNothing(text: String) throws {
    let value = JSONValue.object([text: .string("a\(text)z")])
    for bytes in [JSONSerializer.line(value), JSONSerializer.document(value)] {
      #expect(bytes.allSatisfy { $0 < 0x7F }, "\(bytes)")
      #expect(try JSONParser.parse(bytes) == value)
    }
  }

  /// Letters and other printable characters are not escaped.
  @Test(arguments: ["\u{A0}é", "ß\u{600}", "\u{2027}\u{202F}—€", "日本語", "👩‍💻", "\u{200C}\u{200D}"])
  func lettersStay(text: String) {
    #expect(JSONSerializer.line(.string(text)) == Array("\"\(text)\"".utf8))
  }

  /// Strings and names with different bytes are different values, even if Unicode calls them equivalent.
  @Test func valuesAreComparedAsBytes() {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.object(["\u{E9}": .null]) != .object(["e\u{301}": .null]))
    #expect(JSONValue.array([.string("\u{E9}"), .integer(1)]) == .array([.string("\u{E9}"), .integer(1)]))
    #expect(JSONValue.integer(1) != .number(1))
  }
}
