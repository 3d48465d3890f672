import Glibc

/// An instant on `CLOCK_MONOTONIC`, in nanoseconds since boot: the clock V4L2 stamps buffers with.
public struct MonotonicTime: Hashable, Comparable, Sendable, Codable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant of the call.
  public static func now() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  public func advanced(by duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds + duration.nanoseconds)
  }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  public static func - (left: Self, right: Self) -> Duration {
    .nanoseconds(left.nanoseconds - right.nanoseconds)
  }

  public static func + (left: Self, right: Duration) -> Self { left.advanced(by: right) }
}

extension Duration {
  /// The whole duration in nanoseconds, saturating after 292 years.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (seconds < 0 ? .min : .max) : whole + attoseconds / 1_000_000_000
  }

  /// The whole duration in milliseconds.
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }
}
