import Foundation

/// The Wilcoxon–Mann–Whitney rank-sum test of two samples (Mann and Whitney 1947): how probable it is that values of one kind part so
/// far by chance. It asks nothing of their distribution, and one value far out counts as one value.
///
/// Exact up to a hundred values in all; beyond, by the normal approximation, whose tail is the heavier one. Ties count half; that makes the
/// probability too large, never too small.
struct RankSum {
  /// Values of both samples together, up to which the distribution is exact.
  static let exactSize = 100

  /// Both tails.
  /// - Parameter statistic: Mann and Whitney's U: pairs in which the first sample's value is the greater, ties half.
  static func probability(_ statistic: Double, _ first: Int, second: Int) -> Double {
    let least = min(statistic, Double(first * second) - statistic)
    // Rounded towards the middle, so that ties claim no more.
    let u = Int(least.rounded(.up))
    let (few, many) = (min(first, second), max(first, second))
    if few > 0, few + many <= exactSize { return min(1, 2 * table.tail(few, many, u: u)) }
    let mean = Double(first * second) / 2
    let deviation = (Double(first * second) * Double(first + second + 1) / 12).squareRoot()
    // With a correction for continuity of half a pair.
    return min(1, erfc(max(0, mean - Double(u) - 0.5) / deviation / 2.0.squareRoot()))
  }

  /// The greatest U at which the test still claims a difference, so that U + 1 pairs may be left out at either end of an interval;
  /// nil where the samples are too small for that confidence.
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

/// How many of the arrangements of two samples without ties have each U: Mann and Whitney's recursion, `c(m, n, u) = c(m − 1, n, u − n) +
/// c(m, n − 1, u)`, for all sizes up to a hundred together. Sums over all u up to one, as parts of the whole: 9 MB, made in some milliseconds.
struct RankSumTable: Sendable {
  /// By the smaller size, then by how much larger the other is; up to the middle, beyond which it is the same backwards.
  private var tails: [[[Double]]] = []

  init(all: Int) {
    // Of no values in one sample there is one arrangement, with U = 0.
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

  /// The part of all arrangements with at most `u`, which is in the lower half.
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
