import Harness

/// A metric's median or p90 over the runs.
struct FollowedFigure {
  /// Minimum number of samples for which the tail is followed.
  static let leastTail = 20

  var metric: RunHistory.Metric
  var statistic: Statistic
  /// The figures, ascending by run, including those without samples.
  var figures: [RunHistory.Figure]
  var runs: Int

  /// Returns the median, and the p90 if the profile limits a tail and there are enough samples.
  static func all(_ metric: RunHistory.Metric, _ figures: [RunHistory.Figure], runs: Int) -> [FollowedFigure]
  {
    let median = FollowedFigure(metric: metric, statistic: .p50, figures: figures, runs: runs)
    guard let newest = figures.last, metric.kind != .exact, newest.count >= leastTail,
      [.p90, .p99, .max].contains(newest.statistic), metric.polarity == .lowerIsBetter
    else { return [median] }
    return [median, FollowedFigure(metric: metric, statistic: .p90, figures: figures, runs: runs)]
  }

  var decides: Bool { figures.last?.decides == true }

  /// The figures that can be compared.
  var points: [Series.Point] {
    figures.compactMap { figure in
      guard let value = statistic == .p90 ? figure.p90 : figure.median, value.isFinite else { return nil }
      let (low, high) = figure.band
      return Series.Point(run: figure.run, value: value, low: low, high: high, count: figure.count)
    }
  }
}

extension RunHistory.Figure {
  /// The range that contains eight of ten samples, by the digest.
  fileprivate var band: (Double?, Double?) {
    guard let first = quantiles.first, let last = quantiles.last else { return (nil, nil) }
    guard quantiles.count == QuantileDigest.size else { return (first, last) }
    return (quantiles[2], quantiles[QuantileDigest.size - 3])
  }
}
