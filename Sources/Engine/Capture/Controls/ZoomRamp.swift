import Glibc
public import System

/// A zoom that looks even: in equal times it changes by equal factors.
public struct ZoomRamp: Hashable, Sendable {
  /// The zoom factor at the beginning.
  public let start: Double
  /// The zoom factor at the end, reached exactly.
  public let target: Double
  /// The speed in doublings of the zoom factor a second.
  public let rate: Double
  /// The time of the beginning.
  public let began: MonotonicTime

  /// - Parameters:
  ///   - start: the zoom factor at the beginning, above zero.
  ///   - target: the zoom factor at the end, above zero.
  ///   - rate: the speed in doublings of the factor a second; if it is not above zero, `target` is reached at once.
  public init(from start: Double, to target: Double, rate: Double, at began: MonotonicTime) {
    self.start = start
    self.target = target
    self.rate = rate
    self.began = began
  }

  /// The duration of the ramp.
  public var duration: Duration {
    guard rate > 0, rate.isFinite, start > 0, target > 0, (target / start).isFinite else { return .zero }
    return .nanoseconds(Int64(min(abs(log2(target / start)) / rate * 1e9, 1e18)))
  }

  /// The time of the end.
  public var end: MonotonicTime { began + duration }

  /// The zoom factor at a time: between the two ends, monotonic.
  public func factor(at time: MonotonicTime) -> Double {
    if time >= end { return target }
    let seconds = max(0, Double((time - began).nanoseconds) / 1e9)
    return target > start ? start * exp2(rate * seconds) : start / exp2(rate * seconds)
  }
}
