import System

/// A server's time that stands still while a test holds it, and goes by a second at each look otherwise: a deadline is then over
/// when the test says so, however long the machine takes.
final class HeldTime: Sendable {
  private let state = Locked((seconds: 0.0, isHeld: false))

  func hold() { state.withLock { $0.isHeld = true } }
  func pass() { state.withLock { $0.isHeld = false } }

  @Sendable func look() -> Double {
    state.withLock { state in
      if !state.isHeld { state.seconds += 1 }
      return state.seconds
    }
  }
}
