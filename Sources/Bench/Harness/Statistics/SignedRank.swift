/// Differences within pairs, by Wilcoxon's signed-rank test (Wilcoxon 1945): the estimate of Hodges and Lehmann (1963), and the
/// interval of all shifts that the test does not reject (Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*, 3.3).
///
/// Nothing is assumed of the differences but that they are independent and as likely to lie above their middle as below it. So one
/// pair that is far off moves neither the estimate nor the interval by much.
struct SignedRank {
  /// The means of every two differences, each with itself too, ascending (Walsh averages).
  private let means: [Double]
  let count: Int

  /// More pairs than these are not looked at: beyond, the distribution would take longer than it is worth.
  static let mostPairs = 200

  /// - Parameter differences: finite; nil for none, for more than `mostPairs`, and where one is not finite.
  init?(_ differences: [Double]) {
    guard (1...Self.mostPairs).contains(differences.count), differences.allSatisfy(\.isFinite) else {
      return nil
    }
    count = differences.count
    means = differences.indices.flatMap { first in
      differences[first...].map { (differences[first] + $0) / 2 }
    }.sorted()
  }

  /// The median of the means.
  var estimate: Double { (means[(means.count - 1) / 2] + means[means.count / 2]) / 2 }

  /// - Parameter error: chance on each side that the interval lies wholly beyond the middle, 0...0.5.
  /// - Returns: nil for fewer pairs than can give so sure an interval (`SignedRank.fewestPairs`).
  func interval(error: Double) -> Interval? {
    guard let rank = Self.rank(count, error) else { return nil }
    return Interval(low: means[rank], high: means[means.count - 1 - rank])
  }

  /// So many pairs are needed before an interval with that error on each side exists: even if all differences have one sign, chance
  /// does the same once in 2ⁿ.
  static func fewestPairs(error: Double) -> Int {
    var (count, chance) = (0, 1.0)
    while chance > error, count < mostPairs {
      count += 1
      chance /= 2
    }
    return count
  }

  /// The largest rank sum that chance does not exceed with more than `error`; nil where even 0 is likelier.
  private static func rank(_ count: Int, _ error: Double) -> Int? {
    var sum = 0.0
    for (rank, chance) in (common[count] ?? distribution(count)).enumerated() {
      sum += chance
      if sum > error { return rank == 0 ? nil : rank - 1 }
    }
    return nil
  }

  /// Those of the numbers of pairs at which a comparison looks.
  private static let common = Dictionary(
    uniqueKeysWithValues: PairedPlan.looks.map { ($0, distribution($0)) })

  /// The chance of each sum of the ranks of the positive differences, 0...n(n + 1) ÷ 2, when each sign is as likely.
  static func distribution(_ count: Int) -> [Double] {
    var chances = [Double](repeating: 0, count: count * (count + 1) / 2 + 1)
    chances[0] = 1
    var most = 0
    for rank in 1...count {
      most += rank
      for sum in stride(from: most, through: 0, by: -1) {
        chances[sum] = (chances[sum] + (sum >= rank ? chances[sum - rank] : 0)) / 2
      }
    }
    return chances
  }
}

/// A two-sided interval.
struct Interval: Equatable {
  var low: Double
  var high: Double

  /// Both ends passed through a function that never falls.
  func map(_ body: (Double) -> Double) -> Interval { Interval(low: body(low), high: body(high)) }

  /// As reports have it.
  var ends: [Double] { [low, high] }
}
