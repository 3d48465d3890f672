import Glibc

/// What the processor spent, as the kernel counts it.
package enum ProcessorTime {
  /// Of the calling thread, since it began (`CLOCK_THREAD_CPUTIME_ID`).
  package static func ofThread() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
