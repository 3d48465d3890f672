import CVideo4Linux
import Capture
import Glibc
import Imagery
import Replay
import ScriptedKernel
import System
import Testing
import Video4Linux

/// An output that uses only the public interface, as another developer would write it.
private final class NativeFrames: FrameOutput {
  private let seen = Locked<(calls: [String], kept: [Frame], shortages: Int)>(([], [], 0))
  private let keepsFrames: Bool

  /// Creates an output.
  /// - Parameter shortages: the number of times that `begin` fails.
  init(keepsFrames: Bool = false, shortages: Int = 0) {
    self.keepsFrames = keepsFrames
    seen.withLock { $0.shortages = shortages }
  }

  var calls: [String] { seen.withLock { $0.calls } }
  var kept: [Frame] { seen.withLock { $0.kept } }
  func letGo() { seen.withLock { $0.kept = [] } }

  func begin() throws(ResourceShortage) {
    try seen.withLock { seen throws(ResourceShortage) in
      seen.calls.append("begin")
      seen.shortages -= 1
      if seen.shortages >= 0 { throw ResourceShortage(.thread, errno: EAGAIN) }
    }
  }

  func receive(_ frame: Frame) {
    seen.withLock { seen in
      seen.calls.append("\(frame.image.format.pixelFormat.rawValue) \(frame.sequence)")
      if keepsFrames { seen.kept.append(frame) }
    }
  }

  func end() { seen.withLock { $0.calls.append("end") } }
}

/// The example of the documentation.
private final class NewestFrame: FrameOutput {
  let frames: AsyncStream<Frame>
  private let newest: AsyncStream<Frame>.Continuation

  init() {
    (frames, newest) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(1))
  }

  func receive(_ frame: Frame) { newest.yield(frame) }

  func end() { newest.finish() }
}

/// Outputs of native frames, in virtual time.
@Suite struct FrameOutputTests {
  private let clock = VirtualClock()

  private func source(_ format: PixelFormat = .nv12, frames: Int? = nil) -> SimulatedSource {
    SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 50),
      pixelFormat: format, frameLimit: frames)
  }

  private func makeKernel(_ mode: ScriptedMode) -> ScriptedKernel {
    ScriptedKernel.camera([mode], clock: clock)
  }

  /// Runs a session with one output for some time.
  private func run(_ source: any CameraSource, for time: Duration, _ output: NativeFrames) async throws
    -> CaptureSession
  {
    let session = CaptureSession(source: source, clock: clock)
    await session.add(output)
    try await session.start()
    await clock.run(for: time)
    return session
  }

  @Test(arguments: [PixelFormat.nv12, .i420, .yuyv, .bgra, .rgba])
  func everyFrameComesInTheFormatOfTheCamera(format: PixelFormat) async throws {
    let output = NativeFrames()
    let session = try await run(source(format, frames: 10), for: .seconds(1), output)
    await session.stop()
    #expect(output.calls == ["begin"] + (0..<10).map { "\(format.rawValue) \($0)" } + ["end"])
  }

  @Test func theExampleOfTheDocumentationHasTheNewestFrame() async throws {
    let output = NewestFrame()
    let session = CaptureSession(source: source(frames: 10), clock: clock)
    await session.add(output)
    try await session.start()
    await clock.run(for: .seconds(1))
    await session.stop()
    var frames = output.frames.makeAsyncIterator()
    #expect(await frames.next()?.sequence == 9)
    #expect(await frames.next() == nil, "the stream ends with the session")
  }

  @Test func aCompressedFrameIsTheVeryBytesOfTheDriver() async throws {
    let size = PixelSize(width: 320, height: 240)
    let drawn = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .i420, size: size, color: .jpeg))
    for plane in drawn.planes { memset(plane.base, 128, plane.byteCount) }
    let picture = try PhotoPipeline().process(drawn, orientation: .upright, settings: PhotoSettings()).bytes
    let kernel = makeKernel(ScriptedMode(.mjpeg, 320, 240, [50]))
    kernel.fill(every: 20_000_000) { raw, _ in
      raw.bytesused = UInt32(kernel.write(picture, toBuffer: raw.index))
    }
    let output = NativeFrames(keepsFrames: true)
    let session = try await run(
      V4L2Source(path: "/dev/video0", kernel: kernel), for: .milliseconds(110), output)
    #expect(output.kept.count >= 4)
    #expect(output.kept.allSatisfy { $0.image.format.pixelFormat == .mjpeg })
    #expect(output.kept.allSatisfy { $0.image.planes[0].bytes.elementsEqual(picture) })
    await session.stop()
  }

  @Test func theFrameIsTheDriversOwnMemoryWithItsDMABUF() async throws {
    let kernel = makeKernel(ScriptedMode(.nv12, 64, 36, [50]))
    kernel.fill(every: 20_000_000)
    let output = NativeFrames(keepsFrames: true)
    let session = try await run(
      V4L2Source(path: "/dev/video0", kernel: kernel), for: .milliseconds(50), output)
    let shared = try #require(output.kept.first?.image.shared())
    #expect(shared.map(\.offset) == [0, 64 * 36], "both planes are in one buffer")
    #expect(Set(shared.map(\.descriptor)).count == 1)
    await session.stop()
    #expect(!kernel.leaks.isEmpty, "what is held stays")
    output.letGo()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func whoeverLetsGoOfNothingGetsCopiesAndNeverStarvesTheDriver() async throws {
    let kernel = makeKernel(ScriptedMode(.nv12, 64, 36, [50]))
    kernel.fill(every: 20_000_000)
    let output = NativeFrames(keepsFrames: true)
    let session = try await run(V4L2Source(path: "/dev/video0", kernel: kernel), for: .seconds(1), output)
    let lent = output.kept.count { $0.image.shared() != nil }
    #expect(output.kept.count >= 48)
    #expect(lent > 0 && lent + 2 <= kernel.allocated)
    await session.stop()
    output.letGo()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func framesComeBetweenBeginAndEndHoweverOftenItIsAdded() async throws {
    let session = CaptureSession(source: source(), clock: clock)
    let (first, late) = (NativeFrames(), NativeFrames())
    await session.add(first)
    await session.add(first)
    try await session.start()
    try await session.start()
    await clock.run(for: .milliseconds(100))
    await session.add(late)
    await clock.run(for: .milliseconds(100))
    await session.stop()
    for output in [first, late] {
      #expect(output.calls.first == "begin" && output.calls.last == "end")
      #expect(output.calls.count >= 6 && Set(output.calls).count == output.calls.count)
    }
    try await session.start()
    await clock.run(for: .milliseconds(50))
    await session.stop()
    #expect(first.calls.count { $0 == "begin" } == 2 && first.calls.last == "end")
  }

  @Test func whatCannotBeginSaysWhyAndIsAskedAgain() async throws {
    let (sound, short) = (NativeFrames(), NativeFrames(shortages: 1))
    let session = CaptureSession(source: source(), clock: clock)
    await session.add(sound)
    await session.add(short)
    let reason = "\(ResourceShortage(.thread, errno: EAGAIN))"
    await #expect(throws: SessionError.camera(.noResources(source().specification, reason: reason))) {
      try await session.start()
    }
    #expect(sound.calls == ["begin"] && short.calls == ["begin"])
    try await session.start()
    await clock.run(for: .milliseconds(100))
    await session.stop()
    #expect(sound.calls.count { $0 == "begin" } == 1, "it had begun")
    #expect(short.calls.prefix(3) == ["begin", "begin", "NV12 0"])
    #expect(sound.calls.last == "end" && short.calls.last == "end")
  }
}
