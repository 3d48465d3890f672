import Capture
import Imagery
import Probes
import Replay

/// A simulated camera that is interrupted once, or a session that goes to the background once, in virtual time.
enum NoticePlay {
  /// - Returns: all published states.
  static func interrupted(_ rig: Rig, by reason: InterruptionReason) async throws -> [SessionState] {
    try await states(rig.broken(interruptedOnce(reason))) { _, clock in
      await clock.run(for: .seconds(1))
    }
  }

  static func background(_ rig: Rig) async throws -> [SessionState] {
    try await states(rig.broken(simulated)) { session, clock in
      await session.background()
      await clock.run(for: .seconds(1))
      try await session.foreground()
    }
  }

  private static let simulated = SimulatedSource(
    size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 20))

  private static func states(
    _ source: any CameraSource, _ body: @Sendable (CaptureSession, VirtualClock) async throws -> Void
  ) async throws -> [SessionState] {
    let clock = VirtualClock()
    var configuration = SessionConfiguration.unattended
    // A late return, as with a fault, must not count as a stall.
    configuration.stallTimeout = .seconds(10)
    let session = CaptureSession(source: source, configuration: configuration, clock: clock)
    let states = await session.states()
    try await session.start()
    await clock.run(for: .seconds(2))
    try await body(session, clock)
    await clock.run(for: .seconds(2))
    try Task.checkCancellation()
    await session.stop()
    var seen: [SessionState] = []
    for await state in states where state != .idle { seen.append(state) }
    return seen
  }

  /// Returns a camera that reports an interruption after ten frames, and its end ten frames later.
  private static func interruptedOnce(_ reason: InterruptionReason) -> WatchedSource {
    WatchedSource(simulated) {
      var count = 0
      return WatchedSource.Watcher(event: { event in
        guard case .frame = event else { return event }
        count += 1
        return switch count {
        case 11: .interrupted(reason)
        case 12..<21: nil
        case 21: .interruptionEnded
        default: event
        }
      })
    }
  }
}
