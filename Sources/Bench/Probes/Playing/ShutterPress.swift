package import Capture
import Imagery
package import System

/// A photo asked for in the middle of it all, and what became of it.
package struct ShutterPress: Sendable {
  package let pressed: MonotonicTime
  package let answered: MonotonicTime
  /// When it was pressed.
  package let state: SessionState
  package let error: SessionError?
  /// When it was answered; nil where nobody looked.
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
  /// Interrupted when it was pressed and still when it was answered, and yet a photo.
  package var isAcceptedWhileInterrupted: Bool {
    guard error == nil, case .interrupted = state, case .interrupted? = stateAfter else { return false }
    return true
  }
}
