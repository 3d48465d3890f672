import Glibc
public import Imagery
public import Locking

/// A clock for tests: time jumps to the next deadline when every thread waits and no work is under way, and never past
/// what `run(for:)` allowed. A ten-minute recording plays in as long as its pixels take.
///
/// `@unchecked Sendable`: every stored property is touched only between `lock()` and `unlock()` of `mutex`.
public final class VirtualClock: CaptureClock, @unchecked Sendable {
  private struct Timer {
    let id: Int
    let time: MonotonicTime
    let action: @Sendable () async -> Void
  }

  private final class Waiter {
    let deadline: MonotonicTime
    var isReleased = false
    init(deadline: MonotonicTime) { self.deadline = deadline }
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var time: MonotonicTime
  private var limit: MonotonicTime
  private var threads = 0
  private var work = 0
  private var nextTimer = 0
  private var timers: [Timer] = []
  private var waiters: [Waiter] = []
  private var runs: [CheckedContinuation<Void, Never>] = []

  public init(start: MonotonicTime = MonotonicTime(nanoseconds: 1_000_000_000)) {
    time = start
    limit = start
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  public func now() -> MonotonicTime { locked { time } }

  /// Lets `duration` pass, and returns when everything that was to happen in it has happened.
  public func run(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      locked {
        limit = limit + duration
        runs.append(continuation)
        settle()
      }
    }
  }

  /// Lets time pass, a millisecond at a time, until `body` has finished: for calls that are answered by something that
  /// is yet to happen.
  public func run<Value: Sendable>(
    until body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (began, finished) = (Flag(), Flag())
    let task = Task {
      began.raise()
      defer { finished.raise() }
      return try await body()
    }
    while !began.isRaised { await Task.yield() }
    while !finished.isRaised {
      await run(for: .milliseconds(1))
      await Task.yield()
    }
    return try await task.value
  }

  private final class Flag: Sendable {
    private let state = Locked(false)
    var isRaised: Bool { state.withLock { $0 } }
    func raise() { state.withLock { $0 = true } }
  }

  public func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    let waiter = Waiter(deadline: deadline)
    wake.observe { [self] in locked { _ = pthread_cond_broadcast(changed) } }
    pthread_mutex_lock(mutex)
    waiters.append(waiter)
    var isWoken = wake.drain()
    if !isWoken { settle() }
    while !isWoken && !waiter.isReleased {
      pthread_cond_wait(changed, mutex)
      isWoken = wake.drain()
    }
    waiters.removeAll { $0 === waiter }
    pthread_mutex_unlock(mutex)
    wake.observe(nil)
    return isWoken
  }

  public func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled {
    let id = locked {
      nextTimer += 1
      timers.append(Timer(id: nextTimer, time: time, action: action))
      settle()
      return nextTimer
    }
    return Scheduled { [self] in
      locked {
        timers.removeAll { $0.id == id }
        settle()
      }
    }
  }

  public func threadBegan() { locked { threads += 1 } }
  public func threadEnded() {
    locked {
      threads -= 1
      settle()
    }
  }
  public func workBegan() { locked { work += 1 } }
  public func workEnded() {
    locked {
      work -= 1
      settle()
    }
  }

  /// Moves on when nobody has anything left to do at this instant. Called with the lock held.
  private func settle() {
    let blocked = waiters.count { !$0.isReleased }
    guard work == 0, blocked == threads, !runs.isEmpty else { return }
    let next = (waiters.map(\.deadline) + timers.map(\.time)).min() ?? .distantFuture
    guard next <= limit else {
      time = max(time, limit)
      let finished = runs
      runs = []
      for run in finished { run.resume() }
      return
    }
    time = max(time, next)
    for waiter in waiters where waiter.deadline <= time { waiter.isReleased = true }
    let due = timers.filter { $0.time <= time }
    timers.removeAll { $0.time <= time }
    work += due.count
    for timer in due {
      Task { [self] in
        await timer.action()
        workEnded()
      }
    }
    pthread_cond_broadcast(changed)
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
