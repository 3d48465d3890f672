import Capture
import Imagery
import Replay
import System

/// A simulated camera that gets into trouble on command and recovers at a known moment. It adds no other time: it opens at once, and its first
/// frame comes one interval after the start of its stream.
struct TroubledSource: CameraSource {
  /// The event that ends a stream.
  enum Trouble: String, CaseIterable {
    /// The camera reports an interruption, and later its end.
    case interrupted
    /// The camera disappears, and comes back.
    case unplugged
    /// The camera fails, and works when it is opened again.
    case failed
    /// The camera delivers nothing and reports nothing until it is started again.
    case stalled
    /// The program goes to the background; the camera itself has no trouble.
    case background
  }

  let trouble: Trouble
  let script = TroubleScript()

  static let size = PixelSize(width: 64, height: 64)
  static let interval = FrameInterval(framesPerSecond: 25)
  /// Duration of a trouble, if the camera determines it.
  static let absence = Duration.milliseconds(200)

  var specification: String { simulated.specification }
  private var simulated: SimulatedSource {
    SimulatedSource(size: Self.size, frameInterval: Self.interval)
  }

  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    TroubledCamera(source: self, base: try simulated.makeCamera(clock: clock), clock: clock)
  }
}

/// The command to get into trouble, and the times at which the cause of each trouble was gone.
final class TroubleScript: Sendable {
  private let state = Locked((isDue: false, gone: [MonotonicTime]()))

  /// Makes the camera get into trouble at the next call.
  func trigger() { state.withLock { $0.isDue = true } }
  func noteGone(at time: MonotonicTime) { state.withLock { $0.gone.append(time) } }
  var gone: [MonotonicTime] { state.withLock { $0.gone } }

  fileprivate func takeTrigger() -> Bool {
    state.withLock { state in
      defer { state.isDue = false }
      return state.isDue
    }
  }
}

private final class TroubledCamera: Camera {
  private let source: TroubledSource
  private let base: any Camera
  private let clock: any CaptureClock
  /// The end of the current interruption. Nil without an interruption.
  private var ending: MonotonicTime?
  private var isStill = false

  init(source: TroubledSource, base: any Camera, clock: any CaptureClock) {
    self.source = source
    self.base = base
    self.clock = clock
  }

  func open() throws(CameraError) -> CameraDescription { try base.open() }
  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { try base.prepare(format) }
  func start() throws(CameraError) {
    ending = nil
    isStill = false
    try base.start()
  }

  func stop() { base.stop() }

  func close() { base.close() }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    if let ending { return try endInterruption(ending, until: deadline, wake) }
    if isStill { return standStill(until: deadline, wake) }
    guard source.script.takeTrigger() else { return try base.next(until: deadline, wake: wake) }
    switch source.trouble {
    case .interrupted:
      ending = clock.now() + TroubledSource.absence
      return .interrupted(.signalLost)
    case .unplugged: throw .disconnected(source.specification)
    case .failed:
      source.script.noteGone(at: clock.now())
      throw .failed(source.specification, reason: "its script has it fail now")
    case .stalled:
      isStill = true
      return standStill(until: deadline, wake)
    case .background: return .woken
    }
  }

  private func endInterruption(
    _ ending: MonotonicTime, until deadline: MonotonicTime, _ wake: WakeSignal
  ) throws(CameraError) -> CameraEvent {
    if clock.wait(until: min(ending, deadline), wake: wake) { return .woken }
    guard ending <= clock.now() else { return .timedOut }
    self.ending = nil
    // The next frame is exposed from this time on.
    try base.start()
    source.script.noteGone(at: clock.now())
    return .interruptionEnded
  }

  /// Delivers nothing. Once the session stops waiting, the camera may be started again.
  private func standStill(until deadline: MonotonicTime, _ wake: WakeSignal) -> CameraEvent {
    if clock.wait(until: deadline, wake: wake) { return .woken }
    source.script.noteGone(at: clock.now())
    return .timedOut
  }

  /// Waits for the camera. An unplugged camera is back after `TroubledSource.absence`. After any other trouble, the camera can be opened at
  /// once.
  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    guard source.trouble == .unplugged else { return true }
    if clock.wait(until: clock.now() + TroubledSource.absence, wake: wake) { return false }
    source.script.noteGone(at: clock.now())
    return true
  }
}
