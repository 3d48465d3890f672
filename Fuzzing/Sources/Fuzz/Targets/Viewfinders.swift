@testable import HTTPService
@testable import JSON
@testable import RemoteControl

extension FuzzTarget {
  static let viewfinders = [websocket, control]

  /// Reads WebSocket frames in pieces and at once, with the same result. No message may exceed the limit.
  private static let websocket = FuzzTarget(
    name: "websocket",
    seeds: [
      [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58],
      [0x01, 0x81, 0, 0, 0, 0, 0x61, 0x89, 0x80, 0, 0, 0, 0, 0x80, 0x81, 0, 0, 0, 0, 0x62],
      [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8],
    ]
  ) { input in
    let bytes = Array(input)
    let (whole, pieces) = (events(of: [bytes]), events(of: bytes.map { [$0] }))
    hold(whole == pieces, "in pieces it is another message")
  }

  private static func events(of pieces: [[UInt8]]) -> [WebSocketFrames.Event] {
    var (frames, events) = (WebSocketFrames(from: .client, limit: 1000), [WebSocketFrames.Event]())
    for piece in pieces {
      do throws(WebSocketFrames.Trouble) { events += try frames.take(piece) } catch { break }
    }
    for case .text(let bytes) in events {
      hold(bytes.count <= 1000, "\(bytes.count) bytes")
      hold(String(validating: bytes, as: UTF8.self) != nil, "text that is none")
    }
    return events
  }

  /// Reads messages of clients with commands, messages of a server as a client reads them, byte ranges, and file names.
  private static let control = FuzzTarget(
    name: "control",
    seeds: [
      [UInt8]("{\"type\":\"command\",\"id\":\"1\",\"command\":\"focus\",\"arguments\":{\"x\":0.5,\"y\":1}}"),
      [UInt8]("{\"type\":\"command\",\"id\":\"1\",\"command\":\"setLook\",\"arguments\":{\"name\":null}}"),
      [UInt8]("{\"type\":\"state\",\"revision\":1,\"state\":{\"a\":null}}"),
      [UInt8]("{\"type\":\"clock\",\"id\":\"x\"}"),
      [UInt8]("bytes=1-2"), [UInt8]("film%2emp4"),
    ]
  ) { input in
    let bytes = Array(input)
    if case .command(_, let name, let arguments)? = try? ClientMessage(bytes) {
      _ = try? ViewfinderCommand(name, arguments)
    }
    if let message = try? JSONParser.parse(bytes) {
      var state = FollowedState()
      if state.take(message) == .changed, let document = state.document { _ = try? RemoteSummary(document) }
      let stripped = MergePatch.stripped(message)
      hold(MergePatch.difference(from: message, to: message) == nil, "what is the same differs")
      if case .object = stripped, let patch = MergePatch.difference(from: .object([:]), to: stripped) {
        hold(MergePatch.applied(patch, to: .object([:])) == stripped, "the patch leads elsewhere")
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if case .part(let part) = ByteRange(text, size: 100) {
      hold(part.lowerBound >= 0 && part.upperBound <= 100 && !part.isEmpty, "\(part)")
    }
    _ = Reply.decoded(text)
    if let address = ChannelAddress(text) { hold(!address.host.contains("/"), address.host) }
  }
}
