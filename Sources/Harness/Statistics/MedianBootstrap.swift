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

  /// The median of one resample.
  func draw(_ random: inout SplitMix64) -> Double {
    let rank = max(1, (independent / 2).rounded(.up))
    let position = random.beta(rank, max(1, independent + 1 - rank))
    return sorted[min(Int(position * Double(sorted.count)), sorted.count - 1)]
  }

  /// n ÷ (1 + 2 Σ ρₖ) of the series "above the median or not", which is what a median's variance depends on. The sum
  /// runs over pairs of lags while they stay positive (Geyer 1992, initial positive sequence).
  static func effectiveCount(_ samples: [Double], median: Double) -> Double {
    let count = samples.count
    let signs = samples.map { $0 > median ? 1.0 : $0 < median ? -1.0 : 0 }
    let mean = signs.reduce(0, +) / Double(count)
    let centred = signs.map { $0 - mean }
    let variance = centred.reduce(0) { $0 + $1 * $1 }
    guard count > 8, variance > 0 else { return Double(count) }
    func correlation(_ lag: Int) -> Double {
      var sum = 0.0
      for index in lag..<count { sum += centred[index] * centred[index - lag] }
      return sum / variance
    }
    var time = 1.0
    for lag in stride(from: 1, to: min(count / 2, 400), by: 2) {
      let pair = correlation(lag) + correlation(lag + 1)
      guard pair > 0 else { break }
      time += 2 * pair
    }
    return min(Double(count), max(2, Double(count) / time))
  }
}

/// A two-sided interval.
struct Interval: Equatable {
  var low: Double
  var high: Double

  /// The percentile interval that holds the middle `confidence` of the draws.
  init?(draws: [Double], confidence: Double) {
    guard let summary = Summary(draws) else { return nil }
    low = summary.percentile((1 - confidence) / 2 * 100)
    high = summary.percentile((1 + confidence) / 2 * 100)
  }
}
