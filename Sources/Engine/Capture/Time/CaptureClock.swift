import CLinux
import Glibc
import Imagery
public import System

/// Cancels something scheduled on a clock.
public struct Scheduled: Sendable {
  let cancelAction: @Sendable () -> Void

  /// - Parameter cancelAction: may be called more than once, and after the action has run.
  public init(_ cancelAction: @escaping @Sendable () -> Void) { self.cancelAction = cancelAction }

  /// The action is not run any more, unless it has begun.
  public func cancel() { cancelAction() }
}

/// The time the engine lives in: the system's, or in tests a virtual one that moves only when everybody is idle.
public protocol CaptureClock: Sendable {
  /// The present time. Never goes back.
  func now() -> MonotonicTime

  /// Blocks the calling thread until `deadline` or a signal. True when it was the signal, which is then drained.
  func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool

  /// Runs `action` once the clock reaches `time`, unless cancelled before.
  func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled

  /// A thread that will call `wait` begins or ends its life.
  func threadBegan()
  /// A thread that called `threadBegan()` waits no more. One call for each of those.
  func threadEnded()

  /// Something was handed to another thread or task, and was finished there. Virtual time stands still in between.
  func workBegan()
  /// What `workBegan()` told of is done. One call for each of those; without it virtual time stands still for ever.
  func workEnded()
}

extension CaptureClock {
  /// Blocks a thread in the midst of work that was handed to it (`workBegan`) until `deadline`, or `wake` is signalled. Time
  /// goes on meanwhile: in a virtual clock work that just waited would hold it up for ever.
  public func pauseWork(until deadline: MonotonicTime, wake: WakeSignal) {
    // In this order there is no moment at which all seem to be idle.
    threadBegan()
    workEnded()
    _ = wait(until: deadline, wake: wake)
    workBegan()
    threadEnded()
  }
}

extension MonotonicTime {
  /// Later than anything that happens.
  public static let distantFuture = MonotonicTime(nanoseconds: .max)
}

/// `CLOCK_MONOTONIC`.
public struct SystemClock: CaptureClock {
  /// All clocks of this kind are the same.
  public init() {}

  /// The system's monotonic time, which stands still while the machine sleeps.
  public func now() -> MonotonicTime { .now() }

  /// Sleeps in `poll(2)`.
  public func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    while true {
      let remaining = deadline == .distantFuture ? -1 : max(0, deadline.nanoseconds - now().nanoseconds)
      let ready = linux_poll_readable(wake.descriptor, remaining)
      if ready > 0 { return wake.drain() }
      if ready == 0 { return false }
      // Interrupted, or a poll that the system cannot do now: no reason to keep the processor busy, nor to wait for ever.
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
