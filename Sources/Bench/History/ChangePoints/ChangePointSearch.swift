/// Where a series of figures, one a run, changed its level.
///
/// The runs are gone through in their order, as they came. After each, every place in the runs since the last change (at most
/// ``window``) that has ``leastRuns`` runs on either side is tried by the rank-sum test; the least probability, times the number of places
/// tried (Bonferroni), is that of a change. This is the nonparametric change-point model of Hawkins and Deng
/// (Journal of Quality Technology 42, 2010) with exact tails in the place of simulated limits. In the end each change is put where it parts the runs between its neighbours best.
///
/// What has been found stays found when runs are added, unlike with methods that cut the whole series anew (PELT, E-divisive), and one
/// change that is undone by a second is seen when it comes.
struct ChangePointSearch {
  /// A level that lasted for fewer runs is no level: other programs may be busy for three or four runs.
  static let leastRuns = 5
  /// Runs further back say nothing of the level before a change.
  static let window = 100
  /// Runs on either side of a change by which it is put in its place.
  static let reach = 50

  struct Found: Equatable {
    /// Of the first value at the new level.
    var place: Int
    /// That it is by chance, all places that were tried considered.
    var probability: Double
  }

  /// A probability at or below this is a change.
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

  /// Each where it parts the runs between its neighbours best, now that all runs are known.
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

  /// The place at which the rank-sum test is surest; nil where there are too few values.
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

  /// The rank of each value; equal ones share the mean of theirs.
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
