import CVideo4Linux

/// The time between two frames in the form of V4L2: `timeperframe`, a `struct v4l2_fract` of seconds. The engine itself uses
/// Imagery's `FrameInterval`.
public struct TimePerFrame: Hashable, Sendable, CustomStringConvertible {
  /// The numerator of the interval in seconds.
  public let numerator: UInt32
  /// The denominator of the interval in seconds.
  public let denominator: UInt32

  /// Nil if one of the numbers is zero, because the result would be no frame interval.
  public init?(numerator: UInt32, denominator: UInt32) {
    guard numerator > 0, denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates the interval of a whole frame rate.
  public init?(framesPerSecond: Int) {
    guard let rate = UInt32(exactly: framesPerSecond) else { return nil }
    self.init(numerator: 1, denominator: rate)
  }

  init?(_ raw: v4l2_fract) { self.init(numerator: raw.numerator, denominator: raw.denominator) }

  var raw: v4l2_fract { v4l2_fract(numerator: numerator, denominator: denominator) }

  /// Frames a second.
  public var framesPerSecond: Double { Double(denominator) / Double(numerator) }
  /// The interval in nanoseconds, rounded down.
  public var nanoseconds: Int64 { Int64(numerator) * 1_000_000_000 / Int64(denominator) }
  /// The fraction, such as `1/30 s`.
  public var description: String { "\(numerator)/\(denominator) s" }
}

/// The intervals that a device offers at one size (`VIDIOC_ENUM_FRAMEINTERVALS`).
public enum FrameIntervals: Hashable, Sendable {
  /// Only these intervals; may be empty if the driver does not list any.
  case discrete([TimePerFrame])
  /// From the shortest to the longest; `step` is nil if all intervals between are allowed.
  case stepwise(shortest: TimePerFrame, longest: TimePerFrame, step: TimePerFrame?)
}
