/// The comparison of two runs, metric by metric. `swiftwing compare BASE NEW` prints it, and the gate decides by it.
public struct Comparison: Sendable, Hashable, Codable {
  /// The format version that a comparison names.
  public static let schema = "swiftwing-comparison/1"

  /// One of the two runs.
  public struct Side: Sendable, Hashable, Codable {
    /// Start of the run, ISO 8601 in UTC; of several runs, that of the first.
    public var started: String
    /// The commit of the measured build.
    public var commit: String
    /// The fault injected on purpose. Nil in an ordinary run.
    public var fault: String?
    /// Number of runs. Nil for a single run.
    public var runs: Int?
  }

  /// A metric of both runs.
  public struct Row: Sendable, Hashable, Codable {
    /// The id of the scenario that measured the metric.
    public var scenario: String
    /// The id of the metric.
    public var metric: String
    /// Title for the reader, a few words.
    public var title: String
    /// Unit of both medians.
    public var unit: MeasurementUnit
    /// The median of the new run. Nil if the new run has none.
    public var p50: Double?
    /// Whether the gate decides by the metric. The other metrics are shown to help find the cause.
    public var decides: Bool
    /// The comparison of the metric with the baseline.
    public var baseline: MetricComparison
  }

  /// The schema, `swiftwing-comparison/1`.
  public var schema: String
  /// The run that the new run is compared with.
  public var base: Side
  /// The run under judgement.
  public var new: Side
  /// The verdict of the deciding rows: a regression comes first. `incomparable` if the runs may not be compared.
  public var verdict: Verdict
  /// The reason in one sentence, with further sentences if only a part was compared.
  public var reason: String
  /// Why the runs may not be compared, as clauses. Empty if they may.
  public var differences: [String]
  /// The metrics of both runs. Empty if the runs may not be compared.
  public var rows: [Row]

  /// Compares every metric of both runs. If the runs may not be compared (`differences`), compares no metric.
  public init(base: Report, new: Report) { self.init(baseline: Baseline(base), new: new) }

  /// Compares a run with all runs of a baseline.
  /// - Parameter again: a second run of the new build, used for metrics that regressed or were inconclusive in the first, as `bench` does.
  public init(baseline: Baseline, new: Report, again: Report? = nil) {
    let first = baseline.first
    schema = Self.schema
    base = Side(
      started: first.started, commit: first.tool.commit, fault: first.fault,
      runs: baseline.runs.count > 1 ? baseline.runs.count : nil)
    self.new = Side(started: new.started, commit: new.tool.commit, fault: new.fault)
    var comparability = Comparability(base: first, new: new)
    if let flaw = new.flawAsNew { comparability.differences.append("the new report \(flaw)") }
    differences = comparability.differences
    let compared = differences.isEmpty ? Self.rows(baseline, new, again: again) : []
    let deciding = compared.filter(\.row.decides).map { ($0.row.baseline.verdict, $0.words) }
    let sentence = ComparisonSentence(deciding, comparability)
    rows = compared.map(\.row)
    verdict = sentence.verdict
    reason = sentence.text
  }

  /// The exit status of `swiftwing compare`.
  public var exitStatus: ExitStatus { verdict.exitStatus }

  private static func rows(
    _ baseline: Baseline, _ new: Report, again: Report?
  ) -> [(row: Row, words: String)] {
    baseline.first.scenarios.flatMap { before in
      let second = again?.scenarios.first { $0.id == before.id }
      return new.scenarios.first { $0.id == before.id }.map { rows(baseline, before, new: $0, again: second) }
        ?? []
    }
  }

  private static func rows(
    _ baseline: Baseline, _ base: ScenarioReport, new: ScenarioReport, again: ScenarioReport?
  ) -> [(row: Row, words: String)] {
    let deciding = Set(base.decidingMetrics.map(\.id))
    return base.metrics.map { before in
      let after = new.metrics.first { $0.id == before.id }
      let comparison =
        after.map { first in
          MetricComparator().compare(
            baseline.metric(before.id, of: base.id), first, again: again?.metrics.first { $0.id == before.id }
          )
        } ?? MetricComparison(incomparable: "not measured in the new run", p50: before.p50)
      let row = Row(
        scenario: base.id, metric: before.id, title: before.title, unit: before.unit, p50: after?.p50,
        decides: deciding.contains(before.id), baseline: comparison)
      return (row, before.words(comparison))
    }
  }
}
