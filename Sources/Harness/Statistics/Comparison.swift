/// Two runs, metric by metric: what `swiftwing compare BASE NEW` prints and the gate decides by.
public struct Comparison: Sendable, Hashable, Codable {
  public static let schema = "swiftwing-comparison/1"

  /// One of the two runs.
  public struct Side: Sendable, Hashable, Codable {
    public var started: String
    public var commit: String
  }

  /// One metric in both.
  public struct Row: Sendable, Hashable, Codable {
    public var scenario: String
    public var metric: String
    public var title: String
    public var unit: MeasurementUnit
    /// The new run's median.
    public var p50: Double?
    /// The profile asks something of it: the gate decides by it. The others are shown, to help find out why.
    public var decides: Bool
    public var baseline: MetricComparison
  }

  public var schema: String
  public var base: Side
  public var new: Side
  public var verdict: Verdict
  /// One sentence.
  public var reason: String
  /// Why the runs may not be compared, as clauses; empty when they may.
  public var differences: [String]
  public var rows: [Row]

  /// Every metric of both runs, unless they were not made alike: then no metric is compared.
  /// - Parameter calibration: differences seen between runs of the same build on this machine, by metric
  ///   (`Comparison.calibration`).
  public init(base: Report, new: Report, calibration: [String: Double] = [:]) {
    schema = Self.schema
    self.base = Side(started: base.started, commit: base.tool.commit)
    self.new = Side(started: new.started, commit: new.tool.commit)
    differences = Comparability.differences(base: base, new: new)
    let comparator = MetricComparator(
      yardsticks: (base.environment.yardstick, new.environment.yardstick), calibration: calibration)
    rows = differences.isEmpty ? Self.rows(base, new, comparator) : []
    verdict = .incomparable
    reason = ""
    conclude()
  }

  public var exitStatus: ExitStatus { verdict.exitStatus }

  private mutating func conclude() {
    guard differences.isEmpty else {
      reason = "The runs were not made alike: \(differences.joined(separator: "; "))."
      return
    }
    let deciding = rows.filter(\.decides)
    verdict =
      Verdict.decisive(deciding.map(\.baseline.verdict)) ?? (rows.isEmpty ? .incomparable : .inconclusive)
    let named = deciding.filter { $0.baseline.verdict == verdict }
    switch verdict {
    case .unchanged: reason = Verdict.sentence(unchanged: named.count, of: deciding.count)
    case .inconclusive where named.isEmpty: reason = "No metric has enough samples to compare."
    case .incomparable where rows.isEmpty: reason = "The runs have no metric in common."
    default: reason = Self.sentence(verdict, named, of: deciding.count)
    }
  }

  private static func sentence(_ verdict: Verdict, _ named: [Row], of total: Int) -> String {
    let names = named.prefix(3).map { row in
      row.baseline.ratio.map { "\(row.metric) \(Figure.change($0))" } ?? row.metric
    }
    let more = named.count > 3 ? " and \(named.count - 3) more" : ""
    return "\(named.count) of \(total) metrics \(verdict.rawValue): \(names.joined(separator: ", "))\(more)."
  }

  private static func rows(_ base: Report, _ new: Report, _ comparator: MetricComparator) -> [Row] {
    let ran = Set(new.scenarios.map(\.id))
    let metrics = Dictionary(
      new.scenarios.flatMap { scenario in scenario.metrics.map { ($0.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    return base.scenarios.filter { ran.contains($0.id) }.flatMap { scenario in
      let deciding = Set(scenario.decidingMetrics.map(\.id))
      return scenario.metrics.map { before in
        Row(
          scenario: scenario.id, metric: before.id, title: before.title, unit: before.unit,
          p50: metrics[before.id]?.p50, decides: deciding.contains(before.id),
          baseline: metrics[before.id].map { comparator.compare(before, $0) }
            ?? MetricComparison(incomparable: "not measured in the new run", p50: before.p50))
      }
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

extension Verdict {
  /// When nothing says otherwise: what is unchanged, and how many could only be told.
  static func sentence(unchanged: Int, of total: Int) -> String {
    let rest = total - unchanged
    return rest == 0
      ? "All \(total) metrics are unchanged."
      : "All \(unchanged) metrics with enough samples are unchanged, \(rest) \(rest == 1 ? "has" : "have") too few."
  }

  /// The verdict that decides over several comparisons: a regression, then what could not be said, then a change for the
  /// better; nil for none.
  static func decisive(_ verdicts: [Verdict]) -> Verdict? {
    [.regressed, .inconclusive, .incomparable, .improved, .unchanged].first(where: verdicts.contains)
  }
}

/// What must be alike for two runs to be compared.
enum Comparability {
  static func differences(base: Report, new: Report) -> [String] {
    var found = new.environment.differences(from: base.environment)
    if new.profile != base.profile { found.append("the profile is \(new.profile), was \(base.profile)") }
    if new.source.kind != base.source.kind || new.source.digest != base.source.digest
      || (new.source.digest == nil && new.source.name != base.source.name)
    {
      found.append("the source is \(new.source.summary), was \(base.source.summary)")
    }
    if new.source.format != base.source.format {
      found.append("the format is \(new.source.format ?? "unknown"), was \(base.source.format ?? "unknown")")
    }
    return found
  }
}

extension SourceDescription {
  /// One line: the name, and enough of the digest to tell two apart.
  var summary: String { digest.map { "\(name) (\($0.prefix(12)))" } ?? name }
}
