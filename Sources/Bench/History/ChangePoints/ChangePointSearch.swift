/// The search for changes of level in a series of figures, one per run.
///
/// The runs are processed in their order. After each, every place in the runs since the last change (at most ``window``) with at least ``leastRuns``
/// runs on either side is tried by the rank-sum test. The least probability, multiplied by the number of places tried (Bonferroni), is the
/// probability of that change. This is the nonparametric change-point model of Hawkins and Deng (Journal of Quality Technology 42, 2010), with
/// exact tails in place of simulated limits. Finally each change is moved to the place that best separates the runs between its neighbours.
///
/// Found changes stay found when runs are added, unlike with methods that segment the whole series again (PELT, E-divisive), and a change that a
/// second one reverses is noticed when it comes.
struct ChangePointSearch {
  /// Minimum number of runs that form a level: other programs may be busy for three or four runs.
  static let leastRuns = 5
  /// Maximum number of runs that are considered: earlier runs do not help to measure the level before a change.
  static let window = 100
  /// Maximum number of runs on either side that are used to place a change.
  static let reach = 50

  struct Found: Equatable {
    /// Index of the first value at the new level.
    var place: Int
    /// The probability that the change is due to chance, corrected for all places that were tried.
    var probability: Double
  }

  /// The probability at or below which a difference counts as a change.
  let level: Double

  func changes(in values: [Double]) -> [Found] {
    var (start, found) = (0, [Int]())
    for end in values.indices.map({ $0 + 1 }) where end - start >= 2 * Self.leastRuns {
      let from = max(start, end - Self.window)
      guard let best = Self.strongest(values[from..<end]), best.probability <= level else { continue }
      found.append(best.place)
      start = best.place
    }
    return settled(found, values)
  }

  /// Moves each change to the place that best separates the runs between its neighbours, now that all runs are known.
  private func settled(_ places: [Int], _ values: [Double]) -> [Found] {
    var places = places
    var found: [Found] = []
    for index in places.indices {
      let before = Swift.max(index > 0 ? places[index - 1] : 0, places[index] - Self.reach)
      let after = Swift.min(
        index + 1 < places.count ? places[index + 1] : values.count, places[index] + Self.reach)
      guard let best = Self.strongest(values[before..<after]) else { continue }
      places[index] = best.place
      found.append(best)
    }
    return found
  }

  /// Returns the place with the least probability in the rank-sum test. Nil if there are too few values.
  static func strongest(_ values: ArraySlice<Double>) -> Found? {
    let count = values.count
    guard count >= 2 * leastRuns else { return nil }
    let ranks = midranks(values)
    var sum = ranks.prefix(leastRuns - 1).reduce(0, +)
    var best = (first: leastRuns, probability: 2.0)
    for first in leastRuns...(count - leastRuns) {
      sum += ranks[first - 1]
      let statistic = sum - Double(first * (first + 1)) / 2
      let probability = RankSum.probability(statistic, first, second: count - first)
      if probability < best.probability { best = (first, probability) }
    }
    let places = Double(count - 2 * leastRuns + 1)
    return Found(place: values.startIndex + best.first, probability: min(1, best.probability * places))
  }

  /// Returns the rank of each value. Equal values share the mean of their ranks.
  private static func midranks(_ values: ArraySlice<Double>) -> [Double] {
    let values = Array(values)
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for place in order[start..<end] { ranks[place] = Double(start + end + 1) / 2 }
      start = end
    }
    return ranks
  }
}
