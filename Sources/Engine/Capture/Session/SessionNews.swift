public import Imagery
public import System

/// An interruption that began or ended, as ``CaptureSession/interruptions()`` tells it.
public struct SessionInterruption: Hashable, Sendable {
  /// Which end of it: a session is never in two interruptions at once, so the phases alternate.
  public enum Phase: String, Hashable, Sendable {
    /// There is no picture from now on.
    case began
    /// The picture is back, or the session was stopped or has failed.
    case ended
  }

  /// Why there was no picture.
  public let reason: InterruptionReason
  /// Whether it began or ended.
  public let phase: Phase
  /// When the session noticed, on the clock of the session.
  public let time: MonotonicTime
}

extension SessionState {
  /// Why there is no picture for now; nil in a state that is no interruption. The background is one, as in AVFoundation.
  public var interruption: InterruptionReason? {
    switch self {
    case .interrupted(let reason): reason
    case .paused(.background): .background
    case .idle, .warm, .starting, .loading, .running, .failed, .ended, .paused: nil
    }
  }
}

/// What a session tells whoever listens, each in streams of its own.
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
  /// The present state and every one after it.
  ///
  /// This and the other streams of a session end when it is stopped. Each call gives a stream of its own. A listener that falls behind
  /// by more than 256 elements loses the oldest of them, and ends its listening by leaving the loop.
  ///
  /// ```swift
  /// for await state in await session.states() where state == .running { break }
  /// ```
  public func states() -> AsyncStream<SessionState> { news.states.listen(from: [state]) }

  /// The format that the camera delivers, and every other that it delivers later; begins with none before a camera is prepared.
  public func formats() -> AsyncStream<CameraFormat> {
    news.formats.listen(from: format.map { [$0] } ?? [])
  }

  /// Interruptions as they begin and end, the background included. Begins with the one that is under way, if any.
  public func interruptions() -> AsyncStream<SessionInterruption> {
    news.interruptions.listen(from: interruption.map { [$0] } ?? [])
  }

  /// The angles of preview and capture, now and whenever one of them changes: those of ``rotation``.
  public nonisolated func angles() -> AsyncStream<FrameOrientation> { rotation.angles() }

  /// Frames that came to nothing: at which output, why, and how many by now. Begins with what there has been.
  ///
  /// The counts are totals, so a listener that is late loses none: the newest says all.
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
