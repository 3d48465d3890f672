import System

/// The sampling distribution of a median by the m-out-of-n bootstrap, exactly and fast.
///
/// The k-th smallest of m draws from n sorted samples is sample number ⌊n·U₍k₎⌋, and U₍k₎, the k-th smallest of m
/// uniform numbers, is Beta(k, m + 1 − k): one draw replaces m (Efron 1979; David & Nagaraja, *Order Statistics*, 2.1).
/// m is the number of *independent* samples: neighbouring frames resemble each other, and to count them all would make
/// the interval too narrow.
struct MedianBootstrap {
  let sorted: [Double]
  /// m, 1...n.
  let independent: Double

  /// - Parameter samples: in the order taken, finite, at least one.
  init(_ samples: [Double]) {
    sorted = samples.sorted()
    independent = Self.effectiveCount(samples, median: sorted[(sorted.count - 1) / 2])
  }

  /// By nearest rank.
  var median: Double { sorted[(sorted.count - 1) / 2] }

  /// The median of one resample.
  func draw(_ random: inout SplitMix64) -> Double {
    let rank = max(1, (independent / 2).rounded(.up))
    let position = random.beta(rank, max(1, independent + 1 - rank))
    return sorted[min(Int(position * Double(sorted.count)), sorted.count - 1)]
  }

  /// Of the series "above the median or not", which is what a median's variance depends on.
  private static func effectiveCount(_ samples: [Double], median: Double) -> Double {
    Autocorrelation.effectiveCount(samples.map { $0 > median ? 1 : $0 < median ? -1 : 0 })
  }
}

/// A two-sided interval.
struct Interval: Equatable {
  var low: Double
  var high: Double

  init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// The percentile interval that holds the middle `confidence` of the draws.
  init?(draws: [Double], confidence: Double) {
    guard let summary = Summary(draws) else { return nil }
    low = summary.percentile((1 - confidence) / 2 * 100)
    high = summary.percentile((1 + confidence) / 2 * 100)
  }
}
