/// One metric in runs of two builds that took turns.
struct PairedMetric: Sendable {
  /// The metric in the first pair, as the base described it.
  let before: MetricReport
  /// The metric in the first pair, as the new build described it.
  let after: MetricReport
  /// Whether the metric decides the comparison. The other metrics are shown to help find the cause.
  let decides: Bool
  /// Whether both builds run at once, so that other programs disturb both alike.
  private let isAtOnce: Bool
  private var median = PairedFigure(margin: 1)
  private var tail = PairedFigure(margin: PairedMetric.tailMargin)
  /// Number of pairs in which the base has a figure and the new build has none, because it has no samples or samples that are not numbers.
  private var missing = 0
  /// Samples of the new build's first runs, in the order taken.
  private(set) var samples: [Double] = []
  /// Maximum number of samples that are kept, because the report is written after every pair.
  private static let sampleLimit = 2000

  /// Minimum number of samples of a run for which a high percentile means something.
  static let leastForTail = 20
  /// Margin for tails, in tolerances: tails vary more than medians.
  static let tailMargin = 4.0

  init(_ before: MetricReport, _ after: MetricReport, decides: Bool, isAtOnce: Bool = false) {
    self.before = before
    self.after = after
    self.decides = decides
    self.isAtOnce = isAtOnce
  }

  /// Whether the limit applies to a high percentile and the runs have enough samples for a high percentile.
  private var hasTail: Bool {
    guard let statistic = before.limit?.statistic, !before.unit.isDiscrete else { return false }
    return [.p90, .p99, .max, .min, .each].contains(statistic) && before.polarity != .exact
      && min(before.count, after.count) >= Self.leastForTail
  }

  /// Number of tests of this metric that decide.
  var tests: Int { decides && fault == nil && !isExact ? (hasTail ? 2 : 1) : 0 }

  mutating func add(_ base: MetricReport?, _ new: MetricReport?) {
    if let new, samples.count + new.samples.count <= Self.sampleLimit { samples += new.samples }
    guard let was = base.flatMap(figure) else { return }
    guard let now = new.flatMap(figure) else {
      missing += 1
      return
    }
    median.add(was, now)
    if hasTail, let was = base?.tail, let now = new?.tail { tail.add(was, now) }
  }

  /// Returns the figure by which a run is compared: its median, or for wall-clock times the quartile that other programs disturbed least. Other
  /// programs only make samples worse, and a build that is slower is slower in its best samples too. A slowdown in the worst samples alone is left to
  /// the tail.
  private func figure(_ report: MetricReport) -> Double? {
    let isTime = report.unit == .milliseconds || report.unit == .framesPerSecond
    guard !isAtOnce, isTime, report.kind == .timed, let summary = Summary(report.samples) else {
      return report.p50
    }
    return summary.percentile(report.polarity == .higherIsBetter ? 75 : 25)
  }

  mutating func look(_ plan: PairedPlan) {
    median.look(before, plan)
    if hasTail { tail.look(before, plan) }
  }

  /// Whether no further pair can change the decision. An undecided tail does not count.
  var isDecided: Bool { tests == 0 || median.isDecided }
  /// Whether no further pair can change the decision or the shown tail.
  var isClosed: Bool { isDecided && (tests < 2 || tail.isDecided) }

  /// Whether the metric is exact or counted in both builds, so that the first pair decides.
  var isExact: Bool { isBoth(.exact) || isBoth(.counted) }

  private func isBoth(_ kind: MetricKind) -> Bool { before.kind == kind && after.kind == kind }

  /// Returns whether the median is shown to be unchanged only within 5 %, because the time did not suffice for the tolerance.
  func isCoarse(_ plan: PairedPlan) -> Bool {
    tests > 0 && missing == 0 && median.result(before, plan).isCoarse
  }

  /// Why the two metrics cannot be compared at all, as a clause. Nil if they can.
  private var fault: String? {
    if let reason = MetricComparator.unlike(before, after) { return reason }
    if let lack = before.lackOfMedian { return "the base \(lack)" }
    return after.lackOfMedian.map { "the new build \($0)" }
  }

  /// Returns the result of the pairs so far.
  func comparison(_ plan: PairedPlan) -> MetricComparison {
    if let fault { return MetricComparison(incomparable: fault, p50: before.p50) }
    if isBoth(.exact) { return ExactTest(before, after).comparison }
    if isBoth(.counted) { return MetricComparator().compare(before, after) }
    var found = MetricComparison(
      median.test(before, plan), median.result(before, plan))
    if hasTail {
      let percentile = before.polarity == .higherIsBetter ? 10 : 90
      found.take(tail.test(before, plan), tail.result(before, plan), percentile: percentile)
    }
    if missing > 0, found.verdict != .regressed {
      found.verdict = .inconclusive
      found.reason += "; the new build had no samples in \(missing) of \(median.base.count + missing) pairs"
      found.otherwise = "It could be told if the new build had samples in every pair."
    }
    return found
  }
}

extension MetricReport {
  /// The 90th percentile, or the 10th if higher is better.
  fileprivate var tail: Double? { polarity == .higherIsBetter ? Summary(samples)?.percentile(10) : p90 }
}
