import Foundation

/// The test of a new run against the runs of a stored baseline: how far its figure lies beyond the figures of
/// all of them.
///
/// Runs of different sessions differ by the load of the machine, and no sample within a run shows by how much. So the runs of the baseline are the
/// measure: the new figure must lie beyond each of them by more than the profile's `detectable`. With a single run in the baseline, only
/// `detectable` accounts for the spread.
struct RunsTest {
  let base: [Double]
  /// The figures of the new run and of its repetition. The figure closest to the baseline counts.
  let new: [Double]
  let unit: MeasurementUnit
  let range: Equivalence
  /// The range of changes that do not matter while other programs are busy. Compilers, for example, take memory bandwidth, which one of two
  /// routines may need more.
  let busy: Equivalence?

  /// Factor for the tolerance if other programs were busy in every run. Unchanged builds beside compilers were seen to change by 12 % where the
  /// tolerance is 10 %.
  static let busyFactor = 1.5

  /// - Parameter whileBusy: whether other programs were busy in every new run.
  init(
    base: [Double], new: [Double], unit: MeasurementUnit, polarity: Polarity, tolerance: Tolerance,
    whileBusy: Bool = false
  ) {
    self.base = base
    self.new = new
    self.unit = unit
    func range(_ factor: Double) -> Equivalence {
      Equivalence(
        relative: tolerance.detectable * factor, absolute: tolerance.absolute * factor, polarity: polarity,
        base: base, new: new)
    }
    self.range = range(1)
    busy = whileBusy ? range(Self.busyFactor) : nil
  }

  /// Returns the least and the greatest change of one figure against the runs of the baseline.
  private func span(_ figure: Double) -> Interval? {
    let costs = base.map { range.cost($0, figure) }
    guard let low = costs.min(), let high = costs.max(), low.isFinite, high.isFinite else { return nil }
    return Interval(low: low, high: high)
  }

  /// - Returns: nil without runs.
  func compare(_ method: MetricComparison.Method) -> MetricComparison? {
    let spans = new.compactMap { figure in span(figure).map { (figure, $0) } }
    guard let was = Summary(base)?.median,
      let (now, span) = spans.min(by: { distance($0.1) < distance($1.1) })
    else { return nil }
    let cost = range.cost(was, now)
    var found = MetricComparison(
      method: method, p50: was, verdict: verdict(span), reason: reason(was, now, cost: cost, span: span))
    if range.scale == .ratio { found.ratio = range.shown(cost) } else { found.difference = range.shown(cost) }
    found.interval = base.count > 1 ? range.shown(span) : nil
    found.tolerance = range.shown
    found.base = base
    found.new = new
    found.otherwise =
      isExcused(span)
      ? "It would have regressed on a quiet machine; runs by turns (--against) can decide on a busy one, too."
      : otherwise(found.verdict, span)
    return found
  }

  private func verdict(_ span: Interval) -> Verdict {
    isExcused(span) ? .inconclusive : range.verdict(span)
  }

  /// Returns whether the change counts as a regression only on a quiet machine.
  private func isExcused(_ span: Interval) -> Bool {
    guard let busy, range.verdict(span) == .regressed else { return false }
    return busy.verdict(span) != .regressed
  }

  /// Returns the distance from the baseline: 0 within its runs.
  private func distance(_ span: Interval) -> Double { max(0, span.low, -span.high) }

  private func reason(_ was: Double, _ now: Double, cost: Double, span: Interval) -> String {
    let figures = "\(Figure.text(now, unit)), was \(Figure.text(was, unit))"
    let change = words(cost)
    let runs =
      base.count == 1
      ? "against one run" : "against \(base.count) runs \(words(span.low)) to \(words(span.high))"
    let again = new.count > 1 ? ", the nearer of \(new.count) new runs" : ""
    let others =
      isExcused(span)
      ? ", and beyond \(words(busy?.worse ?? 0)) where other programs were busy each time, as they were" : ""
    return "\(figures): \(change) (\(runs)\(again)); a change counts beyond \(words(range.worse))\(others)"
  }

  private func otherwise(_ verdict: Verdict, _ span: Interval) -> String {
    switch verdict {
    case .regressed: "It is at least \(range.amount(span.low, unit)) worse."
    case .improved: "It is at least \(range.amount(span.high, unit)) better."
    case .unchanged:
      "It would not have been unchanged at a tolerance below \(range.amount(max(abs(span.low), abs(span.high)), unit)); "
        + "runs by turns (--against) detect smaller changes."
    case .pass, .fail, .inconclusive, .incomparable, .unsupported, .recorded, .interrupted:
      "The baseline's runs differ too much for a verdict; runs by turns (--against) can decide."
    }
  }

  private func words(_ cost: Double) -> String {
    range.scale == .ratio ? Figure.change(range.shown(cost)) : Figure.signed(range.shown(cost), unit)
  }
}
