import JSON
import System
import Testing

@testable import RemoteControl

@Suite struct MergePatchTests {
  private func value(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

  /// The examples of RFC 7396, appendix A: document, patch, result.
  @Test(
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
      (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
      (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
      (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
      ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func appliesTheExamplesOfTheStandard(document: String, patch: String, result: String) throws {
    #expect(try MergePatch.applied(value(patch), to: value(document)) == value(result))
  }

  /// Applying the difference of two documents to the first one gives the second one, except for its null members.
  @Test func differenceOfAnyTwoDocumentsLeadsFromOneToTheOther() {
    var generator = SplitMix64(seed: 7396)
    for _ in 0..<20_000 {
      let (old, new) = (Self.document(&generator, depth: 3), Self.document(&generator, depth: 3))
      guard let patch = MergePatch.difference(from: old, to: new) else {
        #expect(old == new || MergePatch.stripped(old) == MergePatch.stripped(new))
        continue
      }
      let before = MergePatch.stripped(old)
      #expect(MergePatch.applied(patch, to: before) == MergePatch.stripped(new), "\(old) \(new)")
    }
  }

  @Test func whatIsTheSameNeedsNoPatch() throws {
    let document = try value(#"{"a":{"b":[1,{"c":null}]},"d":null}"#)
    #expect(MergePatch.difference(from: document, to: document) == nil)
  }

  private static func document(_ generator: inout SplitMix64, depth: Int) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for key in ["a", "b", "c"] where Int.random(in: 0..<4, using: &generator) > 0 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: members[key] = .null
      case 1: members[key] = .integer(Int64.random(in: 0...2, using: &generator))
      case 2: members[key] = .array([.string("x")])
      case 3: members[key] = .bool(Bool.random(using: &generator))
      default: members[key] = depth > 0 ? document(&generator, depth: depth - 1) : .string("leaf")
      }
    }
    return .object(members)
  }
}
