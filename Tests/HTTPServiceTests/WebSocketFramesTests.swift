import Testing

@testable import HTTPService

@Suite struct WebSocketFramesTests {
  /// The examples of RFC 6455, section 5.7.
  @Test func readsTheExamplesOfTheStandard() throws {
    var client = WebSocketFrames(from: .client, limit: 100)
    let masked: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
    #expect(try client.take(masked) == [.text(Array("Hello".utf8))])
    var server = WebSocketFrames(from: .server, limit: 100)
    #expect(try server.take([0x01, 0x03, 0x48, 0x65, 0x6c]) == [])
    #expect(try server.take([0x80, 0x02, 0x6c, 0x6f]) == [.text(Array("Hello".utf8))])
    #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test(arguments: [0, 1, 125, 126, 65_535, 65_536])
  func whatIsWrittenReadsTheSameInPieces(count: Int) throws {
    let event = WebSocketFrames.Event.binary((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let frame = WebSocketFrames.frame(event, mask: [1, 2, 3, 4])
    var frames = WebSocketFrames(from: .client, limit: 1 << 17)
    var events: [WebSocketFrames.Event] = []
    var rest = frame[...]
    while !rest.isEmpty {
      events += try frames.take(Array(rest.prefix(4099)))
      rest = rest.dropFirst(4099)
    }
    #expect(events == [event])
  }

  @Test func controlFrameMayComeBetweenFragments() throws {
    var frames = WebSocketFrames(from: .server, limit: 100)
    let events = try frames.take([0x01, 0x01, 0x61, 0x89, 0x01, 0x21, 0x80, 0x01, 0x62])
    #expect(events == [.ping([0x21]), .text(Array("ab".utf8))])
  }

  /// Each frame breaks one rule: it is an unmasked client frame, has a reserved bit, an unknown opcode, a fragmented control frame
  /// or a long form for a short length, or continues no message.
  @Test(
    arguments: [
      [0x81, 0x01, 0x61], [0xC1, 0x80, 0, 0, 0, 0], [0x83, 0x80, 0, 0, 0, 0], [0x09, 0x80, 0, 0, 0, 0],
      [0x81, 0xFE, 0, 5, 0, 0, 0, 0], [0x80, 0x80, 0, 0, 0, 0],
    ] as [[UInt8]])
  func malformedIsRefused(bytes: [UInt8]) {
    var frames = WebSocketFrames(from: .client, limit: 100)
    #expect(throws: WebSocketFrames.Trouble.malformed) {
      try frames.take(bytes)
    }
  }

  /// A message that is too large is refused by its header alone, before memory is allocated for it. The sum of a message's
  /// fragments is limited too.
  @Test func messageThatIsTooLargeIsRefused() throws {
    var frames = WebSocketFrames(from: .server, limit: 100)
    #expect(throws: WebSocketFrames.Trouble.tooLarge) {
      try frames.take([0x82, 0x7F, 0, 0, 0, 0, 0x40, 0, 0, 0])
    }
    var parts = WebSocketFrames(from: .server, limit: 100)
    _ = try parts.take([0x02, 60] + [UInt8](repeating: 0, count: 60))
    #expect(throws: WebSocketFrames.Trouble.tooLarge) { try parts.take([0x80, 60]) }
  }

  @Test func textMustBeUTF8() {
    var frames = WebSocketFrames(from: .server, limit: 100)
    #expect(throws: WebSocketFrames.Trouble.notText) { try frames.take([0x81, 0x01, 0xFF]) }
  }

  /// Found by the fuzzer: a message and an error in one chunk must have the same effect as in two.
  @Test func messageBeforeAFaultCounts() throws {
    let bytes: [UInt8] = [0x81, 0x81, 0, 0, 0, 0, 0x61, 0xFF]
    var frames = WebSocketFrames(from: .client, limit: 100)
    #expect(try frames.take(bytes + [0x37]) == [.text([0x61])])
    #expect(frames.trouble == .malformed)
    #expect(throws: WebSocketFrames.Trouble.malformed) { try frames.take([]) }
  }
}
