import Capture
import Imagery
import Replay
import System
import Testing

@testable import Recording

/// The camera settings that a recording holds, in virtual time.
@Suite struct ConditionTests {
  private let folder = Folder()
  private let clock = VirtualClock()
  private let all = RecordingConditions(locksExposure: true, locksWhiteBalance: true, torch: 0.6)

  private func running(_ output: RecordingOutput, torchLight: Double? = 5) async throws -> CaptureSession {
    var source = SensorSource(
      size: PixelSize(width: 64, height: 48), rates: [FrameInterval(framesPerSecond: 25)])
    source.drawsTimeCode = false
    source.model.torchLight = torchLight
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    let session = CaptureSession(source: source, configuration: configuration, clock: clock)
    await session.add(output)
    try await session.start()
    await clock.run(for: .milliseconds(500))
    return session
  }

  private func start(
    _ output: RecordingOutput, _ session: CaptureSession, _ conditions: RecordingConditions,
    to name: String = "film.mp4"
  ) async throws -> RecordingHold {
    let path = folder(name)
    return try await clock.run {
      try await output.start(
        RecordingSettings(codec: .mjpeg), to: path, interval: FrameInterval(framesPerSecond: 25),
        holding: conditions, of: session)
    }
  }

  private func isAsBefore(_ session: CaptureSession) async -> Bool {
    await session.set([])
    let controls = await session.controls
    return !controls.isLockedForRecording && controls.torch == 0
      && controls.values[.exposureMode] == .choice("auto")
      && controls.values[.whiteBalanceLock] != .flag(true)
      && controls.wishes[.whiteBalanceLock] == nil
  }

  @Test func allIsHeldWhileItRecordsAndGivenBackWhenItIsStopped() async throws {
    let output = RecordingOutput(clock: clock)
    let session = try await running(output)
    #expect(await isAsBefore(session))
    let began = clock.now()
    let hold = try await start(output, session, all)
    #expect(hold.results.count == 3 && hold.results.allSatisfy { $0.refusal == nil })
    #expect(clock.now() - began >= .milliseconds(450), "the torch counts in before the first frame")
    await clock.run(for: .seconds(1))
    await session.set([])
    let controls = await session.controls
    #expect(controls.isLockedForRecording && !controls.isExposureLocked && controls.torch == 0.6)
    #expect(controls.values[.whiteBalanceLock] == .flag(true))
    let recording = try await output.stop()
    try await clock.run { await hold.isReleased() }
    #expect(await isAsBefore(session))
    await session.stop()
    #expect(recording.progress.written >= 20)
    #expect((recording.progress.firstExposure ?? began) >= began + .milliseconds(450))
  }

  /// The recording ends by itself, because the camera's format changes. The former settings are restored.
  @Test func allIsGivenBackWhenItEndsByItself() async throws {
    let output = RecordingOutput(clock: clock)
    let session = try await running(output)
    let hold = try await start(output, session, all)
    await clock.run(for: .milliseconds(500))
    output.receive(try Frames(.grey).frame(0))
    try await clock.run { await hold.isReleased() }
    #expect(output.latest?.end == .formatChanged)
    #expect(await isAsBefore(session))
    await session.stop()
  }

  @Test func whatCannotBeRecordedChangesNothing() async throws {
    let output = RecordingOutput(clock: clock)
    let session = try await running(output)
    try write([1], to: folder("film.mp4"))
    let error = await #expect(throws: RecordingError.self) { _ = try await start(output, session, all) }
    #expect(error?.code == .destination)
    #expect(await isAsBefore(session))
    // A second start fails, and does not release the settings that the first recording holds.
    let hold = try await start(output, session, all, to: "other.mp4")
    let second = await #expect(throws: RecordingError.self) {
      _ = try await start(output, session, all, to: "third.mp4")
    }
    #expect(second?.code == .alreadyRecording)
    await session.set([])
    #expect(await session.controls.isLockedForRecording)
    _ = try await output.stop()
    try await clock.run { await hold.isReleased() }
    #expect(await isAsBefore(session))
    await session.stop()
  }

  /// A condition that the camera cannot meet is reported. The recording starts anyway.
  @Test func whatTheCameraLacksIsToldAndKeepsNothingFromBeginning() async throws {
    let output = RecordingOutput(clock: clock)
    let session = try await running(output, torchLight: nil)
    let hold = try await start(output, session, RecordingConditions(torch: 1))
    #expect(hold.results.compactMap(\.refusal).count == 1)
    await clock.run(for: .milliseconds(400))
    #expect(try await output.stop().progress.written > 5)
    try await clock.run { await hold.isReleased() }
    await session.stop()
  }

  /// The end of a recording leaves a lock that was held before, and light that was on before.
  @Test func whatWasThereBeforeStays() async throws {
    let output = RecordingOutput(clock: clock)
    let session = try await running(output)
    await session.lockForRecording()
    await session.lightTorch(0.2)
    await session.set(.whiteBalanceTemperature, to: .number(4000))
    let hold = try await start(output, session, all)
    _ = try await output.stop()
    try await clock.run { await hold.isReleased() }
    let controls = await session.controls
    #expect(controls.isLockedForRecording && controls.torch == 0.2)
    #expect(controls.values[.whiteBalanceMode] == .choice("manual"))
    await session.stop()
  }

  /// The torch goes out while the camera is closed, and is lit again when the camera has reopened.
  @Test func theTorchIsLitAgainAfterABreak() async throws {
    let output = RecordingOutput(clock: clock)
    let session = try await running(output)
    let hold = try await start(output, session, RecordingConditions(torch: 0.6))
    await clock.run(for: .milliseconds(200))
    await session.background()
    await session.set([])
    #expect(await session.controls.torch == 0)
    try await session.foreground()
    // Waits until the task that follows the session's state has lit the torch.
    for _ in 0..<2_000 {
      if await session.controls.torch != 0 { break }
      await clock.run(for: .milliseconds(1))
      await Task.yield()
    }
    #expect(await session.controls.torch == 0.6)
    _ = try await output.stop()
    try await clock.run { await hold.isReleased() }
    #expect(await isAsBefore(session))
    await session.stop()
  }

  @Test func levelsAreThoseThatShine() {
    #expect(RecordingConditions(torch: 7).torch == 1 && RecordingConditions(torch: 0).torch == 0.001)
    #expect(RecordingConditions() == RecordingConditions(locksExposure: false))
  }
}
