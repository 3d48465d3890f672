enum SessionEvent: Hashable, Sendable {
  // Requests.
  case prewarm, start, stop, background, foreground, activity
  /// Another camera or format: the device is closed, set up anew and brought back to its former state.
  case renew
  /// This process lacks the resources for the session.
  case refused(CameraError)
  // Timers.
  case startIsSlow, inactive
  // Events of the capture thread.
  case prepared, started, stopped, closed, firstFrame, ended
  case failed(CameraError)
  case interrupted(InterruptionReason)
  case interruptionEnded
  case returned
}

/// An action of the session, in response to an event.
enum SessionAction: Hashable, Sendable {
  /// Opens the device, chooses the format and allocates buffers, by the present setup.
  case prepare
  case start
  case stop
  case close
  case awaitReturn(InterruptionReason)
  /// Makes the capture thread leave `awaitReturn`.
  case abandonReturn
  /// Restores the former setup, because the new one does not work.
  case revert(CameraError)
  case failPhotos(SessionError)
  case armSlowStart, disarmSlowStart
  case armInactivity, disarmInactivity
}

/// The session as a value: an event changes its fields and yields actions. It decides where the device should
/// be (`goal`), and moves it to this goal one stage at a time; a stage under way is always waited for.
struct SessionMachine: Hashable, Sendable {
  enum Stage: Hashable, Sendable {
    case closed, preparing, prepared, starting, streaming, stopping, closing, awaiting, abandoning
  }
  enum Intent: Hashable, Sendable { case off, warm, on }
  enum Goal: Hashable, Sendable {
    case closed, prepared, streaming
    case awaiting(InterruptionReason)
  }

  private(set) var intent = Intent.off
  private(set) var stage = Stage.closed
  private(set) var pause: PauseCause?
  private(set) var failure: CameraError?
  private(set) var hasEnded = false
  /// The reason why the device is gone and must be opened anew.
  private(set) var lost: InterruptionReason?
  /// The reason of an interruption that the open device will end by itself.
  private(set) var interruption: InterruptionReason?
  /// The reason of an interruption that has ended, until the next frame comes: until then the user still sees the interruption. Nil otherwise.
  private(set) var recovering: InterruptionReason?
  private(set) var hasFrame = false
  private(set) var isSlow = false
  /// Whether the device must be closed and then set up anew.
  private(set) var isRenewing = false
  /// Whether a new setup has not worked yet: if it fails, the former one is restored.
  private(set) var isOnTrial = false

  var goal: Goal {
    if isRenewing { return .closed }
    if intent == .off || pause != nil || failure != nil || hasEnded { return .closed }
    if let lost { return .awaiting(lost) }
    return intent == .on ? .streaming : .prepared
  }

  var state: SessionState {
    if let failure { return .failed(failure) }
    if intent == .off { return .idle }
    if hasEnded { return .ended }
    if let pause { return .paused(pause) }
    if let reason = interruption ?? lost ?? recovering { return .interrupted(reason) }
    if intent == .warm { return stage == .prepared ? .warm : .idle }
    if hasFrame { return .running }
    return isSlow ? .loading : .starting
  }

  /// Whether pictures are wanted, and nothing but a passing interruption prevents them.
  private var isActive: Bool { intent == .on && pause == nil && !isOver }
  private var isOver: Bool { failure != nil || hasEnded }

  /// Whether the stage agrees with `goal`, so that nothing is under way.
  var isSettled: Bool {
    switch (goal, stage) {
    case (.closed, .closed), (.prepared, .prepared), (.streaming, .streaming), (.awaiting, .awaiting): true
    default: false
    }
  }

  mutating func apply(_ event: SessionEvent) -> [SessionAction] {
    var actions = note(event)
    if stage == .closed { isRenewing = false }
    if let next = nextStep() { actions.append(next) }
    return actions
  }
}

// MARK: - What each event changes

extension SessionMachine {
  private mutating func note(_ event: SessionEvent) -> [SessionAction] {
    switch event {
    case .prewarm, .start, .stop, .background, .foreground, .activity, .renew, .refused: noteRequest(event)
    case .startIsSlow, .inactive: noteTime(event)
    case .prepared, .started, .stopped, .closed, .firstFrame, .ended, .failed, .interrupted,
      .interruptionEnded, .returned:
      noteDevice(event)
    }
  }

  private mutating func noteRequest(_ event: SessionEvent) -> [SessionAction] {
    switch event {
    case .prewarm where intent == .off || (intent == .warm && failure != nil):
      intent = .warm
      failure = nil
    case .start where intent != .on || isOver:
      intent = .on
      return beginWaitingForFrame() + [.armInactivity]
    case .stop where intent != .off || failure != nil:
      self = SessionMachine(stage: stage)
      return [.failPhotos(.captureCancelled), .disarmSlowStart, .disarmInactivity]
    case .renew: return beginRenewal()
    case .refused(let error):
      isOnTrial = false
      fail(error)
      return [.failPhotos(.camera(error)), .disarmSlowStart, .disarmInactivity]
    case .background where intent != .off && pause != .background: return beginPause(.background)
    case .foreground where pause == .background: return endPause()
    case .activity where pause == .inactivity: return endPause()
    case .activity where isActive: return [.armInactivity]
    default: break
    }
    return []
  }

  private mutating func noteTime(_ event: SessionEvent) -> [SessionAction] {
    switch event {
    case .startIsSlow where !hasFrame: isSlow = true
    case .inactive where isActive: return beginPause(.inactivity)
    default: break
    }
    return []
  }

  private mutating func noteDevice(_ event: SessionEvent) -> [SessionAction] {
    switch event {
    case .prepared:
      stage = .prepared
      if intent == .warm { isOnTrial = false }
    case .started: (stage, isOnTrial) = (.streaming, false)
    case .stopped: stage = .prepared
    case .closed: stage = .closed
    case .returned: return noteReturn()
    // Ignore events from a stopping stream.
    case .firstFrame where stage == .streaming:
      hasFrame = true
      recovering = nil
      isSlow = false
      return [.disarmSlowStart]
    case .interrupted(let reason) where stage == .streaming:
      interruption = reason
      hasFrame = false
      return [.failPhotos(.captureInterrupted(reason)), .disarmSlowStart]
    case .interruptionEnded where interruption != nil:
      recovering = interruption
      interruption = nil
    case .failed(let error): return noteFailure(error)
    case .ended where stage == .streaming:
      hasEnded = true
      hasFrame = false
      interruption = nil
      recovering = nil
      return [.failPhotos(.captureCancelled), .disarmSlowStart, .disarmInactivity]
    case .prewarm, .start, .stop, .background, .foreground, .activity, .renew, .refused, .startIsSlow,
      .inactive, .firstFrame, .interrupted, .interruptionEnded, .ended:
      break
    }
    return []
  }

  private mutating func noteReturn() -> [SessionAction] {
    stage = .closed
    guard let reason = lost else { return [] }
    recovering = reason
    lost = nil
    hasFrame = false
    return []
  }

  private mutating func noteFailure(_ error: CameraError) -> [SessionAction] {
    let isStopping = stage == .stopping
    // If preparing failed, the capture thread has closed the device. Otherwise it is still open, and the next steps stop and close it.
    stage = stage == .preparing ? .closed : stage == .starting ? .prepared : stage
    hasFrame = false
    interruption = nil
    // Ignore events from a camera that is being replaced or has ended.
    if isRenewing || isStopping || isOver || intent == .off { return [] }
    if isOnTrial {
      isOnTrial = false
      isRenewing = true
      return [.revert(error)]
    }
    if let reason = error.interruption {
      // The device is looked for again after the pause.
      if pause != nil { return [] }
      lost = reason
      recovering = nil
      return [.failPhotos(.captureInterrupted(reason)), .disarmSlowStart]
    }
    fail(error)
    return [.failPhotos(.camera(error)), .disarmSlowStart, .disarmInactivity]
  }

  /// Enters the failed state.
  private mutating func fail(_ error: CameraError) {
    failure = error
    forgetPicture()
  }

  /// Drops everything that the session was waiting for.
  private mutating func forgetPicture() {
    hasFrame = false
    interruption = nil
    recovering = nil
    lost = nil
  }

  private mutating func beginRenewal() -> [SessionAction] {
    isOnTrial = goal != .closed
    isRenewing = true
    forgetPicture()
    let refusal = SessionAction.failPhotos(.captureRefused(.starting))
    return isOnTrial && intent == .on ? [refusal] + beginWaitingForFrame() : []
  }

  private mutating func beginWaitingForFrame() -> [SessionAction] {
    hasFrame = false
    isSlow = false
    failure = nil
    hasEnded = false
    return [.armSlowStart]
  }

  private mutating func beginPause(_ cause: PauseCause) -> [SessionAction] {
    pause = cause
    forgetPicture()
    isOnTrial = false
    let reason =
      cause == .background ? SessionError.captureInterrupted(.background) : .captureRefused(.paused(cause))
    return [.failPhotos(reason), .disarmSlowStart, .disarmInactivity]
  }

  private mutating func endPause() -> [SessionAction] {
    pause = nil
    return intent == .on ? beginWaitingForFrame() + [.armInactivity] : []
  }

  private init(stage: Stage) { self.stage = stage }
}

// MARK: - One stage towards `goal`

extension SessionMachine {
  private mutating func nextStep() -> SessionAction? {
    switch (stage, goal) {
    case (.closed, .prepared), (.closed, .streaming): move(to: .preparing, by: .prepare)
    case (.closed, .awaiting(let reason)): move(to: .awaiting, by: .awaitReturn(reason))
    case (.prepared, .streaming): move(to: .starting, by: .start)
    case (.prepared, .closed), (.prepared, .awaiting): move(to: .closing, by: .close)
    case (.streaming, .closed), (.streaming, .prepared), (.streaming, .awaiting):
      move(to: .stopping, by: .stop)
    case (.awaiting, .closed), (.awaiting, .prepared), (.awaiting, .streaming):
      move(to: .abandoning, by: .abandonReturn)
    default: nil
    }
  }

  private mutating func move(to next: Stage, by action: SessionAction) -> SessionAction {
    stage = next
    return action
  }
}
