/// The distance between two samples: the Hodges-Lehmann estimate, which is the median of all differences between a value of one and a value of the
/// other, and the interval of the rank-sum test (Hodges and Lehmann 1963; Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", 4.2
/// and 4.3).
struct Shift: Equatable {
  static let confidence = 0.99
  /// The estimate, in the unit of the values.
  var estimate: Double
  /// The lower end of the interval: 99 % of such intervals contain the true shift. For samples too small for that, the least difference.
  var low: Double
  /// The upper end of the interval. For samples too small for an interval, the greatest difference.
  var high: Double

  /// Nil if one of the samples is empty.
  init?(from before: some Collection<Double>, to after: some Collection<Double>) {
    let differences = after.flatMap { value in before.map { value - $0 } }.sorted()
    guard let first = differences.first, let last = differences.last else { return nil }
    let middle = differences.count / 2
    estimate =
      differences.count.isMultiple(of: 2)
      ? (differences[middle - 1] + differences[middle]) / 2 : differences[middle]
    guard let critical = RankSum.critical(before.count, after.count, level: 1 - Self.confidence) else {
      low = first
      high = last
      return
    }
    low = differences[critical]
    high = differences[differences.count - 1 - critical]
  }
}
