/// Wilcoxon's signed-rank test of the differences within pairs (Wilcoxon 1945): the estimate of Hodges and Lehmann (1963), and the interval of
/// all shifts that the test does not reject (Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*, 3.3).
///
/// The only assumption is that the differences are independent and symmetric about their middle. So one outlying pair moves neither the estimate
/// nor the interval by much.
struct SignedRank {
  /// The means of all pairs of differences, including each with itself, ascending (Walsh averages).
  private let means: [Double]
  let count: Int

  /// Maximum number of pairs that are tested: for more, computing the distribution would take too long.
  static let mostPairs = 200

  /// - Parameter differences: finite numbers; nil if there are none or more than `mostPairs`, or if one is not finite.
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

  /// - Parameter error: the chance, on each side, that the interval lies wholly beyond the middle, 0...0.5.
  /// - Returns: nil if there are fewer pairs than this error needs (`SignedRank.fewestPairs`).
  func interval(error: Double) -> Interval? {
    guard let rank = Self.rank(count, error) else { return nil }
    return Interval(low: means[rank], high: means[means.count - 1 - rank])
  }

  /// Returns the fewest pairs for which an interval with that error on each side exists. By chance alone, all n differences have a given sign once in
  /// 2ⁿ.
  static func fewestPairs(error: Double) -> Int {
    var (count, chance) = (0, 1.0)
    while chance > error, count < mostPairs {
      count += 1
      chance /= 2
    }
    return count
  }

  /// Returns the largest rank sum whose cumulative chance is at most `error`. Nil if even the chance of the rank sum 0 is greater.
  private static func rank(_ count: Int, _ error: Double) -> Int? {
    var sum = 0.0
    for (rank, chance) in (common[count] ?? distribution(count)).enumerated() {
      sum += chance
      if sum > error { return rank == 0 ? nil : rank - 1 }
    }
    return nil
  }

  /// The distributions for the numbers of pairs at which a comparison looks.
  private static let common = Dictionary(
    uniqueKeysWithValues: PairedPlan.looks.map { ($0, distribution($0)) })

  /// Returns the chance of each sum of the ranks of the positive differences, 0...n(n + 1) ÷ 2, if both signs are equally likely.
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
}
