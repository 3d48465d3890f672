import Glibc

/// An instant on `CLOCK_MONOTONIC`, in nanoseconds since boot: the clock V4L2 stamps buffers with.
public struct MonotonicTime: Hashable, Comparable, Sendable, Codable {
  /// Since some moment before the machine started; it does not count while the machine sleeps.
  public var nanoseconds: Int64

  /// A time that a driver or another clock has given, in nanoseconds of `CLOCK_MONOTONIC`.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant of the call.
  public static func now() -> MonotonicTime {
    MonotonicTime(nanoseconds: KernelClock.nanoseconds(CLOCK_MONOTONIC))
  }

  /// The time so much later; earlier when `duration` is negative. At most what can be told.
  public func advanced(by duration: Duration) -> MonotonicTime {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return MonotonicTime(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
  }

  /// Whether `left` is earlier.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// From `right` to `left`; negative when `left` is earlier. At most what can be told.
  public static func - (left: Self, right: Self) -> Duration {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return .nanoseconds(overflow ? (left.nanoseconds < 0 ? .min : .max) : difference)
  }

  /// The time so much later.
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
