/// One scenario in runs of two builds that took turns.
struct PairedScenario: Sendable {
  /// The first run of the new build, without evidence.
  let first: ScenarioReport
  /// Number of pairs made.
  private(set) var count = 0
  private(set) var metrics: [PairedMetric]
  /// The metrics that decide in the base and that the new build does not measure, by id.
  let vanished: [MetricReport]
  /// Whether the turns take too long or no metric has a limit: then only the exact metrics and the rules are compared.
  private(set) var isPutOff = false
  /// Rules that held in every run of the base and in none of the new build: their ids, and the details of the failures. Reliable after two pairs;
  /// after one, the scenario is undecided.
  private var broken: [String: String]
  /// Why one of the builds has nothing to compare, as a clause. Nil if both have something, or if neither supports the scenario here.
  private let unmeasured: String?
  /// Whether the profile limits one of the metrics.
  private let hasLimits: Bool
  /// The duration of the shorter of the two first turns: a busy moment or a slower build lengthens one of them.
  private let shortest: Duration
  /// The share of the processors that other programs used while the new build ran, for each pair.
  private var others: [Double] = []

  /// - Parameter isAtOnce: whether both builds run at once, in time slices. If so, the profile of the new build selects the deciding metrics.
  init(_ base: ScenarioReport, _ new: ScenarioReport, isAtOnce: Bool = false) {
    var first = new
    first.evidence = []
    self.first = first
    unmeasured = Self.unmeasured(base, new)
    shortest = .seconds(min(base.seconds, new.seconds))
    hasLimits = base.metrics.contains { $0.limit != nil }
    let deciding = Set((isAtOnce ? new.decidingAtOnce : base.decidingMetrics).map(\.id))
    metrics = base.metrics.compactMap { before in
      new.metrics.first { $0.id == before.id }.map {
        PairedMetric(
          isAtOnce ? before.with($0.tolerance) : before, $0, decides: deciding.contains(before.id),
          isAtOnce: isAtOnce)
      }
    }
    vanished = base.metrics.filter { before in
      deciding.contains(before.id) && !new.metrics.contains { $0.id == before.id }
    }
    broken = Dictionary(
      new.checks.filter { !$0.passed && $0.timed != true }.map { ($0.id, $0.detail) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func unmeasured(_ base: ScenarioReport, _ new: ScenarioReport) -> String? {
    if base.verdict == .unsupported, new.verdict == .unsupported { return nil }
    for (name, report) in [("base", base), ("new build", new)]
    where report.metrics.isEmpty && report.checks.isEmpty {
      return "the \(name) measured nothing: \(report.reason)"
    }
    return nil
  }

  mutating func add(_ base: ScenarioReport, _ new: ScenarioReport) {
    count += 1
    for index in metrics.indices {
      let id = metrics[index].before.id
      metrics[index].add(base.metrics.first { $0.id == id }, new.metrics.first { $0.id == id })
    }
    broken = broken.filter { id, _ in
      base.checks.contains { $0.id == id && $0.passed } && new.checks.contains { $0.id == id && !$0.passed }
    }
    if let share = new.others { others.append(share) }
  }

  /// Ends the turns in a comparison of everything, if the first turn of both builds took longer than `longest`, or if no metric has a limit. Scenarios
  /// without limits are many and have no requirement; they would take the time of the scenarios that decide.
  mutating func putOff(beyond longest: Duration) {
    isPutOff = metrics.contains { $0.tests > 0 } && (!hasLimits || shortest > longest)
  }

  mutating func look(_ plan: PairedPlan) { for index in metrics.indices { metrics[index].look(plan) } }

  /// Number of tests of this scenario that decide.
  var tests: Int { isPutOff ? 0 : metrics.reduce(0) { $0 + $1.tests } }
  /// Whether the scenario takes no more turns while others need them. A rule that seems broken gets a second pair first.
  var isDecided: Bool {
    count >= PairedPlan.most
      || ((isPutOff || metrics.allSatisfy(\.isDecided)) && (broken.isEmpty || count > 1))
  }
  /// Whether the scenario takes no more turns at all.
  var isClosed: Bool {
    count >= PairedPlan.most || (isDecided && (isPutOff || metrics.allSatisfy(\.isClosed)))
  }

  /// Returns the number of metrics that are `unchanged` only within 5 %, and undecided at their tolerance.
  func coarse(_ plan: PairedPlan) -> Int { isPutOff ? 0 : metrics.count { $0.isCoarse(plan) } }

  /// Returns a row for each deciding metric and each broken rule: its verdict, its change in a few words, and the reason.
  func rows(_ plan: PairedPlan) -> [(verdict: Verdict, words: String, reason: String)] {
    if let reason = unmeasured { return [(.incomparable, first.id, "\(first.id): \(reason)")] }
    var rows = metrics.filter { $0.decides && (!isPutOff || $0.tests == 0) }.map { metric in
      let found = metric.comparison(plan)
      return (found.verdict, metric.before.words(found), "\(metric.before.id): \(found.reason)")
    }
    rows += vanished.map { (.incomparable, $0.id, "\($0.id): the new build does not measure it") }
    rows += broken.sorted { $0.key < $1.key }.map { id, detail in
      count > 1
        ? (
          .regressed, id,
          "\(id): the rule held in every run of the base and in none of the new build: \(detail)"
        )
        : (
          .inconclusive, id,
          "\(id): the rule held in the base and not in the new build, and it takes two pairs to tell: \(detail)"
        )
    }
    let isUnsupported = first.verdict == .unsupported
    return rows.isEmpty && !isUnsupported
      ? [(.unchanged, first.id, "\(first.id): its rules hold as before")] : rows
  }

  /// Returns the scenario for the report: its figures cover all runs of the new build, and its verdict is that of the comparison.
  func report(_ plan: PairedPlan) -> ScenarioReport {
    var report = first
    report.metrics = first.metrics.map { row in
      guard let metric = metrics.first(where: { $0.after.id == row.id }), !isPutOff || metric.isExact else {
        return row.withoutLimit
      }
      return metric.row(plan)
    }
    report.others = others.isEmpty ? nil : others.reduce(0, +) / Double(others.count)
    report.othersPeak = nil
    report.attempts = nil
    report.disturbed = nil
    report.excused = nil
    report.notes = ["Both builds took \(count == 1 ? "1 turn" : "\(count) turns") each."] + first.notes
    let rows = rows(plan)
    let verdict =
      Verdict.decisive(rows.map(\.verdict)) ?? (first.verdict == .unsupported ? .unsupported : .recorded)
    let named = rows.filter { $0.verdict == verdict }.map(\.reason)
    report.conclude(
      verdict,
      verdict == .unsupported ? first.reason : verdict.needsAttention ? named.joined(separator: "; ") : "")
    return report
  }
}

extension PairedMetric {
  /// Returns all samples of the new build, without a limit: only the comparison judges them.
  fileprivate func row(_ plan: PairedPlan) -> MetricReport {
    var row = after.withoutLimit
    row.baseline = comparison(plan)
    // Without limits, only this field says which metrics decide.
    row.tolerance.decides = decides ? nil : false
    guard let summary = Summary(samples) else { return row }
    row.samples = samples
    row.count = summary.count
    row.min = summary.min
    row.max = summary.max
    row.mean = summary.mean
    row.p50 = summary.median
    row.p90 = summary.percentile(90)
    row.p99 = summary.percentile(99)
    row.histogram = SampleHistogram(summary).bins
    return row
  }
}

extension MetricReport {
  fileprivate func with(_ tolerance: Tolerance) -> MetricReport {
    var report = self
    report.tolerance = tolerance
    return report
  }

  fileprivate var withoutLimit: MetricReport {
    var row = self
    row.limit = nil
    if p50 != nil { (row.verdict, row.reason) = (.recorded, "") }
    return row
  }
}
