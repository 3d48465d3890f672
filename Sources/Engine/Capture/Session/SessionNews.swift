public import Imagery
public import System

/// The beginning or the end of an interruption, as ``CaptureSession/interruptions()`` reports it.
public struct SessionInterruption: Hashable, Sendable {
  /// The phase of an interruption: a session is never in two interruptions at once, so the phases alternate.
  public enum Phase: String, Hashable, Sendable {
    /// There is no picture from now on.
    case began
    /// The picture is back, or the session was stopped or has failed.
    case ended
  }

  /// The reason why there was no picture.
  public let reason: InterruptionReason
  /// The phase: the beginning or the end.
  public let phase: Phase
  /// The time at which the session noticed it, on the session's clock.
  public let time: MonotonicTime
}

extension SessionState {
  /// The reason why there is no picture for now; nil in a state that is no interruption.
  /// Being in the background counts as an interruption, as in AVFoundation.
  public var interruption: InterruptionReason? {
    switch self {
    case .interrupted(let reason): reason
    case .paused(.background): .background
    case .idle, .warm, .starting, .loading, .running, .failed, .ended, .paused: nil
    }
  }
}

/// The streams of a session's events, one broadcast for each kind.
final class SessionNews: Sendable {
  let states = Broadcast<SessionState>()
  let interruptions = Broadcast<SessionInterruption>()
  let formats = Broadcast<CameraFormat>()
  let controls = Broadcast<ControlsState>()

  func finish() {
    states.finish()
    interruptions.finish()
    formats.finish()
    controls.finish()
  }
}

// MARK: - Listening

extension CaptureSession {
  /// A stream of the present state and every later one.
  ///
  /// This and the other streams of a session end when the session is stopped. Each call returns a stream of its own. A listener that falls
  /// behind by more than 256 elements loses the oldest of them. To stop listening, leave the loop.
  ///
  /// ```swift
  /// for await state in await session.states() where state == .running { break }
  /// ```
  public func states() -> AsyncStream<SessionState> { news.states.listen(from: [state]) }

  /// A stream of the formats that the camera delivers: the present one and every later one. Begins empty before a camera is prepared.
  public func formats() -> AsyncStream<CameraFormat> {
    news.formats.listen(from: format.map { [$0] } ?? [])
  }

  /// A stream of the beginnings and ends of interruptions, including those by the background. Begins with the present interruption, if any.
  public func interruptions() -> AsyncStream<SessionInterruption> {
    news.interruptions.listen(from: interruption.map { [$0] } ?? [])
  }

  /// A stream of the angles of preview and capture: the present ones and every change, from ``rotation``.
  public nonisolated func angles() -> AsyncStream<FrameOrientation> { rotation.angles() }

  /// A stream of dropped frames: the output, the reason, and the total so far. Begins with the present totals.
  ///
  /// The counts are totals, so a late listener misses none: the newest element is complete.
  public nonisolated func drops() -> AsyncStream<FrameDrop> { router.drops.listen() }

  func tell(_ state: SessionState, after before: SessionState) {
    news.states.tell(state)
    if state.interruption != before.interruption {
      if let reason = before.interruption { note(reason, .ended) }
      if let reason = state.interruption { note(reason, .began) }
    }
    let isStarting = state == .starting || state == .loading
    isWaking = isStarting && (isWaking || before == .paused(.inactivity))
    if !isStarting { presses.tell(state) }
  }

  private func note(_ reason: InterruptionReason, _ phase: SessionInterruption.Phase) {
    let told = SessionInterruption(reason: reason, phase: phase, time: clock.now())
    interruption = phase == .began ? told : nil
    news.interruptions.tell(told)
  }

  func finishNews() {
    news.finish()
    rotation.finish()
    router.drops.finish()
  }
}
