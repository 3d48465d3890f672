import Capture
import Imagery
import System

@testable import Probes

/// A clock that never blocks. Each wait returns at once and advances the time.
final class SteppingClock: CaptureClock {
  private let time = Latest<MonotonicTime>()

  func now() -> MonotonicTime { time.value ?? MonotonicTime(nanoseconds: 0) }
  func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    time.value = deadline
    return false
  }
  func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled {
    SystemClock().schedule(at: .distantFuture, action)
  }
  func threadBegan() {}
  func threadEnded() {}
  func workBegan() {}
  func workEnded() {}
}
