/// Order statistics of samples, exact: nothing is binned.
///
/// Percentiles follow the nearest-rank method: the smallest sample that at least p per cent of the samples do not
/// exceed. So each is a sample that was seen, and p99 of fewer than 100 samples is their maximum.
public struct Summary: Sendable, Hashable {
  /// Ascending.
  public let sorted: [Double]

  /// - Parameter samples: finite, in any order; nil when there are none or one is not finite.
  public init?(_ samples: [Double]) {
    guard !samples.isEmpty, samples.allSatisfy(\.isFinite) else { return nil }
    sorted = samples.sorted()
  }

  /// Samples in all, at least one.
  public var count: Int { sorted.count }
  /// The least sample.
  public var min: Double { sorted[0] }
  /// The greatest sample.
  public var max: Double { sorted[count - 1] }
  /// The arithmetic mean, which no sum of large samples overflows.
  public var mean: Double { sorted.reduce(0) { $0 + $1 / Double(count) } }
  /// The 50th percentile: always a sample, also of an even number of them.
  public var median: Double { percentile(50) }

  /// Quantiles evenly apart from the least sample to the greatest, at most 101: enough to draw how the samples are distributed.
  var quantiles: [Double] {
    let last = Swift.min(count, 101) - 1
    return last < 1 ? sorted : (0...last).map { sorted[$0 * (count - 1) / last] }
  }

  /// - Parameter percent: 0...100.
  public func percentile(_ percent: Double) -> Double {
    let rank = (percent / 100 * Double(count)).rounded(.up)
    return sorted[Swift.min(Swift.max(Int(rank), 1), count) - 1]
  }
}
