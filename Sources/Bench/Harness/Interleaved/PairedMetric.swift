/// One metric in runs of two builds that took turns.
struct PairedMetric: Sendable {
  /// As the base and the new build described it in the first pair.
  let before: MetricReport
  let after: MetricReport
  /// It decides; the others are shown, to help find out why.
  let decides: Bool
  /// Both builds run at once, so that other programs disturb both alike.
  private let isAtOnce: Bool
  private var median = PairedFigure(margin: 1)
  private var tail = PairedFigure(margin: PairedMetric.tailMargin)
  /// Pairs in which only the new build had no samples, or some that are no numbers.
  private var missing = 0
  /// Samples of the new build, in the order taken, those of the first runs.
  private(set) var samples: [Double] = []
  /// Most that are kept: the report is written after every pair.
  private static let sampleLimit = 2000

  /// Fewer samples of one run have no high percentile to speak of.
  static let leastForTail = 20
  /// Tails move more than medians.
  static let tailMargin = 4.0

  init(_ before: MetricReport, _ after: MetricReport, decides: Bool, isAtOnce: Bool = false) {
    self.before = before
    self.after = after
    self.decides = decides
    self.isAtOnce = isAtOnce
  }

  /// A limit is on a high percentile, and the runs have samples enough for one.
  private var hasTail: Bool {
    guard let statistic = before.limit?.statistic, !before.unit.isDiscrete else { return false }
    return [.p90, .p99, .max, .min, .each].contains(statistic) && before.polarity != .exact
      && min(before.count, after.count) >= Self.leastForTail
  }

  /// How many tests decide by it.
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

  /// What a run is compared by: its median. Of a time on the wall, the quarter of it that other programs disturbed least: they make samples
  /// worse and never better, and a build that is slower is slower in its best samples too. What is slower in the worst ones alone is the
  /// tail's.
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

  /// No pair more could change what decides; an open tail decides nothing.
  var isDecided: Bool { tests == 0 || median.isDecided }
  /// Nor could one change what is shown of the tail.
  var isClosed: Bool { isDecided && (tests < 2 || tail.isDecided) }

  /// The same in every run of one build, so that the first pair decides.
  var isExact: Bool { isBoth(.exact) || isBoth(.counted) }

  private func isBoth(_ kind: MetricKind) -> Bool { before.kind == kind && after.kind == kind }

  /// Its median is told to be unchanged only within 5 %, because there was no time for the tolerance.
  func isCoarse(_ plan: PairedPlan) -> Bool {
    tests > 0 && missing == 0 && median.result(before, plan).isCoarse
  }

  /// Why the two cannot be compared at all, as a clause.
  private var fault: String? {
    if let reason = MetricComparator.unlike(before, after) { return reason }
    if before.p50 == nil { return "the base has no samples, or some that are no numbers" }
    return after.p50 == nil ? "the new build has no samples, or some that are no numbers" : nil
  }

  /// What the pairs say so far.
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
  /// What one of ten samples exceeds; where more is better, what one of ten does not reach.
  fileprivate var tail: Double? { polarity == .higherIsBetter ? Summary(samples)?.percentile(10) : p90 }
}
