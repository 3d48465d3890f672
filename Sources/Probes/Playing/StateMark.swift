package import Capture
package import Imagery

/// A state, and when it was published.
package struct StateMark: Sendable {
  package let state: SessionState
  package let time: MonotonicTime

  package init(state: SessionState, time: MonotonicTime) {
    self.state = state
    self.time = time
  }
}
