import System

/// A clock for servers. It stands still while a test holds it, and otherwise advances by a second at each reading. So a deadline
/// expires when the test wants it, however slow the machine is.
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
