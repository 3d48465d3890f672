import Charts
import Glibc
import Imagery
import Replay
import System
import Testing

@testable import Capture

/// The session with its threads and outputs, in virtual time.
@Suite struct SessionTests {
  private let clock = VirtualClock()

  private func source(
    framesPerSecond: Int = 50, frames: Int? = nil, scene: SimulatedScene = SimulatedScene()
  ) -> SimulatedSource {
    SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: framesPerSecond),
      frameLimit: frames, scene: scene)
  }

  @Test func everyFrameIsPresentedInOrder() async throws {
    let session = CaptureSession(source: source(frames: 20), clock: clock)
    let shown = Shown()
    let preview = PreviewOutput(
      surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock
    ) { shown.add($0) }
    await session.add(preview)
    try await session.start()
    await clock.run(for: .seconds(1))
    #expect(await session.state == .ended)
    await session.stop()
    #expect(shown.all.map(\.frame.sequence) == Array(0..<20))
    #expect(shown.all.allSatisfy { $0.presentedTime - $0.frame.exposureTime == .milliseconds(20) })
    #expect(preview.totals == PreviewOutput.Counts(presented: 20, replaced: 0, failed: 0))
  }

  @Test func resizingTakesEffectOnTheNextFrame() async throws {
    let surface = OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock)
    let session = CaptureSession(source: source(), clock: clock)
    await session.add(PreviewOutput(surface: surface, clock: clock))
    try await session.start()
    await clock.run(for: .milliseconds(20))
    #expect(surface.image?.format.size == PixelSize(width: 32, height: 32))
    surface.resize(to: PixelSize(width: 48, height: 20))
    await clock.run(for: .milliseconds(20))
    #expect(surface.image?.format.size == PixelSize(width: 48, height: 20))
    await session.stop()
  }

  /// The device delivers pictures of its queue after the interruption has begun.
  @Test func aPictureThatComesLateDoesNotEndTheInterruption() async throws {
    let session = CaptureSession(source: LatePictureSource(base: source()), clock: clock)
    let states = await session.states()
    try await session.start()
    await clock.run(for: .milliseconds(150))
    #expect(await session.state == .interrupted(.deviceInUse))
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    await session.stop()
    let seen = await states.reduce(into: []) { $0.append($1) }
    #expect(seen.filter { $0 == .running || $0 == .interrupted(.deviceInUse) }.count == 3)
  }

  @Test(arguments: [50, 60, 100, 120]) func analysisSeesNoMoreThanThirtyFrames(rate: Int) async throws {
    let session = CaptureSession(source: source(framesPerSecond: rate), clock: clock)
    let (shown, analysed) = (Shown(), Counter())
    await session.add(
      PreviewOutput(
        surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock
      ) { shown.add($0) })
    await session.add(AnalysisOutput(clock: clock) { _ in analysed.increment() })
    try await session.start()
    await clock.run(for: .seconds(2))
    await session.stop()
    #expect((rate * 2 - 1...rate * 2).contains(shown.all.count), "the preview keeps the source's rate")
    #expect((59...60).contains(analysed.value))
  }

  @Test(arguments: [0, 4, 9, 11, 16, 19]) func thePhotoIsTheFrameNearestToThePress(offset: Int64) async throws
  {
    let session = CaptureSession(source: source(), clock: clock)
    let photos = PhotoOutput(clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(200 + offset))
    let photo = try await clock.run { try await session.capturePhoto(from: photos) }
    let lag = photo.shutterLag
    #expect(abs(lag.milliseconds) <= 10, "half an interval of 20 ms")
    await session.stop()
  }

  @Test func theShutterIsRefusedUntilThereIsAPicture() async throws {
    let session = CaptureSession(source: source(), clock: clock)
    let photos = PhotoOutput(clock: clock)
    await session.add(photos)
    await #expect(throws: SessionError.captureRefused(.idle)) { try await session.capturePhoto(from: photos) }
    try await session.start()
    await #expect(throws: SessionError.captureRefused(.starting)) {
      try await session.capturePhoto(from: photos)
    }
    await session.stop()
  }

  @Test func stoppingAnswersPendingPhotos() async throws {
    // At 1 fps, the frame nearest to a press 400 ms after the last frame is known only when the next one has arrived.
    let session = CaptureSession(source: source(framesPerSecond: 1), configuration: .patient, clock: clock)
    let photos = PhotoOutput(clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(2600))
    let pending = Task { try await session.capturePhoto(from: photos) }
    while photos.waitingCount == 0 { await Task.yield() }
    await session.stop()
    await #expect(throws: SessionError.captureCancelled) { try await pending.value }
  }

  @Test func backgroundClosesTheCameraAndForegroundResumes() async throws {
    let session = CaptureSession(source: source(), clock: clock)
    let shown = Shown()
    await session.add(
      PreviewOutput(
        surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock
      ) { shown.add($0) })
    try await session.start()
    await clock.run(for: .milliseconds(100))
    await session.background()
    #expect(await session.state == .paused(.background))
    let count = shown.all.count
    await clock.run(for: .seconds(5))
    #expect(shown.all.count == count)
    try await session.foreground()
    await clock.run(for: .milliseconds(20))
    #expect(shown.all.count == count + 1)
    #expect(await session.state == .running)
    await session.stop()
  }

  @Test func inactivityPausesAfterThirtySeconds() async throws {
    let session = CaptureSession(source: source(framesPerSecond: 5), clock: clock)
    try await session.start()
    await clock.run(for: .milliseconds(29_900))
    #expect(await session.state == .running)
    await session.noteActivity()
    await clock.run(for: .milliseconds(29_900))
    #expect(await session.state == .running, "activity puts it off")
    await clock.run(for: .milliseconds(200))
    #expect(await session.state == .paused(.inactivity))
    await session.noteActivity()
    await clock.run(for: .milliseconds(400))
    #expect(await session.state == .running)
    await session.stop()
  }

  @Test func aPhotoIsActivity() async throws {
    let session = CaptureSession(source: source(framesPerSecond: 5), clock: clock)
    let photos = PhotoOutput(clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .seconds(20))
    _ = try await clock.run { try await session.capturePhoto(from: photos) }
    await clock.run(for: .seconds(20))
    #expect(await session.state == .running)
    await session.stop()
  }

  @Test func inactivityCountsAgainAfterTheForeground() async throws {
    let session = CaptureSession(source: source(framesPerSecond: 5), clock: clock)
    try await session.start()
    await session.background()
    try await session.foreground()
    await clock.run(for: .seconds(31))
    #expect(await session.state == .paused(.inactivity))
    await session.stop()
  }

  @Test func turningTheDeviceTurnsFramesFromThenOn() async throws {
    let scene = SimulatedScene()
    let session = CaptureSession(source: source(scene: scene), clock: clock)
    let shown = Shown()
    await session.add(
      PreviewOutput(
        surface: OffscreenSurface(size: PixelSize(width: 64, height: 64), clock: clock), clock: clock
      ) { shown.add($0) })
    try await session.start()
    await clock.run(for: .milliseconds(100))
    scene.attitude = 90
    await clock.run(for: .milliseconds(100))
    await session.stop()
    let angles = shown.all.map { $0.frame.orientation.preview.rotation.rawValue }
    #expect(angles.first == 0)
    #expect(angles.last == 90)
    #expect(angles == angles.sorted())
    let last = try #require(shown.all.last)
    let reading = try #require(Fiducial.identify(in: last.image, center: ChartPoint(x: 32, y: 32), side: 24))
    #expect(reading.isCertain && reading.best == .upright, "the mark stays upright in the world")
  }

  @Test func sessionsThatNobodyHoldsLeaveNothing() async throws {
    await #expect(processExitsWith: .success) {
      for _ in 0..<20 { try await abandon() }
      // The threads end by themselves soon, but nothing reports their end.
      let patience = ContinuousClock.now + .seconds(600)
      while Resources.now().threads > 0, ContinuousClock.now < patience { await Task.yield() }
      print(Resources.now())
      exit(Resources.now().threads == 0 ? 0 : 1)
    }
  }

  @Test func aThousandCyclesLeakNothing() async throws {
    // Runs in a separate process, so that sessions of other tests do not count.
    await #expect(processExitsWith: .success) {
      for _ in 0..<10 { try await cycle() }
      let before = Resources.now()
      for _ in 0..<1000 { try await cycle() }
      let after = Resources.now()
      print("\(before) \(after)")
      exit(after.threads == 0 && after.signals <= before.signals + 2 ? 0 : 1)
    }
  }
}

/// Starts a session and releases it without stopping.
private func abandon() async throws {
  let session = CaptureSession(source: SimulatedSource(size: PixelSize(width: 64, height: 64)))
  await session.add(PhotoOutput())
  for await state in await session.states() {
    if state == .idle { try await session.start() }
    if state == .running { return }
  }
}

/// Runs one session from start to stop.
private func cycle() async throws {
  let clock = VirtualClock()
  let source = SimulatedSource(size: PixelSize(width: 64, height: 64))
  let session = CaptureSession(source: source, clock: clock)
  let photos = PhotoOutput(clock: clock)
  await session.add(photos)
  await session.add(
    PreviewOutput(
      surface: OffscreenSurface(size: PixelSize(width: 16, height: 16), clock: clock), clock: clock))
  try await session.start()
  await session.stop()
}

extension SessionConfiguration {
  /// A configuration for cameras with one frame per second.
  static var patient: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.stallTimeout = .seconds(10)
    return configuration
  }
}

/// A source with a picture every 20 ms. It is interrupted from 90 to 190 ms, but its first picture during that time still arrives.
private struct LatePictureSource: CameraSource {
  let base: SimulatedSource

  var specification: String { base.specification }
  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    LatePictureCamera(base: try base.makeCamera(clock: clock))
  }
}

private final class LatePictureCamera: Camera {
  private let base: any Camera
  private var count = 0

  init(base: any Camera) { self.base = base }

  func open() throws(CameraError) -> CameraDescription { try base.open() }
  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { try base.prepare(format) }
  func start() throws(CameraError) { try base.start() }
  func stop() { base.stop() }
  func close() { base.close() }
  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    let event = try base.next(until: deadline, wake: wake)
    guard case .frame = event else { return event }
    count += 1
    return switch count {
    case 5: .interrupted(.deviceInUse)
    case 7...9: .damagedFrame(sequence: 0, reason: "it is interrupted")
    case 10: .interruptionEnded
    default: event
    }
  }
}
