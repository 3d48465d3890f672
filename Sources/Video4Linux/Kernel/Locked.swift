import Glibc

/// A value behind a lock.
///
/// A `pthread` mutex rather than `Synchronization.Mutex` for two reasons: it inherits priority, so that a real-time
/// capture thread never waits for a preempted holder; and the thread sanitizer sees it (the futex inside the standard
/// library's is invisible to it, and every guarded access looks like a race).
///
/// `@unchecked Sendable`: `value` is touched only between lock and unlock, and the mutex's address never changes.
final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: consuming Value) {
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_setprotocol(&attributes, CInt(PTHREAD_PRIO_INHERIT))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Not to be entered again from `body`, nor to let a reference into `Value` out of it.
  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
