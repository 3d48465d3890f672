/// Two runs, metric by metric: what `swiftwing compare BASE NEW` prints and the gate decides by.
public struct Comparison: Sendable, Hashable, Codable {
  /// Which version of the format a comparison names.
  public static let schema = "swiftwing-comparison/1"

  /// One of the two runs.
  public struct Side: Sendable, Hashable, Codable {
    /// When the run began, ISO 8601 in UTC; of several the first.
    public var started: String
    /// Of the build that was measured.
    public var commit: String
    /// What was broken on purpose; nil in an ordinary run.
    public var fault: String?
    /// How many runs there are; nil for one.
    public var runs: Int?
  }

  /// One metric in both.
  public struct Row: Sendable, Hashable, Codable {
    /// The scenario that measured it.
    public var scenario: String
    /// The metric's id.
    public var metric: String
    /// A few words for a reader.
    public var title: String
    /// Of both medians.
    public var unit: MeasurementUnit
    /// The new run's median.
    public var p50: Double?
    /// The profile asks something of it: the gate decides by it. The others are shown, to help find out why.
    public var decides: Bool
    /// How it compares with the baseline.
    public var baseline: MetricComparison
  }

  /// `swiftwing-comparison/1`.
  public var schema: String
  /// The run compared with.
  public var base: Side
  /// The run that is judged.
  public var new: Side
  /// The worst of the rows that decide; `incomparable` when the runs were not made alike.
  public var verdict: Verdict
  /// One sentence, and others where only a part was compared.
  public var reason: String
  /// Why the runs may not be compared, as clauses; empty when they may.
  public var differences: [String]
  /// The metrics of both runs; empty when the runs may not be compared.
  public var rows: [Row]

  /// Every metric of both runs, unless they were not made alike: then no metric is compared.
  public init(base: Report, new: Report) { self.init(baseline: Baseline(base), new: new) }

  /// The same against all runs of a baseline.
  /// - Parameter again: a second run of the new build, asked where the first regressed or cannot be told, as `bench` does.
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

  /// What `swiftwing compare` exits with.
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
