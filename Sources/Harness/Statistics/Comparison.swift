/// Two runs, metric by metric: what `swiftwing compare BASE NEW` prints and the gate decides by.
public struct Comparison: Sendable, Hashable, Codable {
  /// Which version of the format a comparison names.
  public static let schema = "swiftwing-comparison/1"

  /// One of the two runs.
  public struct Side: Sendable, Hashable, Codable {
    /// When the run began, ISO 8601 in UTC.
    public var started: String
    /// Of the build that was measured.
    public var commit: String
    /// What was broken on purpose; nil in an ordinary run.
    public var fault: String?
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
  /// - Parameter calibration: differences seen between runs of the same build on this machine, by metric
  ///   (`Comparison.calibration`).
  public init(base: Report, new: Report, calibration: [String: Double] = [:]) {
    schema = Self.schema
    self.base = Side(started: base.started, commit: base.tool.commit, fault: base.fault)
    self.new = Side(started: new.started, commit: new.tool.commit, fault: new.fault)
    var comparability = Comparability(base: base, new: new)
    if let flaw = new.flawAsNew { comparability.differences.append("the new report \(flaw)") }
    differences = comparability.differences
    let comparator = MetricComparator(
      yardsticks: (base.environment.yardstick, new.environment.yardstick), calibration: calibration)
    let compared = differences.isEmpty ? Self.rows(base, new, comparator) : []
    let deciding = compared.filter(\.row.decides).map { ($0.row.baseline.verdict, $0.words) }
    let sentence = ComparisonSentence(deciding, comparability)
    rows = compared.map(\.row)
    verdict = sentence.verdict
    reason = sentence.text
  }

  /// What `swiftwing compare` exits with.
  public var exitStatus: ExitStatus { verdict.exitStatus }

  private static func rows(
    _ base: Report, _ new: Report, _ comparator: MetricComparator
  ) -> [(row: Row, words: String)] {
    base.scenarios.flatMap { before in
      new.scenarios.first { $0.id == before.id }.map { rows(before, $0, comparator) } ?? []
    }
  }

  private static func rows(
    _ base: ScenarioReport, _ new: ScenarioReport, _ comparator: MetricComparator
  ) -> [(row: Row, words: String)] {
    let comparator = comparator.disturbed(base.others, new.others)
    let deciding = Set(base.decidingMetrics.map(\.id))
    return base.metrics.map { before in
      let after = new.metrics.first { $0.id == before.id }
      let comparison =
        after.map { comparator.compare(before, $0) }
        ?? MetricComparison(incomparable: "not measured in the new run", p50: before.p50)
      let row = Row(
        scenario: base.id, metric: before.id, title: before.title, unit: before.unit, p50: after?.p50,
        decides: deciding.contains(before.id), baseline: comparison)
      return (row, before.words(comparison))
    }
  }
}

extension Comparison {
  /// The noise between runs, from two or more reports of the same build on one machine: for each metric the largest
  /// relative difference between the medians of any two of them.
  public static func calibration(from runs: [Report]) -> [String: Double] {
    let medians = runs.flatMap(\.scenarios).flatMap(\.metrics).compactMap { metric in
      metric.p50.map { (metric.id, [$0]) }
    }
    return Dictionary(medians, uniquingKeysWith: +).compactMapValues { values in
      guard values.count > 1, let least = values.min(), let most = values.max() else { return nil }
      return NoiseFloor.distance(least, most)
    }
  }
}
