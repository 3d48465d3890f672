import Glibc

/// What the processor spent, as the kernel counts it.
package enum ProcessorTime {
  /// Of the calling thread, since it began (`CLOCK_THREAD_CPUTIME_ID`).
  package static func ofThread() -> Duration {
    .nanoseconds(KernelClock.nanoseconds(CLOCK_THREAD_CPUTIME_ID))
  }
}
