import Glibc
import Imagery
import Replay
import System
import Testing

@testable import Capture

/// Sessions that are stopped and started again, and calls that are cancelled.
@Suite struct SessionLifeTests {
  private let clock = VirtualClock()

  private func source(framesPerSecond: Int = 50) -> SimulatedSource {
    SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: framesPerSecond))
  }

  private func preview(_ shown: Shown) -> PreviewOutput {
    PreviewOutput(
      surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock
    ) { shown.add($0) }
  }

  /// A session with outputs can be stopped and started repeatedly.
  @Test func aStoppedSessionStartsAgain() async throws {
    let session = CaptureSession(source: source(), clock: clock)
    let outputs = EveryOutput(clock: clock)
    for output in outputs.all { await session.add(output.output) }
    let photos = outputs.photos
    for round in 1...3 {
      let before = outputs.all.map { $0.done() }
      let states = await session.states()
      if round == 2 { try await session.prewarm() }
      try await session.start()
      await clock.run(for: .milliseconds(205))
      #expect(await session.state == .running)
      _ = try await clock.run { try await session.capturePhoto(from: photos) }
      await session.stop()
      #expect(await session.state == .idle)
      for (output, before) in zip(outputs.all, before) {
        let done = output.done() - before
        #expect(done >= output.least, "\(output.output) has done \(done)")
      }
      var last: SessionState?
      for await state in states { last = state }
      #expect(last == .idle, "and the stream of states has ended")
      await #expect(throws: SessionError.captureRefused(.idle)) {
        try await session.capturePhoto(from: photos)
      }
    }
    await session.stop()
  }

  /// Calls that overlap leave the session as the last call requests.
  @Test func callsThatOverlapEndAsTheLastOneSays() async throws {
    let session = CaptureSession(source: source(), clock: clock)
    await session.add(PhotoOutput(clock: clock))
    try await session.start()
    async let first: Void = session.stop()
    async let second: Void = session.stop()
    _ = await (first, second)
    #expect(await session.state == .idle)
    for _ in 0..<20 {
      async let started: Void = session.start()
      async let stopped: Void = session.stop()
      async let again: Void = session.start()
      _ = try await (started, stopped, again)
      await session.stop()
      #expect(await session.state == .idle)
    }
    try await session.start()
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    await session.stop()
  }

  @Test func aPhotoNeedsAnOutputOfThisSession() async throws {
    let session = CaptureSession(source: source(), clock: clock)
    await session.add(PhotoOutput(clock: clock))
    try await session.start()
    await clock.run(for: .milliseconds(100))
    let stranger = PhotoOutput(clock: clock)
    let error = await #expect(throws: SessionError.self) { try await session.capturePhoto(from: stranger) }
    #expect(error == .outputNotAdded && error?.description.contains("add it with `add`") == true)
    await session.stop()
  }

  /// A cancelled request for a photo ends at once, and the session continues.
  @Test func aPressThatIsCancelledEnds() async throws {
    let session = CaptureSession(source: source(framesPerSecond: 1), configuration: .patient, clock: clock)
    let photos = PhotoOutput(clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(2600))
    let pending = Task { try await session.capturePhoto(from: photos) }
    while photos.waitingCount == 0 { await Task.yield() }
    pending.cancel()
    await #expect(throws: CancellationError.self) { try await pending.value }
    #expect(photos.waitingCount == 0)
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await session.capturePhoto(from: photos)
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(photos.waitingCount == 0)
    _ = try await clock.run { try await session.capturePhoto(from: photos) }
    await session.stop()
  }

  /// Each request for a photo gets one answer, whether the frame or the cancellation comes first.
  @Test func everyPressHasOneAnswer() async throws {
    let session = CaptureSession(source: source(), clock: clock)
    let photos = PhotoOutput(clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(100))
    for round in 0..<100 {
      let pressed = Task { try await session.capturePhoto(from: photos) }
      let canceller = Task {
        for _ in 0..<round { await Task.yield() }
        pressed.cancel()
      }
      _ = try? await clock.run { try? await pressed.value }
      await canceller.value
      await clock.run(for: .milliseconds(7))
    }
    #expect(photos.waitingCount == 0)
    await session.stop()
  }

  /// The device never finishes opening. A cancelled start must still return.
  @Test func aStartThatIsCancelledIsNotWaitedForAnyMore() async throws {
    let gate = OpeningGate()
    let session = CaptureSession(source: GatedSource(base: source(), gate: gate), clock: clock)
    for (ask, isStart) in [(session.prewarm, false), (session.start, true)] {
      let asked = Task { try await ask() }
      while gate.count.value == 0 { await Task.yield() }
      while isStart, await session.state == .idle { await Task.yield() }
      asked.cancel()
      await #expect(throws: SessionError.cancelled) { try await asked.value }
    }
    gate.open()
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running, "the requested action continues")
    await session.stop()
  }

  /// A photo requested in a paused session resumes it, and shows the first frame after the pause (PWR-1).
  @Test func aPressResumesAPausedSession() async throws {
    let session = CaptureSession(source: source(framesPerSecond: 5), clock: clock)
    let photos = PhotoOutput(clock: clock)
    await session.add(photos)
    try await session.start()
    for _ in 0..<2 {
      await clock.run(for: .seconds(45))
      #expect(await session.state == .paused(.inactivity))
      #expect(await session.state.acceptsPhotos)
      let photo = try await clock.run { try await session.capturePhoto(from: photos) }
      #expect((Duration.zero...Duration.milliseconds(200)).contains(photo.shutterLag))
      await clock.run(for: .seconds(25))
      #expect(await session.state == .running, "the press was activity")
    }
    await session.background()
    await #expect(throws: SessionError.captureRefused(.paused(.background))) {
      try await session.capturePhoto(from: photos)
    }
    await session.stop()
  }

  /// A request that waits for the first picture ends with the reason why no picture comes.
  @Test(arguments: ["stop", "background", "cancel", "too many"])
  func aPressThatWaitsForThePictureIsAnswered(end: String) async throws {
    let session = CaptureSession(source: source(framesPerSecond: 1), configuration: .patient, clock: clock)
    let photos = PhotoOutput(clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .seconds(45))
    let pressed = (0..<PhotoOutput.pendingLimit).map { _ in
      Task { try await session.capturePhoto(from: photos) }
    }
    while await session.waitingPresses < pressed.count { await Task.yield() }
    #expect(await session.state != .running)
    switch end {
    case "stop": await session.stop()
    case "background": await session.background()
    case "cancel": for press in pressed { press.cancel() }
    default:
      await #expect(throws: SessionError.tooManyPhotos(limit: PhotoOutput.pendingLimit)) {
        try await session.capturePhoto(from: photos)
      }
      await session.stop()
    }
    for press in pressed {
      let error = await #expect(throws: (any Error).self) { try await press.value }
      switch end {
      case "background": #expect(error as? SessionError == .captureRefused(.paused(.background)))
      case "cancel": #expect(error is CancellationError)
      default: #expect(error as? SessionError == .captureCancelled)
      }
    }
    #expect(await session.waitingPresses == 0)
    await session.stop()
  }

  /// As many sessions as the pool has threads each run a handler that waits for a task. Stopping all the sessions must leave a
  /// thread for that task.
  @Test func stoppingBehindASlowHandlerHoldsUpNoOtherTask() async throws {
    await #expect(processExitsWith: .success) {
      alarm(120)
      let (gate, entered) = (Gate(), Counter())
      var sessions: [CaptureSession] = []
      for _ in 0..<Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) * 2 {
        let session = CaptureSession(source: SimulatedSource(size: PixelSize(width: 64, height: 64)))
        await session.add(
          AnalysisOutput { _ in
            entered.increment()
            gate.pass()
          })
        try await session.start()
        sessions.append(session)
      }
      while entered.value < sessions.count { await Task.yield() }
      await withTaskGroup(of: Void.self) { group in
        for session in sessions { group.addTask { await session.stop() } }
        for session in sessions { while await session.state != .idle { await Task.yield() } }
        // All stops now wait behind handlers that wait for the gate.
        for _ in 0..<1000 { await Task.yield() }
        gate.open()
      }
      exit(0)
    }
  }
}

/// A gate that blocks its callers until it is opened.
private final class Gate: Sendable {
  private let isOpen = Locked(false)
  func open() {
    isOpen.withLock { $0 = true }
    isOpen.notify()
  }
  func pass() { _ = isOpen.wait { $0 ? true : nil as Bool? } }
}

private final class OpeningGate: Sendable {
  let count = Counter()
  private let gate = Gate()
  func open() { gate.open() }
  func pass() {
    count.increment()
    gate.pass()
  }
}

private struct GatedSource: CameraSource {
  let base: SimulatedSource
  let gate: OpeningGate

  var specification: String { base.specification }
  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    gate.pass()
    return try base.makeCamera(clock: clock)
  }
}
