/// An exposure time as film cameras express it: an angle, of which 360° is the whole frame interval.
public struct ShutterAngle: Hashable, Sendable {
  /// The angle, 1.1…360.
  public let degrees: Double
  /// The range of angles.
  public static let limits = 1.1...360.0
  /// The usual angles, widest first: at 24 frames a second from 1/24 s to about 1/7900 s.
  public static let usual: [Double] = [
    360, 345.6, 288, 262.2, 180, 172.8, 144, 90, 86.4, 72, 69.1, 34.6, 17.3, 8.6, 4.3, 2.2, 1.1,
  ]

  /// - Parameter degrees: the angle in degrees, clamped to `limits`; NaN counts as 180.
  public init(degrees: Double) {
    self.degrees = degrees.isNaN ? 180 : min(max(degrees, Self.limits.lowerBound), Self.limits.upperBound)
  }

  /// The angle of an exposure time.
  /// - Returns: nil for a frame interval of zero or less.
  public init?(duration: Double, frameInterval: Double) {
    guard frameInterval > 0, frameInterval.isFinite else { return nil }
    self.init(degrees: duration / frameInterval * 360)
  }

  /// The exposure time in seconds; nil for a frame interval of zero or less.
  /// - Parameter frameInterval: the time between two frames, in seconds.
  public func duration(frameInterval: Double) -> Double? {
    frameInterval > 0 && frameInterval.isFinite ? degrees / 360 * frameInterval : nil
  }

  /// The usual angles whose exposure time the camera has at this rate.
  /// - Parameter durations: the camera's exposure times, in seconds.
  public static func available(_ durations: ClosedRange<Double>, frameInterval: Double) -> [Double] {
    usual.filter { angle in
      ShutterAngle(degrees: angle).duration(frameInterval: frameInterval).map(durations.contains) ?? false
    }
  }

  /// Text for a person, such as `1/48 s (180°)`.
  public func label(frameInterval: Double) -> String {
    let angle = degrees == degrees.rounded() ? "\(Int(degrees))" : "\((degrees * 10).rounded() / 10)"
    guard let duration = duration(frameInterval: frameInterval), duration > 1e-9 else { return "\(angle)°" }
    return duration < 1 ? "1/\(Int((1 / duration).rounded())) s (\(angle)°)" : "\(duration) s (\(angle)°)"
  }
}
