import CLinux
import Glibc
public import System

/// A handle that cancels an action scheduled on a clock.
public struct Scheduled: Sendable {
  let cancelAction: @Sendable () -> Void

  /// - Parameter cancelAction: may be called more than once, and after the action has run.
  public init(_ cancelAction: @escaping @Sendable () -> Void) { self.cancelAction = cancelAction }

  /// Prevents the action, unless it has begun.
  public func cancel() { cancelAction() }
}

/// The clock of the engine: the system's, or in tests a virtual one that advances only while all threads are idle.
public protocol CaptureClock: Sendable {
  /// The present time. Never goes back.
  func now() -> MonotonicTime

  /// Blocks the calling thread until `deadline` or a signal. Returns true for a signal, which is then drained.
  func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool

  /// Runs `action` once the clock reaches `time`, unless cancelled before.
  func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled

  /// Announces a thread that will call `wait`.
  func threadBegan()
  /// Ends the announcement by `threadBegan()`: the thread will not call `wait` any more. One call for each `threadBegan()`.
  func threadEnded()

  /// Announces work that is passed to another thread or task. Virtual time stands still until the work is finished.
  func workBegan()
  /// Ends work that `workBegan()` announced. One call for each `workBegan()`; without it virtual time stands still for ever.
  func workEnded()
}

extension CaptureClock {
  /// Blocks a thread in the middle of announced work (`workBegan`) until `deadline`, or until `wake` is signalled. Time
  /// advances meanwhile. Work that waited in another way would stop the time of a virtual clock for ever.
  public func pauseWork(until deadline: MonotonicTime, wake: WakeSignal) {
    // In this order there is no moment at which everything seems idle.
    threadBegan()
    workEnded()
    _ = wait(until: deadline, wake: wake)
    workBegan()
    threadEnded()
  }
}

extension MonotonicTime {
  /// Later than any event.
  public static let distantFuture = MonotonicTime(nanoseconds: .max)
}

/// The system's `CLOCK_MONOTONIC`.
public struct SystemClock: CaptureClock {
  /// Creates a system clock. All system clocks are the same.
  public init() {}

  /// The system's monotonic time, which stands still while the machine sleeps.
  public func now() -> MonotonicTime { .now() }

  /// Waits in `poll(2)`.
  public func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    while true {
      let remaining = deadline == .distantFuture ? -1 : max(0, deadline.nanoseconds - now().nanoseconds)
      let ready = linux_poll_readable(wake.descriptor, remaining)
      if ready > 0 { return wake.drain() }
      if ready == 0 { return false }
      // The poll was interrupted, or the system cannot do it now: neither spin nor wait for ever.
      guard errno != EINTR else { continue }
      if remaining == 0 { return false }
      usleep(1000)
    }
  }

  /// Runs `action` in a task of its own, at `time` or soon after.
  public func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled {
    let delay = time - now()
    let task = Task {
      try? await Task.sleep(for: max(delay, .zero))
      if !Task.isCancelled { await action() }
    }
    return Scheduled { task.cancel() }
  }

  /// Does nothing: real time passes by itself.
  public func threadBegan() {}
  /// Does nothing.
  public func threadEnded() {}
  /// Does nothing.
  public func workBegan() {}
  /// Does nothing.
  public func workEnded() {}
}
