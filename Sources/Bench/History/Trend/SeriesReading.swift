import Foundation
import Harness

/// The evaluation of one series: its levels and its verdict.
struct SeriesReading {
  let figure: FollowedFigure
  let runs: [SettingTrend.Run]
  /// The probability at or below which a change counts.
  let level: Double

  var series: Series {
    let newest = figure.figures.last
    var series = Series(
      metric: figure.metric.name, scenario: figure.metric.scenario, title: figure.metric.title,
      unit: figure.metric.unit, polarity: figure.metric.polarity, kind: figure.metric.kind,
      statistic: figure.statistic, decides: figure.decides, limit: limit(newest),
      tolerance: newest?.tolerance ?? Tolerance(), points: figure.points, changes: [], verdict: .inconclusive,
      reason: "")
    series.changes = figure.metric.kind == .exact ? exactChanges : changes(of: series)
    (series.verdict, series.reason) = judgement(of: series)
    return series
  }

  /// Returns the limit, if it applies to the statistic that is drawn.
  private func limit(_ newest: RunHistory.Figure?) -> Double? {
    newest.flatMap { $0.statistic == figure.statistic ? $0.limit : nil }
  }

  /// Returns the verdict and its reason: of the last change if that is recent; otherwise that there is no change, or why the series is inconclusive.
  private func judgement(of series: Series) -> (Verdict, String) {
    guard figure.figures.last?.run == runs.count - 1 else {
      return (.inconclusive, "the newest run does not have it")
    }
    guard series.points.last?.run == runs.count - 1 else {
      return (.inconclusive, "the newest run has no sample of the metric")
    }
    if let change = series.changes.last, change.isRecent {
      if [.regressed, .improved].contains(change.verdict), change.candidates.isEmpty {
        return (
          .inconclusive, "it changed between two runs of \(change.commit): the machine did, not the build"
        )
      }
      let words = change.verdict == .unchanged ? "within the tolerance: " : ""
      return (change.verdict, words + change.sentence(series))
    }
    let missing =
      figure.metric.kind == .exact
      ? 2 - series.points.count : 2 * ChangePointSearch.leastRuns - series.points.count
    if missing > 0 {
      return (.inconclusive, "\(missing) more \(missing == 1 ? "run is" : "runs are") needed to see a change")
    }
    let runs = series.points.count
    let span = runs > TrendReading.recent ? "the last \(TrendReading.recent) of \(runs)" : "its \(runs)"
    return (.unchanged, "no change in \(span) runs")
  }

  // MARK: Changes

  private func changes(of series: Series) -> [ChangePoint] {
    let values = series.points.map(\.value)
    // Changes of times and rates are ratios, so their logarithms are used. The ranks are the same, but the size of a change differs.
    let isRatio = values.allSatisfy { $0 > 0 }
    let scale = isRatio ? values.map { log($0) } : values
    let found = ChangePointSearch(level: level).changes(in: scale)
    return found.indices.map { index in
      let start = index > 0 ? found[index - 1].place : 0
      let end = index + 1 < found.count ? found[index + 1].place : scale.count
      return change(found[index], scale[start..<end], series: series, isRatio: isRatio)
    }
  }

  private func change(
    _ found: ChangePointSearch.Found, _ values: ArraySlice<Double>, series: Series, isRatio: Bool
  ) -> ChangePoint {
    let before = values[..<found.place].suffix(ChangePointSearch.window)
    let after = values[found.place...].prefix(ChangePointSearch.window)
    let shift = Shift(from: before, to: after)
    let places = ChangePlace.candidates(values, place: found.place)
    let undo: (Double) -> Double = { isRatio ? exp($0) : $0 }
    let interval = shift.map { [undo($0.low), undo($0.high)] }
    var change = point(at: found.place, series.points, near: places)
    change.from = before.map(undo).middle
    change.to = after.map(undo).middle
    change.ratio = isRatio ? shift.map { exp($0.estimate) } : nil
    change.interval = interval
    // `level` is the share of one series in the total of 1 %, so this scales the probability to that of all series.
    change.confidence = 1 - min(1, found.probability / level * TrendReading.falseAlarm)
    change.verdict =
      interval.map { series.verdict(of: $0, isRatio: isRatio, was: change.from) } ?? .inconclusive
    return change
  }

  /// The changes of an exact metric, which is the same in every run of one build: every run that differs from the one before.
  private var exactChanges: [ChangePoint] {
    let series = figure.points
    let whole = figure.figures.filter { $0.median?.isFinite == true }
    guard series.count == whole.count else { return [] }
    return whole.indices.dropFirst().compactMap { index in
      let (was, now) = (whole[index - 1], whole[index])
      guard was.checksum != now.checksum || was.count != now.count else { return nil }
      var change = point(at: index, series, near: [index])
      change.from = was.median ?? 0
      change.to = now.median ?? 0
      change.ratio = change.from > 0 && change.to > 0 ? change.to / change.from : nil
      change.verdict = isBetter(was, now) ? .improved : .regressed
      return change
    }
  }

  /// Returns whether the mean is better. If that is unclear, a change counts as worse.
  private func isBetter(_ was: RunHistory.Figure, _ now: RunHistory.Figure) -> Bool {
    guard was.count == now.count, let old = was.mean, let new = now.mean else { return false }
    switch figure.metric.polarity {
    case .lowerIsBetter: return new < old
    case .higherIsBetter: return new > old
    case .exact: return false
    }
  }

  /// - Parameter near: the indices at which the change may lie.
  private func point(at place: Int, _ points: [Series.Point], near: [Int]) -> ChangePoint {
    func commit(_ place: Int) -> String { runs[points[place].run].commit }
    let first = runs[points[place].run]
    let ordered = [place] + near.filter { $0 != place }.sorted { abs($0 - place) < abs($1 - place) }
    let commits = ordered.filter { $0 > 0 && commit($0) != commit($0 - 1) }.map(commit)
    return ChangePoint(
      run: points[place].run, started: first.started, commit: first.commit, before: commit(place - 1),
      candidates: commits.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }, from: 0, to: 0,
      ratio: nil,
      interval: nil, confidence: 1, verdict: .inconclusive,
      isRecent: points[place].run >= runs.count - TrendReading.recent)
  }
}

extension Series {
  /// Decides by inclusion of the interval, as for two runs: wholly beyond the tolerance, wholly within it, or neither.
  func verdict(of interval: [Double], isRatio: Bool, was: Double) -> Verdict {
    // The increase. For a ratio, it is the ratio minus 1.
    let shifts = interval.map { isRatio ? $0 - 1 : $0 }
    let slack = isRatio ? max(tolerance.relative, was > 0 ? tolerance.absolute / was : 0) : tolerance.absolute
    let costs = polarity == .higherIsBetter ? shifts.map { -$0 }.sorted() : shifts.sorted()
    guard let low = costs.first, let high = costs.last else { return .inconclusive }
    if polarity == .exact, low > slack || high < -slack { return .regressed }
    if low > slack { return .regressed }
    if high < -slack { return .improved }
    return low >= -slack && high <= slack ? .unchanged : .inconclusive
  }
}
