import CVideo4Linux
import Imagery
import Replay
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// The streams of a session's states and drops, in virtual time.
@Suite struct SessionNewsTests {
  private let clock = VirtualClock()

  private func makeKernel() -> ScriptedKernel {
    let kernel = ScriptedKernel.camera(
      [ScriptedMode(.nv12, 64, 36, [50]), ScriptedMode(.yuyv, 128, 36, [50])], clock: clock)
    kernel.fill(every: 20_000_000)
    return kernel
  }

  private func makeSession(_ kernel: ScriptedKernel) -> CaptureSession {
    CaptureSession(
      source: V4L2Source(path: "/dev/video0", kernel: kernel), configuration: .patient, clock: clock)
  }

  @Test func formatsAreToldAsTheyChange() async throws {
    let session = makeSession(makeKernel())
    let formats = await session.formats()
    try await session.start()
    await clock.run(for: .milliseconds(100))
    try await session.configure { setup in
      setup.configuration.chooseFormat = { formats in formats.first { $0.image.size.width == 128 } }
    }
    await session.background()
    try await session.foreground()
    let late = await session.formats()
    await session.stop()
    #expect(await formats.reduce(into: []) { $0.append($1.image.size.width) } == [64, 128])
    #expect(await late.reduce(into: []) { $0.append($1.image.size.width) } == [128])
  }

  @Test func interruptionsHaveABeginningAndAnEnd() async throws {
    let kernel = makeKernel()
    let session = makeSession(kernel)
    let interruptions = await session.interruptions()
    try await session.start()
    await clock.run(for: .milliseconds(305))
    let unplugged = clock.now()
    kernel.unplug()
    kernel.show(as: nil)
    await clock.run(for: .seconds(1))
    let late = await session.interruptions()
    kernel.replug(as: "/dev/video0")
    kernel.show(as: "video0")
    await clock.run(for: .seconds(1))
    await session.background()
    try await session.foreground()
    await session.stop()
    let told = await interruptions.reduce(into: []) { $0.append($1) }
    #expect(
      told.map(\.reason) == [.deviceDisconnected, .deviceDisconnected, .background, .background])
    #expect(told.map(\.phase) == [.began, .ended, .began, .ended])
    #expect(try #require(told.first).time - unplugged <= .milliseconds(20))
    #expect(told.map(\.time) == told.map(\.time).sorted())
    #expect(
      await late.first { _ in true } == told.first, "a present interruption is reported to later subscribers")
  }

  @Test func anglesAreToldAsTheyChange() async throws {
    let session = makeSession(makeKernel())
    let angles = session.angles()
    session.rotation.noteAttitude(degrees: 2, at: clock.now())
    session.rotation.noteAttitude(degrees: 91, at: clock.now())
    session.rotation.noteAttitude(degrees: 80, at: clock.now())
    session.rotation.lockSurface(to: Rotation.none)
    session.rotation.setPreviewMirrored(true)
    await session.stop()
    let told = await angles.reduce(into: []) { $0.append($1) }
    let (upright, turned) = (Orientation.upright, Orientation(rotation: .clockwise90))
    let mirrored = Orientation(rotation: .none, isMirrored: true)
    #expect(
      told == [
        FrameOrientation(preview: upright, capture: upright),
        FrameOrientation(preview: turned, capture: turned),
        FrameOrientation(preview: upright, capture: turned),
        FrameOrientation(preview: mirrored, capture: turned),
      ])
  }

  /// Runs a session for `time`, stops it, and returns the dropped frames.
  private func drops(
    of session: CaptureSession, for time: Duration
  ) async throws -> [FrameDrop] {
    let drops = session.drops()
    try await session.start()
    await clock.run(for: .milliseconds(205))
    await clock.run(for: time)
    try await clock.run { await session.stop() }
    return await drops.reduce(into: []) { $0.append($1) }
  }

  @Test func framesThatTheDeviceLostOrDamagedAreCounted() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
    kernel.fill(every: 20_000_000) { raw, _ in
      // In every ten frames, one is damaged, and two numbers after it are missing.
      if raw.sequence % 10 == 4 { raw.flags |= UInt32(V4L2_BUF_FLAG_ERROR) }
      if raw.sequence % 10 >= 5 { raw.sequence += 2 }
    }
    let told = try await drops(of: makeSession(kernel), for: .milliseconds(100))
    let damaged = told.filter { $0.reason == .damaged }
    #expect(damaged.allSatisfy { $0.output == nil && $0.name == "camera" && $0.detail.contains("damaged") })
    #expect(damaged.map(\.count) == Array(1...damaged.count), "each total is reported")
    #expect(told.first { $0.reason == .lost }?.count == 2, "the damaged one is not lost, too")
  }

  @Test func whatAnOutputDropsIsToldOfThatOutput() async throws {
    let session = makeSession(makeKernel())
    let (idle, slow) = (Counter(), WakeSignal.make())
    let analysis = AnalysisOutput(clock: clock) { [clock] _ in
      clock.pauseWork(until: clock.now() + .milliseconds(300), wake: slow)
    }
    await session.add(AnalysisOutput(clock: clock) { _ in idle.increment() })
    await session.add(analysis)
    let told = try await drops(of: session, for: .seconds(1))
    #expect(idle.value > 20)
    #expect(told.allSatisfy { $0.output == ObjectIdentifier(analysis) && $0.reason == .late })
    #expect(told.last?.name == "AnalysisOutput" && told.last.map { $0.count > 10 } == true)
  }

  @Test func aPictureThatCannotBeDrawnIsToldWithItsReason() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
    kernel.fill(every: 20_000_000)
    let session = makeSession(kernel)
    let preview = PreviewOutput(surface: NoSurface(), clock: clock)
    await session.add(preview)
    let told = try await drops(of: session, for: .milliseconds(100))
    #expect(told.last.map { $0.reason == .outOfBuffers && $0.output == ObjectIdentifier(preview) } == true)
    #expect(told.last?.count == preview.totals.failed)
    await session.remove(preview)
    let later = session.drops()
    await session.stop()
    #expect(await later.first { $0.output != nil } == nil, "a removed output reports no more drops")
  }

  /// The queue of a slow listener is bounded, and drops the oldest values rather than the newest.
  @Test func aListenerThatIsSlowMissesTheOldest() async {
    let broadcast = Broadcast<Int>()
    let stream = broadcast.listen(from: [0])
    for number in 1...10_000 { broadcast.tell(number) }
    broadcast.finish()
    let seen = await stream.reduce(into: []) { $0.append($1) }
    #expect(seen == Array((10_001 - seen.count)...10_000) && seen.count == 256)
  }
}

private final class NoSurface: PreviewSurface {
  func makeBuffer() -> PixelBuffer? { nil }
  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime { frame.arrivalTime }
}
