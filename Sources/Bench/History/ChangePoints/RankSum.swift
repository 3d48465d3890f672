import Foundation

/// The Wilcoxon-Mann-Whitney rank-sum test of two samples (Mann and Whitney 1947): the probability that values of the same distribution separate so
/// far by chance. It assumes nothing about their distribution, and an outlier counts like any other value.
///
/// The test is exact up to a hundred values in all. For more, it uses the normal approximation, whose tail is heavier. Ties count half, which
/// makes the probability too large, never too small.
struct RankSum {
  /// The largest number of values in both samples together for which the distribution is exact.
  static let exactSize = 100

  /// Returns the probability of both tails.
  /// - Parameter statistic: Mann and Whitney's U: the number of pairs in which the first sample's value is greater; ties count half.
  static func probability(_ statistic: Double, _ first: Int, second: Int) -> Double {
    let least = min(statistic, Double(first * second) - statistic)
    // Rounds towards the middle of the distribution, so that ties do not lower the probability.
    let u = Int(least.rounded(.up))
    let (few, many) = (min(first, second), max(first, second))
    if few > 0, few + many <= exactSize { return min(1, 2 * table.tail(few, many, u: u)) }
    let mean = Double(first * second) / 2
    let deviation = (Double(first * second) * Double(first + second + 1) / 12).squareRoot()
    // Applies a continuity correction of half a pair.
    return min(1, erfc(max(0, mean - Double(u) - 0.5) / deviation / 2.0.squareRoot()))
  }

  /// Returns the greatest U at which the test still claims a difference, so that U + 1 pairs may be left out at either end of an interval.
  /// Nil if the samples are too small for that level.
  static func critical(_ first: Int, _ second: Int, level: Double) -> Int? {
    guard probability(0, first, second: second) <= level else { return nil }
    var (claimed, other) = (0, first * second / 2 + 1)
    while other - claimed > 1 {
      let middle = (claimed + other) / 2
      if probability(Double(middle), first, second: second) <= level {
        claimed = middle
      } else {
        other = middle
      }
    }
    return claimed
  }

  private static let table = RankSumTable(all: exactSize)
}

/// The number of arrangements of two samples without ties for each U, by Mann and Whitney's recursion, `c(m, n, u) = c(m − 1, n, u − n) +
/// c(m, n − 1, u)`, for all sizes up to a hundred together. Stored as cumulative sums, as shares of the whole: 9 MB, computed in a few milliseconds.
struct RankSumTable: Sendable {
  /// Indexed by the smaller size, then by the difference to the larger one. Stored up to the middle; the other half is symmetric.
  private var tails: [[[Double]]] = []

  init(all: Int) {
    // If one sample is empty, there is one arrangement, with U = 0.
    var before = [[Double]](repeating: [1], count: all)
    for size in 1...all / 2 {
      var counts: [[Double]] = [[1]]
      for other in 1...all - size {
        var count = counts[other - 1] + [Double](repeating: 0, count: size)
        for (u, some) in before[other].enumerated() { count[u + other] += some }
        counts.append(count)
      }
      tails.append(counts[size...].map(Self.sums))
      before = counts
    }
  }

  /// Returns the share of all arrangements with at most `u`, which must be in the lower half.
  func tail(_ few: Int, _ many: Int, u: Int) -> Double {
    let sums = tails[few - 1][many - few]
    return sums[min(u, sums.count - 1)]
  }

  private static func sums(_ counts: [Double]) -> [Double] {
    let all = counts.reduce(0, +)
    var sum = 0.0
    return counts.prefix((counts.count + 1) / 2).map {
      sum += $0
      return sum / all
    }
  }
}
