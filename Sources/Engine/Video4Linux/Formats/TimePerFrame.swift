import CVideo4Linux

/// The time from one frame to the next as drivers exchange it: `timeperframe`, a `struct v4l2_fract` of seconds. The engine's own measure is
/// Imagery's `FrameInterval`.
public struct TimePerFrame: Hashable, Sendable, CustomStringConvertible {
  /// Of the fraction of a second.
  public let numerator: UInt32
  /// Of the fraction of a second.
  public let denominator: UInt32

  /// Nil when either is zero: no frame rate.
  public init?(numerator: UInt32, denominator: UInt32) {
    guard numerator > 0, denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The interval of a whole frame rate.
  public init?(framesPerSecond: Int) {
    guard let rate = UInt32(exactly: framesPerSecond) else { return nil }
    self.init(numerator: 1, denominator: rate)
  }

  init?(_ raw: v4l2_fract) { self.init(numerator: raw.numerator, denominator: raw.denominator) }

  var raw: v4l2_fract { v4l2_fract(numerator: numerator, denominator: denominator) }

  /// Frames a second.
  public var framesPerSecond: Double { Double(denominator) / Double(numerator) }
  /// In nanoseconds, rounded down.
  public var nanoseconds: Int64 { Int64(numerator) * 1_000_000_000 / Int64(denominator) }
  /// The fraction, such as `1/30 s`.
  public var description: String { "\(numerator)/\(denominator) s" }
}

/// The intervals a device offers at one size (`VIDIOC_ENUM_FRAMEINTERVALS`).
public enum FrameIntervals: Hashable, Sendable {
  /// These and no others; may be empty when the driver does not say.
  case discrete([TimePerFrame])
  /// From the shortest to the longest; `step` is nil when any between will do.
  case stepwise(shortest: TimePerFrame, longest: TimePerFrame, step: TimePerFrame?)
}
