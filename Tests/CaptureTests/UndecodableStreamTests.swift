import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// The data that the camera sends.
enum Sent: Sendable, CaseIterable {
  case pictures
  /// Bytes that are no JPEG.
  case zeros
  /// A valid header, and the first 40 bytes of the scan data.
  case cutOff
  /// A valid header, and half of the scan data, as after an incomplete transfer.
  case cutShort
  /// A valid header, and scan data with a marker that does not belong there.
  case garbage
  /// All markers in their places, but an invalid table.
  case badTables
}

/// Streams of compressed frames that cannot be decoded, in virtual time.
@Suite struct UndecodableStreamTests {
  private let clock = VirtualClock()

  private static let size = PixelSize(width: 320, height: 240)

  /// A valid JPEG picture of `size`.
  private static let picture: [UInt8] = {
    let pool = PixelBufferPool()
    let format = ImageFormat(pixelFormat: .i420, size: size, color: .jpeg)
    guard let image = try? pool.makeBuffer(format) else { return [] }
    for plane in image.planes {
      for place in 0..<plane.byteCount { plane.pointerAt(place).pointee = UInt8(place % 251) }
    }
    guard let photo = try? PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings())
    else {
      return []
    }
    return photo.bytes
  }()

  private static func bytes(_ sent: Sent) -> [UInt8] {
    var bytes = picture
    let scan = bytes.firstIndex(of: 0xFF, followedBy: 0xDA)! + 14
    switch sent {
    case .pictures: break
    case .zeros: bytes = Array(repeating: 0, count: bytes.count)
    case .cutOff: bytes = Array(bytes.prefix(scan + 40))
    case .cutShort: bytes = Array(bytes.prefix(scan + (bytes.count - scan) / 2))
    case .garbage:
      for place in scan..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 37 | 0x80) }
    case .badTables:
      // More codes per length than can exist (T.81 B.2.4.2).
      let table = bytes.firstIndex(of: 0xFF, followedBy: 0xC4)! + 5
      for place in table..<table + 16 { bytes[place] = 0xFF }
    }
    return bytes
  }

  private struct Stream {
    let kernel: ScriptedKernel
    let session: CaptureSession
    let sent: Locked<Sent>
  }

  private func stream(_ first: Sent) -> Stream {
    let sent = Locked(first)
    let kernel = ScriptedKernel.camera(
      [ScriptedMode(.mjpeg, UInt32(Self.size.width), UInt32(Self.size.height), [50])], clock: clock)
    kernel.fill(every: 20_000_000) { raw, _ in
      let bytes = Self.bytes(sent.withLock { $0 })
      raw.bytesused = UInt32(kernel.write(bytes, toBuffer: raw.index))
    }
    return Stream(
      kernel: kernel,
      session: CaptureSession(source: V4L2Source(path: "/dev/video0", kernel: kernel), clock: clock),
      sent: sent)
  }

  private func preview() -> PreviewOutput {
    PreviewOutput(
      surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock)
  }

  @Test func eachIsWhatItIsCalled() throws {
    func fault(_ sent: Sent) -> ImageError? { Self.bytes(sent).withUnsafeBytes { JPEGCheck.fault(in: $0) } }
    #expect(fault(.pictures) == nil && fault(.badTables) == nil && fault(.cutShort) == nil)
    #expect(fault(.zeros) != nil && fault(.cutOff) != nil && fault(.garbage) != nil)
    for sent in [Sent.badTables, .cutShort] {
      #expect(throws: ImageError.self) { try DecodedImage.check(Self.bytes(sent), Self.size) }
    }
  }

  /// A session whose first pictures cannot be decoded never runs: it is loading, then stalled, then failed with the reason.
  @Test(arguments: Sent.allCases.dropFirst())
  func itNeverRuns(sent: Sent) async throws {
    let stream = stream(sent)
    let preview = preview()
    await stream.session.add(preview)
    let states = await stream.session.states()
    let watcher = Task { await states.reduce(into: [SessionState]()) { $0.append($1) } }
    try await stream.session.start()
    await clock.run(for: .milliseconds(4_900))
    #expect(await stream.session.state == .loading)
    await clock.run(for: .milliseconds(200))
    #expect(await stream.session.state == .interrupted(.streamStalled))
    await clock.run(for: .seconds(21))
    guard case .failed(let error) = await stream.session.state, error.code == .broken else {
      Issue.record("\(await stream.session.state)")
      return
    }
    #expect(
      error.reason.contains("delivered no usable picture") && error.reason.contains("of the last frame:"),
      "\(error.reason)")
    await stream.session.stop()
    #expect(await !watcher.value.contains(.running))
    #expect(preview.totals.presented == 0)
    #expect(
      (preview.totals.failed > 0) == [.badTables, .cutShort].contains(sent),
      "data that are visibly no picture are not decoded at all")
    #expect(stream.kernel.leaks.isEmpty)
  }

  /// A running session is interrupted if pictures can no longer be decoded, and runs again from the first good one.
  @Test(arguments: Sent.allCases.dropFirst())
  func oneThatWorkedIsInterruptedUntilItDoesAgain(sent: Sent) async throws {
    let stream = stream(.pictures)
    await stream.session.add(preview())
    try await stream.session.start()
    await clock.run(for: .milliseconds(305))
    #expect(await stream.session.state == .running)
    stream.sent.withLock { $0 = sent }
    await clock.run(for: .milliseconds(400))
    #expect(await stream.session.state == .running, "not yet")
    for _ in 0..<40 {
      await clock.run(for: .milliseconds(200))
      if await stream.session.state == .running { break }
    }
    #expect(await stream.session.state == .interrupted(.streamStalled), "and stays so")
    stream.sent.withLock { $0 = .pictures }
    await clock.run(for: .milliseconds(100))
    #expect(await stream.session.state == .running)
    await stream.session.stop()
    #expect(stream.kernel.leaks.isEmpty)
  }

  /// Bad frames do not interrupt the session while some are good, even if most are bad.
  @Test(arguments: Sent.allCases.dropFirst())
  func aFewBadFramesAreSkipped(sent: Sent) async throws {
    let stream = stream(.pictures)
    let preview = preview()
    await stream.session.add(preview)
    try await stream.session.start()
    for _ in 0..<10 {
      stream.sent.withLock { $0 = .pictures }
      await clock.run(for: .milliseconds(100))
      stream.sent.withLock { $0 = sent }
      await clock.run(for: .milliseconds(400))
      #expect(await stream.session.state == .running)
    }
    await stream.session.stop()
    #expect(stream.kernel.log.count { $0 == "VIDIOC_STREAMON" } == 1)
    #expect(preview.totals.presented >= 45)
  }

  /// A frame that ends early is dropped with the reason, and does not become a photo.
  @Test func aFrameCutShortIsToldAndNotShown() async throws {
    let stream = stream(.pictures)
    let (preview, photos) = (preview(), PhotoOutput(clock: clock))
    await stream.session.add(preview)
    await stream.session.add(photos)
    let drops = stream.session.drops()
    try await stream.session.start()
    await clock.run(for: .milliseconds(305))
    let shown = preview.totals.presented
    stream.sent.withLock { $0 = .cutShort }
    await clock.run(for: .milliseconds(200))
    let failed = preview.totals.failed
    #expect(failed >= 9 && preview.totals.presented <= shown + 1)
    await #expect(throws: ImageError.self) {
      try await self.clock.run(until: { _ = try await stream.session.capturePhoto(from: photos) })
    }
    await stream.session.stop()
    let told = await drops.first { $0.reason == .undecodable }
    #expect(told?.output == ObjectIdentifier(preview) && told?.detail.contains("premature end") == true)
  }

  /// Cameras may send start markers twice, other bytes before the picture, or another picture before it. This is no damage.
  @Test(arguments: [[0xFF, 0xD8], [0, 1, 2, 0xFF, 0xFF], Array("frame\r\n".utf8)] as [[UInt8]])
  func whatStandsBeforeAPictureIsNoDamage(head: [UInt8]) async throws {
    let stream = stream(.pictures)
    stream.kernel.fill(every: 20_000_000) { raw, _ in
      raw.bytesused = UInt32(stream.kernel.write(head + Self.picture, toBuffer: raw.index))
    }
    let (preview, photos) = (preview(), PhotoOutput(clock: clock))
    await stream.session.add(preview)
    await stream.session.add(photos)
    try await stream.session.start()
    await clock.run(for: .milliseconds(505))
    #expect(await stream.session.state == .running)
    #expect(preview.totals.presented >= 20 && preview.totals.failed == 0)
    let photo = Locked<[UInt8]>([])
    try await clock.run(until: {
      let made = try await stream.session.capturePhoto(from: photos)
      photo.withLock { $0 = made.photo.bytes }
    })
    #expect(
      photo.withLock {
        $0.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]) || $0.starts(with: [0xFF, 0xD8, 0xFF, 0xE1])
      })
    await stream.session.stop()
    #expect(stream.kernel.leaks.isEmpty)
  }

  /// If no output decodes, or the only surface provides no buffer, the engine checks only the frames' bytes.
  @Test(arguments: [false, true]) func whereNobodyDecodesTheBytesDecide(hasSurface: Bool) async throws {
    for (sent, runs) in [(Sent.badTables, true), (.garbage, false)] {
      let stream = stream(sent)
      if hasSurface { await stream.session.add(PreviewOutput(surface: NoSurface(), clock: clock)) }
      try await stream.session.start()
      await clock.run(for: .seconds(3))
      #expect(await stream.session.state == (runs ? .running : .loading))
      await stream.session.stop()
    }
  }

  /// An output that is added later and cannot decode the frames interrupts the stream.
  @Test func anOutputThatComesLaterJudges() async throws {
    let stream = stream(.badTables)
    try await stream.session.start()
    await clock.run(for: .milliseconds(305))
    #expect(await stream.session.state == .running)
    await stream.session.add(AnalysisOutput(clock: clock) { _ in })
    await clock.run(for: .milliseconds(700))
    #expect(await stream.session.state == .interrupted(.streamStalled))
    await stream.session.stop()
    #expect(stream.kernel.leaks.isEmpty)
  }
}

/// A surface that provides no buffer, like a hidden window.
private final class NoSurface: PreviewSurface {
  func makeBuffer() -> PixelBuffer? { nil }
  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime { .now() }
}

/// Checks whether a frame can be decoded.
private enum DecodedImage {
  static func check(_ bytes: [UInt8], _ size: PixelSize) throws {
    let pool = PixelBufferPool()
    let image = try bytes.withUnsafeBytes {
      try pool.makeBuffer(ImageFormat(pixelFormat: .mjpeg, size: size, color: .jpeg), compressed: $0)
    }
    let target = try pool.makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    try PreviewRenderer().render(image, orientation: .upright, into: target)
  }
}

extension Plane {
  func pointerAt(_ place: Int) -> UnsafeMutablePointer<UInt8> {
    (base + place).assumingMemoryBound(to: UInt8.self)
  }
}

extension [UInt8] {
  func firstIndex(of first: UInt8, followedBy second: UInt8) -> Int? {
    indices.dropLast().first { self[$0] == first && self[$0 + 1] == second }
  }
}
