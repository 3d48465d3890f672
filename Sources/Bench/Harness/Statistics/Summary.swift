/// Exact order statistics of samples: nothing is binned.
///
/// Percentiles follow the nearest-rank method: the smallest sample that at least p per cent of the samples do not exceed. So each is an actual
/// sample, and p99 of fewer than 100 samples is their maximum.
public struct Summary: Sendable, Hashable {
  /// The samples, ascending.
  public let sorted: [Double]

  /// - Parameter samples: finite numbers in any order; nil if there are none, or if one is not finite.
  public init?(_ samples: [Double]) {
    guard !samples.isEmpty, samples.allSatisfy(\.isFinite) else { return nil }
    sorted = samples.sorted()
  }

  /// Number of samples, at least one.
  public var count: Int { sorted.count }
  /// The least sample.
  public var min: Double { sorted[0] }
  /// The greatest sample.
  public var max: Double { sorted[count - 1] }
  /// The arithmetic mean, computed without overflow for large samples.
  public var mean: Double { sorted.reduce(0) { $0 + $1 / Double(count) } }
  /// The 50th percentile, which is always a sample, also for an even number of them.
  public var median: Double { percentile(50) }

  /// At most 101 evenly spaced quantiles, from the least sample to the greatest: enough to draw the distribution.
  var quantiles: [Double] {
    let last = Swift.min(count, 101) - 1
    return last < 1 ? sorted : (0...last).map { sorted[$0 * (count - 1) / last] }
  }

  /// Returns a nearest-rank percentile: the least sample that at least `percent` of all samples do not exceed.
  /// - Parameter percent: a share of the samples, in percent, 0...100.
  public func percentile(_ percent: Double) -> Double {
    let rank = (percent / 100 * Double(count)).rounded(.up)
    return sorted[Swift.min(Swift.max(Int(rank), 1), count) - 1]
  }
}
