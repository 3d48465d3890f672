/// The time between two frames as a fraction of a second, as in V4L2 (`struct v4l2_fract`): 1/30 s is 1 over 30.
public struct FrameInterval: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The numerator of the interval in seconds, above zero.
  public var numerator: Int
  /// The denominator of the interval in seconds, above zero.
  public var denominator: Int

  /// Creates an interval. Both numbers must be positive; check untrusted values first.
  public init(numerator: Int, denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates the interval of a whole number of frames a second, which must be above zero.
  public init(framesPerSecond: Int) { self.init(numerator: 1, denominator: framesPerSecond) }

  /// The interval in nanoseconds, rounded to the nearest.
  public var nanoseconds: Int64 { Int64((Double(numerator) / Double(denominator) * 1e9).rounded()) }
  /// The interval, rounded to the nanosecond.
  public var duration: Duration { .nanoseconds(nanoseconds) }
  /// Frames a second, such as 29.97.
  public var framesPerSecond: Double { Double(denominator) / Double(numerator) }
  /// The rate in frames a second, in its shortest form.
  public var description: String {
    numerator == 1 ? "\(denominator) fps" : "\(denominator)/\(numerator) fps"
  }
}
