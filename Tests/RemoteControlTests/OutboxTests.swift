import Capture
import Imagery
import JSON
import System
import Testing

@testable import RemoteControl

@Suite struct OutboxTests {
  /// The messages for a client that never reads are bounded, and the client is disconnected.
  @Test func clientThatNeverReadsIsDropped() {
    let drops = Locked(0)
    let client = ControlClient(number: 1, isViewer: true) { drops.withLock { $0 += 1 } }
    for number in 0..<2000 { client.send(.integer(Int64(number))) }
    #expect(drops.withLock { $0 } == 1)
    #expect(client.next() == nil)
    let large = ControlClient(number: 2, isViewer: true) { drops.withLock { $0 += 1 } }
    for _ in 0..<5 { large.send(line: [UInt8](repeating: 32, count: 1 << 20)) }
    #expect(drops.withLock { $0 } == 2)
  }

  @Test func messagesLeaveInTheirOrder() {
    let client = ControlClient(number: 1, isViewer: true) {}
    for number in 0..<10 { client.send(.integer(Int64(number))) }
    client.close()
    #expect(
      (0..<10).map { _ in client.next().map { String(decoding: $0, as: UTF8.self) } }
        == (0..<10).map { "\($0)" })
    #expect(client.next() == nil)
  }

  @Test func commandsThatWaitAreBounded() {
    let client = ControlClient(number: 1, isViewer: true) {}
    for _ in 0..<64 { #expect(client.beginCommand()) }
    #expect(!client.beginCommand())
    client.endCommand()
    #expect(client.beginCommand())
  }

  @Test func everyRevisionReachesEveryClientOnce() {
    let (publisher, client) = (StatePublisher(), ControlClient(number: 1, isViewer: true) {})
    publisher.attach(client)
    #expect(publisher.publish(.object(["a": .integer(1)])) == 1)
    #expect(publisher.publish(.object(["a": .integer(1)])) == 1)
    #expect(publisher.publish(.object(["a": .integer(2), "b": .null])) == 2)
    publisher.detach(client)
    publisher.publish(.object([:]))
    client.close()
    var (state, count) = (FollowedState(), 0)
    while let line = client.next(), let message = try? JSONParser.parse(line) {
      #expect(state.take(message) == .changed)
      count += 1
    }
    #expect(count == 3 && state.revision == 2)
    #expect(state.document == .object(["a": .integer(2)]))
  }
}

@Suite struct PictureHubTests {
  /// Two viewers share one stream. Each has one picture in flight, and the newest picture replaces the waiting one.
  @Test func slowViewerMissesPicturesAndHoldsUpNobody() throws {
    let hub = PictureHub()
    let (quick, slow) = (hub.enter(), hub.enter())
    hub.publish([:], [1])
    #expect(hub.next(for: slow, after: 0, isAcknowledged: true)?.number == 1)
    for number in 1...5 {
      if number > 1 { hub.publish([:], [UInt8(number)]) }
      let picture = try #require(hub.next(for: quick, after: number - 1, isAcknowledged: true))
      #expect(picture.number == number && Array(picture.jpeg) == [UInt8(number)])
      hub.acknowledge(number, by: quick)
    }
    hub.acknowledge(1, by: slow)
    #expect(hub.next(for: slow, after: 1, isAcknowledged: true)?.number == 5)
    hub.leave(slow)
    #expect(hub.next(for: slow, after: 5, isAcknowledged: true) == nil)
    #expect(hub.viewers == 1)
    hub.leave(slow)
    #expect(hub.viewers == 1)
    hub.end()
    #expect(hub.next(for: quick, after: 5, isAcknowledged: true) == nil)
  }

  /// A camera's JPEG picture is passed on without bytes before its start. A picture that cannot be decoded is not passed on.
  @Test func whatIsPassedOnCanBeDecoded() async throws {
    let hub = PictureHub()
    let viewer = hub.enter()
    let output = PictureOutput(hub: hub, pace: PreviewPace(), quality: 80, longSide: 640)
    try output.begin()
    let size = PixelSize(width: 64, height: 48)
    let grey = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .grey, size: size, color: .jpeg))
    for place in 0..<grey.planes[0].byteCount {
      grey.planes[0].base.storeBytes(of: UInt8(place * 7 % 251), toByteOffset: place, as: UInt8.self)
    }
    let whole = try PhotoPipeline().process(grey, orientation: .upright, settings: PhotoSettings()).bytes
    func frame(_ bytes: [UInt8]) throws -> Frame {
      let image = try bytes.withUnsafeBytes { bytes throws(ImageError) in
        try PixelBufferPool().makeBuffer(
          ImageFormat(pixelFormat: .mjpeg, size: size, color: .jpeg), compressed: bytes)
      }
      let time = MonotonicTime.now()
      return Frame(
        image: image, sequence: 0, exposureTime: time, exposureEdge: .startOfExposure, arrivalTime: time,
        orientation: FrameOrientation(preview: .upright, capture: .upright), settings: FrameSettings())
    }
    async let made = aside { hub.next(for: viewer, after: 0, isAcknowledged: true).map { Array($0.jpeg) } }
    output.receive(try frame([0xFF, 0xD8] + whole))
    #expect(try await made == whole)
    output.end()
    // The output's thread has ended, so it has processed all its frames.
    let shown = hub.live?.number
    try output.begin()
    output.receive(try frame(Array(whole.prefix(whole.count / 2))))
    output.end()
    #expect(hub.live?.number == shown)
  }

  @Test func pictureOfBeforeAPauseIsNotShown() async throws {
    let hub = PictureHub()
    let viewer = hub.enter()
    hub.publish([:], [1])
    hub.forget()
    async let shown = aside { hub.next(for: viewer, after: 0, isAcknowledged: false)?.number }
    hub.publish([:], [2])
    #expect(try await shown == 2)
  }

  /// A message consists of the length of the JSON, the JSON, and the JPEG picture.
  @Test func messageHasHeadAndPicture() throws {
    let hub = PictureHub()
    let viewer = hub.enter()
    hub.publish(["width": .integer(3)], [0xFF, 0xD8])
    let picture = try #require(hub.next(for: viewer, after: 0, isAcknowledged: false))
    let payload = Array(picture.frame.dropFirst(2))
    let length = Int(payload[0]) | Int(payload[1]) << 8
    let head = try JSONParser.parse(Array(payload[4..<4 + length]))
    #expect(head == .object(["width": .integer(3), "number": .integer(1)]))
    #expect(Array(payload[(4 + length)...]) == [0xFF, 0xD8])
  }
}
