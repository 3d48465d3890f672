import Imagery
import System
import Testing

@testable import Capture

/// The note of a result whose value the device has changed, and the frames that count for shutter priority.
/// In virtual time.
@Suite struct ControlAnswerTests {
  private let clock = VirtualClock()
  private let frames = FrameRecorder()

  private func running(_ source: OperatedSource) async throws -> CaptureSession {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    let session = CaptureSession(source: source, configuration: configuration, clock: clock)
    await session.add(frames)
    try await session.start()
    await clock.run(for: .milliseconds(300))
    return session
  }

  /// At 50 frames a second, 360 degrees are 0.02 s. Larger angles are clamped to this time.
  @Test func anAngleBeyondTheRangeIsClamped() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    for (asked, note, duration) in [
      (400.0, CameraControlResult.Note.clamped, 0.02), (180, .exact, 0.01), (0.5, .clamped, 0.0001),
      (100, .rounded, 0.0056),
    ] {
      let result = await session.set(.shutterAngle, to: .number(asked))
      #expect(result.note == note, "\(asked)°")
      #expect(source[.exposureDuration] == .number(duration), "\(asked)°")
    }
    await session.stop()
  }

  /// At 30 frames a second half of the interval is 1/60 s, but the device counts in units of 100 µs.
  @Test func anAngleThatShutterPriorityRoundsIsSaidSo() async throws {
    let session = try await running(OperatedSource(framesPerSecond: 30))
    #expect(await session.enableShutterPriority().note == .rounded)
    await session.stop()
  }

  /// The device's capability claims a maximum of 6400, but the device stops at 800.
  @Test(arguments: [(1600.0, CameraControlResult.Note.ignored), (820, .rounded), (700, .exact)])
  func aNumberFarFromTheWishIsNoRounding(wanted: Double, note: CameraControlResult.Note) async throws {
    let session = try await running(OperatedSource { $0.ends = [.iso: 800] })
    let result = await session.set(.iso, to: .number(wanted))
    #expect(result.note == note && result.took == .number(min(wanted, 800)))
    await session.stop()
  }

  /// The new lens begins at the same exposure level, with twice the time and half the sensitivity. It delivers frames before the
  /// requested time takes effect; these frames must not change the sensitivity.
  @Test func framesOfAnotherTimeMoveNoSensitivity() async throws {
    let wide = OperatedSource("wide") { $0.tellsSettings = true }
    let tele = OperatedSource("tele") { device in
      (device.tellsSettings, device.delay) = (true, 2)
      (device.values[.exposureDuration], device.values[.iso]) = (.number(0.02), .number(100))
    }
    let session = try await running(wide)
    await session.enableShutterPriority()
    await clock.run(for: .milliseconds(500))
    let before = frames.frames.count
    try await clock.run { try await session.configure { $0.source = tele } }
    await clock.run(for: .seconds(1))
    #expect(tele.sets(of: .iso).map { $0.value } == [.number(200)], "it was set once")
    let settled = frames.frames.dropFirst(before).filter(\.settings.isSettled)
    #expect(!settled.isEmpty)
    #expect(settled.allSatisfy { $0.settings.iso == 200 && $0.settings.exposureDuration == 0.01 })
    await session.stop()
  }

  /// The device chooses the dynamic range itself, unless a log format is requested and available.
  @Test func aRangeThatTheDeviceChoosesIsRefusedByHand() async throws {
    let source = OperatedSource { $0.capabilities.append(CameraControlCapability(.wideDynamicRange)) }
    let session = try await running(source)
    let result = await session.set(.wideDynamicRange, to: .flag(true))
    #expect(result.refusal?.hasPrefix("cannot set wide-dynamic-range: the device chooses") == true)
    #expect(source.sets(of: .wideDynamicRange).isEmpty)
    await session.stop()
  }
}
