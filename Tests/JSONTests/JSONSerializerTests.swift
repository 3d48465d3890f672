import Testing

@testable import JSON

@Suite struct JSONSerializerTests {
  private let value = JSONValue.object([
    "b": .array([.integer(1), .number(2.5), .null]), "a": .object(["é": .string("\"\\\n\u{1}/😀")]),
    "c": .array([.array([]), .bool(true)]), "d": .object([:]), "e": .number(3),
  ])

  @Test func aLineHasSortedNamesAndNoSpace() {
    let line = String(decoding: JSONSerializer.line(value), as: UTF8.self)
    #expect(line == #"{"a":{"é":"\"\\\n\u0001/😀"},"b":[1,2.5,null],"c":[[],true],"d":{},"e":3}"#)
  }

  @Test func aDocumentIsIndentedAndPlainListsStayOnOneLine() {
    let document = String(decoding: JSONSerializer.document(value), as: UTF8.self)
    #expect(
      document == """
        {
         "a": {
          "é": "\\"\\\\\\n\\u0001/😀"
         },
         "b": [1, 2.5, null],
         "c": [
          [],
          true
         ],
         "d": {},
         "e": 3
        }

        """)
  }

  @Test func whatIsWrittenReadsTheSame() throws {
    for written in [JSONSerializer.line(value), JSONSerializer.document(value)] {
      #expect(try JSONSerializer.line(JSONParser.parse(written)) == JSONSerializer.line(value))
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func whatJSONCannotSayIsNull(_ number: Double) {
    #expect(JSONSerializer.line(.number(number)) == Array("null".utf8))
  }
}
