import Glibc

/// An instant on `CLOCK_MONOTONIC`, in nanoseconds since boot: the clock of V4L2's timestamps.
public struct MonotonicTime: Hashable, Comparable, Sendable, Codable {
  /// Nanoseconds since the clock's start. The clock stops while the machine is suspended.
  public var nanoseconds: Int64

  /// Creates a time from nanoseconds of `CLOCK_MONOTONIC`, given by a driver or another clock.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The present time.
  public static func now() -> MonotonicTime {
    MonotonicTime(nanoseconds: KernelClock.nanoseconds(CLOCK_MONOTONIC))
  }

  /// The time `duration` later, or earlier if `duration` is negative. Saturates.
  public func advanced(by duration: Duration) -> MonotonicTime {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return MonotonicTime(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
  }

  /// Whether `left` is earlier than `right`.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The duration from `right` to `left`, negative if `left` is earlier. Saturates.
  public static func - (left: Self, right: Self) -> Duration {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return .nanoseconds(overflow ? (left.nanoseconds < 0 ? .min : .max) : difference)
  }

  /// The time `right` later than `left`. Saturates.
  public static func + (left: Self, right: Duration) -> Self { left.advanced(by: right) }
}

extension Duration {
  /// The whole duration in nanoseconds, saturating after 292 years.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowOfSum) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || overflowOfSum ? (seconds < 0 ? .min : .max) : sum
  }

  /// The whole duration in milliseconds.
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }
}
