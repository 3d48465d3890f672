/// Time between frames as a fraction of a second, as V4L2 gives it (`struct v4l2_fract`): 1/30 s is 1 over 30.
public struct FrameInterval: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Seconds, over `denominator`.
  public var numerator: Int
  /// Above zero.
  public var denominator: Int

  /// Both are to be positive; who reads them from outside checks that first.
  public init(numerator: Int, denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// One over a whole number of frames a second, which must be above zero.
  public init(framesPerSecond: Int) { self.init(numerator: 1, denominator: framesPerSecond) }

  /// Rounded to the nearest.
  public var nanoseconds: Int64 { Int64((Double(numerator) / Double(denominator) * 1e9).rounded()) }
  /// Rounded to the nanosecond.
  public var duration: Duration { .nanoseconds(nanoseconds) }
  /// Frames a second, such as 29.97.
  public var framesPerSecond: Double { Double(denominator) / Double(numerator) }
  /// Frames a second, as short as they can be written.
  public var description: String {
    numerator == 1 ? "\(denominator) fps" : "\(denominator)/\(numerator) fps"
  }
}
