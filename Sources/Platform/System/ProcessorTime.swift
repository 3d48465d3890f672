import Glibc

/// Processor time, as the kernel counts it.
package enum ProcessorTime {
  /// The processor time of the calling thread since its start (`CLOCK_THREAD_CPUTIME_ID`).
  package static func ofThread() -> Duration {
    .nanoseconds(KernelClock.nanoseconds(CLOCK_THREAD_CPUTIME_ID))
  }
}
