import CLinux
import Glibc

/// A value behind a lock, and a way to wait for it to change: a monitor.
///
/// A `pthread` mutex rather than `Synchronization.Mutex` for two reasons: it inherits priority, so that a real-time
/// capture thread never waits for a preempted holder; and the thread sanitizer sees it (the futex inside the standard
/// library's is invisible to it, and every guarded access looks like a race).
///
/// `@unchecked Sendable`: `value` is touched only between lock and unlock, and the mutex's address never changes.
public final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  /// - Parameter value: what the lock guards from now on.
  public init(_ value: consuming Value) {
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_setprotocol(&attributes, CInt(PTHREAD_PRIO_INHERIT))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    var clock = pthread_condattr_t()
    pthread_condattr_init(&clock)
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &clock)
    pthread_condattr_destroy(&clock)
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// Runs `body` while no other thread has the value, and returns what it does.
  ///
  /// Not to be entered again from `body`, nor to let a reference into `Value` out of it.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Blocks until `body` has a result: it is asked at once, and again after every `notify()`.
  public func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// The same for at most `seconds`, of a clock that nobody sets (`CLOCK_MONOTONIC`), to a day; nil when there is no result then.
  public func wait<Result>(atMost seconds: Double, _ body: (inout Value) -> Result?) -> Result? {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let wait = Int64((min(max(seconds, 0), 86_400) * 1e9).rounded())
    let nanoseconds = Int64(deadline.tv_nsec) + wait
    deadline.tv_sec += Int(nanoseconds / 1_000_000_000)
    deadline.tv_nsec = Int(nanoseconds % 1_000_000_000)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      guard pthread_cond_timedwait(changed, mutex, &deadline) != ETIMEDOUT else { return body(&value) }
    }
  }

  /// Lets everyone in `wait` look again. May be called with or without the lock.
  public func notify() { pthread_cond_broadcast(changed) }
}
