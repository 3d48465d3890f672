import Capture
import Imagery
import Locking
import Probes
import Replay

/// A simulated camera that is interrupted once, or a session that goes to the background once, in virtual time.
enum NoticePlay {
  /// - Returns: every state that was published.
  static func interrupted(_ rig: Rig, by reason: InterruptionReason) async throws -> [SessionState] {
    try await states(rig.broken(Interrupted(base: simulated, reason: reason))) { _, clock in
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
    // Coming back late, as under a fault, is no stall.
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

  private struct Interrupted: CameraSource {
    let base: SimulatedSource
    let reason: InterruptionReason

    var specification: String { base.specification }
    func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
      InterruptedCamera(base: try base.makeCamera(clock: clock), reason: reason)
    }
  }

  /// After ten frames it says that it is interrupted, and ten frames later that it is not any more.
  private final class InterruptedCamera: Camera {
    private let base: any Camera
    private let reason: InterruptionReason
    private var count = 0

    init(base: any Camera, reason: InterruptionReason) {
      self.base = base
      self.reason = reason
    }

    func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
      while true {
        let event = try base.next(until: deadline, wake: wake)
        guard case .frame = event else { return event }
        count += 1
        switch count {
        case 11: return .interrupted(reason)
        case 12..<21: continue
        case 21: return .interruptionEnded
        default: return event
        }
      }
    }

    func open() throws(CameraError) -> CameraDescription { try base.open() }
    func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { try base.prepare(format) }
    func start() throws(CameraError) { try base.start() }
    func stop() { base.stop() }
    func close() { base.close() }
    func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
      base.awaitReturn(after: reason, wake: wake)
    }
  }
}
