import CLinux
import Glibc

/// A value behind a lock, with a way to wait for it to change: a monitor.
///
/// It uses a `pthread` mutex instead of `Synchronization.Mutex` for two reasons: the mutex inherits priority, so that a real-time capture thread
/// never waits for a preempted holder; and the thread sanitizer recognises it (the futex inside the standard library's mutex is invisible to it,
/// so every guarded access looks like a race).
///
/// `@unchecked Sendable`: `value` is accessed only between lock and unlock, and the mutex's address never changes.
public final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  /// - Parameter value: the value that the lock guards from now on.
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

  /// Runs `body` with exclusive access to the value, and returns its result.
  ///
  /// `body` must not lock the same `Locked` again, and must not let a reference into `Value` escape.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Blocks until `body` returns a result. `body` is called at once, and again after every `notify()`.
  public func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Blocks until `body` returns a result, for at most `seconds` of `CLOCK_MONOTONIC`, limited to a day. Nil if `body` returns none in
  /// this time.
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

  /// Makes all waiting threads call their `body` again. May be called with or without the lock.
  public func notify() { pthread_cond_broadcast(changed) }
}
