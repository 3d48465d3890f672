/// Time between frames as a fraction of a second, as V4L2 gives it (`struct v4l2_fract`): 1/30 s is 1 over 30.
public struct FrameInterval: Hashable, Sendable, Codable, CustomStringConvertible {
  public var numerator: Int
  public var denominator: Int

  /// Both are to be positive; who reads them from outside checks that first.
  public init(numerator: Int, denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  public init(framesPerSecond: Int) { self.init(numerator: 1, denominator: framesPerSecond) }

  public var nanoseconds: Int64 { Int64((Double(numerator) / Double(denominator) * 1e9).rounded()) }
  public var duration: Duration { .nanoseconds(nanoseconds) }
  public var framesPerSecond: Double { Double(denominator) / Double(numerator) }
  public var description: String {
    numerator == 1 ? "\(denominator) fps" : "\(denominator)/\(numerator) fps"
  }
}
