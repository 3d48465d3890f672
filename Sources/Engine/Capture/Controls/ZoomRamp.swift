import Glibc
import Imagery
public import System

/// A zoom that changes evenly to the eye: by the same factor in the same time.
public struct ZoomRamp: Hashable, Sendable {
  /// The factor that it begins with.
  public let start: Double
  /// The factor that it ends with, exactly.
  public let target: Double
  /// Doublings a second.
  public let rate: Double
  /// When it begins.
  public let began: MonotonicTime

  /// - Parameters:
  ///   - start: above zero.
  ///   - target: above zero.
  ///   - rate: doublings a second; one that is not above zero is there at once.
  public init(from start: Double, to target: Double, rate: Double, at began: MonotonicTime) {
    self.start = start
    self.target = target
    self.rate = rate
    self.began = began
  }

  /// How long it takes.
  public var duration: Duration {
    guard rate > 0, rate.isFinite, start > 0, target > 0, (target / start).isFinite else { return .zero }
    return .nanoseconds(Int64(min(abs(log2(target / start)) / rate * 1e9, 1e18)))
  }

  /// When it has arrived.
  public var end: MonotonicTime { began + duration }

  /// The factor at a time: between the two ends, never back.
  public func factor(at time: MonotonicTime) -> Double {
    if time >= end { return target }
    let seconds = max(0, Double((time - began).nanoseconds) / 1e9)
    return target > start ? start * exp2(rate * seconds) : start / exp2(rate * seconds)
  }
}
