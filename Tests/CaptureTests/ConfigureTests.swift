import Imagery
import Replay
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Changes of a session's configuration during its life, in virtual time.
@Suite struct ConfigureTests {
  private let clock = VirtualClock()

  private func makeKernel() -> ScriptedKernel {
    let kernel = ScriptedKernel.camera(
      [ScriptedMode(.nv12, 64, 36, [50]), ScriptedMode(.yuyv, 128, 36, [50])], clock: clock)
    kernel.fill(every: 20_000_000)
    return kernel
  }

  private func source(_ kernel: ScriptedKernel) -> V4L2Source {
    V4L2Source(path: "/dev/video0", kernel: kernel)
  }

  private func simulated(_ side: Int = 64, framesPerSecond: Int = 50) -> SimulatedSource {
    SimulatedSource(
      size: PixelSize(width: side, height: side),
      frameInterval: FrameInterval(framesPerSecond: framesPerSecond))
  }

  private func preview(_ shown: Shown) -> PreviewOutput {
    PreviewOutput(
      surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock
    ) { shown.add($0) }
  }

  private func starts(_ kernel: ScriptedKernel) -> Int { kernel.log.count { $0 == "VIDIOC_STREAMON" } }
  private func opens(_ kernel: ScriptedKernel) -> Int { kernel.log.count { $0 == "open" } }

  /// Returns a session that has run for 100 ms.
  private func started(_ source: any CameraSource, _ outputs: any FrameOutput...) async throws
    -> CaptureSession
  {
    let session = CaptureSession(source: source, configuration: .patient, clock: clock)
    for output in outputs { await session.add(output) }
    try await session.start()
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    return session
  }

  private static let wide: @Sendable ([CameraFormat]) -> CameraFormat? = { formats in
    formats.first { $0.image.size.width == 128 }
  }

  @Test func whatNeedsNoRestartDoesNone() async throws {
    let kernel = makeKernel()
    let (first, second) = (Shown(), Shown())
    let (leaving, coming) = (preview(first), preview(second))
    let session = try await started(source(kernel), leaving)
    let states = await session.states()
    try await session.configure { setup in
      setup.remove(leaving)
      setup.add(coming)
      setup.add(coming)
      setup.configuration.surfaceLock = .half
      setup.configuration.inactivityTimeout = .seconds(60)
      setup.configuration.stallTimeout = .seconds(3)
      setup.configuration.chooseFormat = { FormatFinder(size: PixelSize(width: 64, height: 36)).best(of: $0) }
    }
    let before = first.all.count
    await clock.run(for: .milliseconds(100))
    #expect(first.all.count == before, "a removed output gets no frame")
    #expect((4...5).contains(second.all.count))
    #expect(second.all.last?.frame.orientation.preview == Orientation(rotation: .half))
    #expect(starts(kernel) == 1 && opens(kernel) == 1)
    await session.stop()
    #expect(await states.reduce(into: []) { $0.append($1) } == [.running, .idle])
    #expect(kernel.leaks.isEmpty)
  }

  @Test func severalChangesNeedOneRestart() async throws {
    let kernel = makeKernel()
    let (shown, analysed) = (Shown(), Counter())
    let output = preview(shown)
    let session = try await started(source(kernel), output)
    let states = await session.states()
    try await session.configure { setup in
      setup.configuration.chooseFormat = Self.wide
      setup.configuration.firstFrameTimeout = .seconds(7)
      setup.add(AnalysisOutput(clock: clock) { _ in analysed.increment() })
    }
    #expect(await session.format?.image.size.width == 128)
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    #expect(starts(kernel) == 2 && opens(kernel) == 2)
    #expect(shown.all.last?.frame.format.size.width == 128)
    #expect(analysed.value >= 2)
    #expect(await session.setup.configuration.firstFrameTimeout == .seconds(7))
    await session.stop()
    let seen = await states.reduce(into: []) { $0.append($1) }
    #expect(seen == [.running, .starting, .running, .idle])
    #expect(kernel.leaks.isEmpty)
  }

  @Test func anotherCameraTakesTheFirstOnesPlace() async throws {
    let kernel = makeKernel()
    let shown = Shown()
    let session = try await started(source(kernel), preview(shown))
    let before = shown.all.count
    try await session.configure { $0.source = simulated(96) }
    #expect(await session.camera?.kind == .simulated)
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    #expect(shown.all.count >= before + 4)
    #expect(shown.all.last?.frame.format.size.width == 96)
    await session.stop()
    try await session.start()
    #expect(await session.camera?.kind == .simulated, "the new source also applies after a stop")
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  /// The new camera is missing, is in use by another program, or has no suitable format. The session keeps the former one.
  @Test(arguments: ["absent", "busy", "format"])
  func aChangeThatFailsLeavesTheSessionAsItWas(failure: String) async throws {
    let (kernel, other) = (makeKernel(), makeKernel())
    switch failure {
    case "absent": other.unplug()
    case "busy": other.fail("VIDIOC_S_FMT", .busy)
    default: break
    }
    let (shown, unwanted) = (Shown(), Shown())
    let (kept, new) = (preview(shown), preview(unwanted))
    let session = try await started(source(kernel), kept)
    let error = await #expect(throws: SessionError.self) {
      try await session.configure { setup in
        setup.source = source(other)
        setup.remove(kept)
        setup.add(new)
        setup.configuration.surfaceLock = .half
        if failure == "format" { setup.configuration.chooseFormat = { _ in nil } }
      }
    }
    guard let reason = error?.cameraError else {
      Issue.record("\(String(describing: error))")
      return
    }
    switch failure {
    case "busy": #expect(reason == .busy("/dev/video0"))
    default: #expect(reason.interruption == nil)
    }
    let before = shown.all.count
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    #expect(shown.all.count >= before + 4 && unwanted.all.isEmpty)
    #expect(shown.all.last?.frame.orientation.preview == .upright)
    #expect(await session.setup.outputs.count == 1)
    #expect(other.leaks.isEmpty)
    await session.stop()
    #expect(kernel.leaks.isEmpty && starts(kernel) == 2)
  }

  /// If no format meets the request, the session does not touch the running stream.
  @Test func aWishThatNoFormatMeetsTouchesNothing() async throws {
    let kernel = makeKernel()
    let session = try await started(source(kernel))
    let error = await #expect(throws: SessionError.self) {
      try await session.configure { $0.configuration.chooseFormat = { _ in nil } }
    }
    #expect(error?.description.contains("does not offer") == true)
    #expect(starts(kernel) == 1 && opens(kernel) == 1)
    await session.stop()
  }

  @Test func photosOfARemovedOutputAreAnswered() async throws {
    let photos = PhotoOutput(clock: clock)
    let session = CaptureSession(source: simulated(framesPerSecond: 1), configuration: .patient, clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(2600))
    let pending = Task { try await session.capturePhoto(from: photos) }
    while photos.waitingCount == 0 { await Task.yield() }
    await session.remove(photos)
    await #expect(throws: SessionError.outputRemoved) { try await pending.value }
    await #expect(throws: SessionError.outputNotAdded) { try await session.capturePhoto(from: photos) }
    await session.add(photos)
    await clock.run(for: .seconds(2))
    _ = try await clock.run { try await session.capturePhoto(from: photos) }
    await session.stop()
  }

  @Test func aRestartRefusesThePhotosThatWait() async throws {
    let photos = PhotoOutput(clock: clock)
    let session = CaptureSession(source: simulated(framesPerSecond: 1), configuration: .patient, clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(2600))
    let pending = Task { try await session.capturePhoto(from: photos) }
    while photos.waitingCount == 0 { await Task.yield() }
    try await session.configure { $0.source = simulated(96) }
    await #expect(throws: SessionError.captureRefused(.starting)) { try await pending.value }
    await session.stop()
  }

  /// Removing an output returns the two buffers that it held to the driver.
  @Test func whatARemovedOutputHeldIsGivenBack() async throws {
    let kernel = makeKernel()
    let photos = PhotoOutput(clock: clock)
    let session = try await started(source(kernel), photos)
    #expect(kernel.held.count == kernel.allocated - PhotoOutput.ringDepth)
    await session.remove(photos)
    #expect(kernel.held.count == kernel.allocated)
    await session.stop()
  }

  /// A change opens no device if the session has none open. It applies at the next start.
  @Test func aSessionWithoutADeviceTakesTheChangeForItsNextStart() async throws {
    let kernel = makeKernel()
    let session = CaptureSession(source: source(kernel), configuration: .patient, clock: clock)
    try await session.configure { $0.configuration.chooseFormat = Self.wide }
    #expect(kernel.log.isEmpty)
    try await session.start()
    #expect(await session.format?.image.size.width == 128)
    await session.background()
    try await session.configure { $0.source = simulated(128) }
    #expect(await session.state == .paused(.background))
    try await session.foreground()
    await clock.run(for: .milliseconds(100))
    #expect(await session.camera?.kind == .simulated)
    #expect(await session.state == .running)
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func aSessionThatFailedStaysFailedUntilItIsStarted() async throws {
    let kernel = makeKernel()
    kernel.with { $0.isReadable = false }
    let session = CaptureSession(source: source(kernel), configuration: .patient, clock: clock)
    await #expect(throws: SessionError.self) { try await session.start() }
    try await session.configure { $0.source = simulated() }
    guard case .failed = await session.state else {
      Issue.record("\(await session.state)")
      return
    }
    try await session.start()
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    await session.stop()
  }

  @Test func anotherCameraEndsTheWaitForOneThatIsGone() async throws {
    let kernel = makeKernel()
    let session = try await started(source(kernel))
    kernel.unplug()
    kernel.show(as: nil)
    await clock.run(for: .milliseconds(500))
    #expect(await session.state == .interrupted(.deviceDisconnected))
    try await session.configure { $0.source = simulated() }
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  /// A new format does not end the wait for an unplugged camera. It applies when the camera returns.
  @Test func anotherFormatCountsFromTheReturn() async throws {
    let kernel = makeKernel()
    let session = try await started(source(kernel))
    kernel.unplug()
    kernel.show(as: nil)
    await clock.run(for: .milliseconds(500))
    try await session.configure { $0.configuration.chooseFormat = Self.wide }
    #expect(await session.state == .interrupted(.deviceDisconnected))
    kernel.replug(as: "/dev/video0")
    kernel.show(as: "video0")
    await clock.run(for: .seconds(1))
    #expect(await session.state == .running)
    #expect(await session.format?.image.size.width == 128)
    await session.stop()
  }

  /// If neither the new nor the former camera can be opened, the session waits for the camera's return.
  @Test func whenNeitherCameraIsThereTheStateSaysSo() async throws {
    let (kernel, other) = (makeKernel(), makeKernel())
    other.unplug()
    let session = try await started(source(kernel))
    // The stream still runs, but the node is gone: after closing, it cannot be opened again.
    kernel.with { $0.node = "" }
    await #expect(throws: SessionError.self) { try await session.configure { $0.source = source(other) } }
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .interrupted(.deviceDisconnected))
    await session.stop()
    #expect(kernel.leaks.isEmpty && other.leaks.isEmpty)
  }

  @Test func changesStopsAndStartsInAnyOrderEndAsTheLastOneSays() async throws {
    let session = CaptureSession(source: simulated(), configuration: .patient, clock: clock)
    let photos = PhotoOutput(clock: clock)
    for round in 0..<20 {
      let other = simulated(64 + 2 * round)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await session.start() }
        group.addTask { try await session.configure { $0.source = other } }
        group.addTask { try await session.configure { $0.add(photos) } }
        group.addTask { await session.stop() }
        group.addTask { await session.remove(photos) }
        try await group.waitForAll()
      }
      await session.stop()
      #expect(await session.state == .idle)
    }
    try await session.configure { $0.source = simulated(200) }
    try await session.start()
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    #expect(await session.format?.image.size.width == 200)
    await session.stop()
  }

  /// A shorter timeout applies at once. Without a timeout the session never pauses.
  @Test func theInactivityTimeoutIsTakenAtOnce() async throws {
    let session = try await started(simulated(framesPerSecond: 20))
    try await session.configure { $0.configuration.inactivityTimeout = .seconds(10) }
    await clock.run(for: .seconds(9))
    #expect(await session.state == .running)
    await clock.run(for: .seconds(2))
    #expect(await session.state == .paused(.inactivity))
    try await session.configure { $0.configuration.inactivityTimeout = nil }
    #expect(await session.state == .paused(.inactivity), "a change does not count as activity")
    await session.noteActivity()
    await clock.run(for: .seconds(100))
    #expect(await session.state == .running)
    await session.stop()
  }
}
