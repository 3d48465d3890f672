import CLinux

/// Reads the clocks of clock_gettime(2), such as `CLOCK_MONOTONIC`.
package enum KernelClock {
  /// The time of a clock in nanoseconds; its seconds wrap after 136 years.
  package static func nanoseconds(_ clock: CInt) -> Int64 { linux_clock(clock) }

  package static func seconds(_ clock: CInt) -> Double {
    let nanoseconds = nanoseconds(clock)
    return Double(nanoseconds / 1_000_000_000) + Double(nanoseconds % 1_000_000_000) / 1e9
  }
}
