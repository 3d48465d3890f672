package import Capture
import Imagery
package import System

/// A request for a photo, and its answer.
package struct ShutterPress: Sendable {
  package let pressed: MonotonicTime
  package let answered: MonotonicTime
  /// The session's state at the time of the request.
  package let state: SessionState
  package let error: SessionError?
  /// The session's state at the time of the answer. Nil if it was not read.
  package var stateAfter: SessionState?

  package init(
    pressed: MonotonicTime, answered: MonotonicTime, state: SessionState, error: SessionError?,
    stateAfter: SessionState? = nil
  ) {
    self.pressed = pressed
    self.answered = answered
    self.state = state
    self.error = error
    self.stateAfter = stateAfter
  }
}

extension ShutterPress {
  /// Whether there was a photo although the session was interrupted at the request and still at the answer.
  package var isAcceptedWhileInterrupted: Bool {
    guard error == nil, case .interrupted = state, case .interrupted? = stateAfter else { return false }
    return true
  }
}
