/// The results of a run: the one document from which everything else is rendered. Its schema is `Schemas/report.schema.json`.
public struct Report: Sendable, Hashable, Codable {
  /// The format version that a report must name to be read.
  public static let schema = "swiftwing-report/1"

  /// The program that measured. Reports of different builds can be compared, with a remark.
  public struct Tool: Sendable, Hashable, Codable {
    /// The version, such as `0.1.0`.
    public var version: String
    /// The commit of the sources. `unknown` if it was not recorded.
    public var commit: String
    /// The build, `release` or `debug`.
    public var build: String

    /// Creates a description of the program.
    public init(version: String, commit: String, build: String) {
      self.version = version
      self.commit = commit
      self.build = build
    }
  }

  /// The schema, `swiftwing-report/1`.
  public var schema: String
  /// The program that measured.
  public var tool: Tool
  /// Start of the run, ISO 8601 in UTC.
  public var started: String
  /// The machine that the run was made on.
  public var environment: RunEnvironment
  /// The source under test.
  public var source: SourceDescription
  /// The name of the profile.
  public var profile: String
  /// The duration class of the run.
  public var duration: RunDuration
  /// Whether the last scenario is done. It stays false for a run that was interrupted or killed, and the verdict is then `interrupted`.
  public var complete: Bool
  /// The fault that was injected on purpose (`bench --fault`). Nil in an ordinary run.
  public var fault: String?
  /// The selected suites or scenarios, as typed. Nil for a whole run.
  public var selection: String?
  /// The part K/N of a run that was made in shards. Nil for an undivided run.
  public var shard: Shard?
  /// All scenarios of the run that this shard belongs to, in the order of an undivided run. Nil without a shard.
  public var planned: [PlannedScenario]?
  /// The shards that a merged report lacks. Nil if it lacks none.
  public var missing: [MissingShard]?
  /// Operator, customer and remarks. Nil if there are none.
  public var handover: Handover?
  /// The most severe verdict of the scenarios and the comparison; see `conclude()`.
  public var verdict: Verdict
  /// Number of scenarios per verdict, by the verdict's name.
  public var counts: [String: Int]
  /// The comparison with a baseline. Nil without a baseline.
  public var baseline: BaselineSummary?
  /// The scenarios, in the order in which they ran.
  public var scenarios: [ScenarioReport]

  /// Creates a report with its verdict. Without `complete`, the verdict is `interrupted`.
  public init(
    tool: Tool, started: String, environment: RunEnvironment, source: SourceDescription, profile: String,
    duration: RunDuration, complete: Bool = false, baseline: BaselineSummary? = nil,
    scenarios: [ScenarioReport] = []
  ) {
    self.schema = Self.schema
    self.tool = tool
    self.started = started
    self.environment = environment
    self.source = source
    self.profile = profile
    self.duration = duration
    self.complete = complete
    self.baseline = baseline
    self.verdict = .inconclusive
    self.counts = [:]
    self.scenarios = scenarios
    conclude()
  }

  /// The exit status of a command that made this report.
  public var exitStatus: ExitStatus { verdict.exitStatus }

  /// Sets the verdict and the counts from the scenarios and the baseline. A run that measured nothing is inconclusive, and an incomplete
  /// run is interrupted.
  public mutating func conclude() {
    counts = Dictionary(scenarios.map { ($0.verdict.rawValue, 1) }, uniquingKeysWith: +)
    let measured = scenarios.map(\.verdict).filter { $0 != .unsupported }
    let compared = baseline.map { [$0.verdict] } ?? []
    verdict = Verdict.worst(measured + compared) ?? .inconclusive
    if measured.isEmpty, verdict != .interrupted { verdict = .inconclusive }
    if !complete { verdict = .interrupted }
  }
}

extension Report {
  /// The inconclusive scenarios: disturbed by other programs at every attempt, too slow on this processor, and inconclusive for other reasons.
  public var inconclusive: (disturbed: [String], slow: [String], others: [String]) {
    let open = scenarios.filter { $0.verdict == .inconclusive }
    return (
      open.filter { $0.disturbed == true }.map(\.id), open.filter(\.isSlow).map(\.id),
      open.filter { $0.disturbed != true && !$0.isSlow }.map(\.id)
    )
  }
}

/// A scenario in the report.
public struct ScenarioReport: Sendable, Hashable, Codable {
  /// The id of the scenario.
  public var id: String
  /// The suite of the scenario.
  public var suite: Suite
  /// The title of the scenario.
  public var title: String
  /// The purpose of the scenario.
  public var purpose: String
  /// The scenario's example of a failure.
  public var exampleFailure: String
  /// The requirements of the scenario.
  public var requirements: [RequirementID]
  /// The most severe verdict of its limits, checks and comparisons.
  public var verdict: Verdict
  /// The reason why the verdict is not `pass`. Empty if it is.
  public var reason: String
  /// The proof of the probe's self-test. Nil if the scenario did not get that far.
  public var selfTest: String?
  /// Seconds from the self-test to the end of the last attempt.
  public var seconds: Double
  /// The share of all processors that other programs used meanwhile, 0...1. Nil if unknown.
  public var others: Double?
  /// The share in the half second in which other programs used the most. Nil if unknown.
  public var othersPeak: Double?
  /// Number of attempts, if other programs were busy or the processor is slow. Nil for a single attempt.
  public var attempts: Int?
  /// Number of measurements and self-tests that missed a time limit and do not count, because other programs were busy or the processor is slow.
  /// Nil for none.
  public var excused: Int?
  /// The source of the scenario in a report that was merged from several sources. Nil if it is the report's own source.
  public var source: String?
  /// The declaration of the scenario in the repository that the run was made in. Nil if unknown.
  public var declaration: SourceLocation?
  /// True if the verdict is `inconclusive` because every attempt missed only time limits, while other programs were busy. Nil otherwise.
  public var disturbed: Bool?
  /// The yardstick after the scenario in milliseconds, if the verdict is `inconclusive` because the processor is too slow for its time limits and
  /// nothing else was missed. Nil otherwise.
  public var slowProcessor: Double?
  /// The metrics, in the scenario's order.
  public var metrics: [MetricReport]
  /// The checked rules, in the scenario's order.
  public var checks: [Check]
  /// Evidence for people to look at.
  public var evidence: [EvidenceReport]
  /// Remarks for the reader, in whole sentences.
  public var notes: [String]
  /// The command line that repeats the scenario.
  public var reproduce: String
}

extension ScenarioReport {
  fileprivate var isSlow: Bool { disturbed != true && slowProcessor != nil }
}

/// A metric in the report. Without samples, the figures are nil and the verdict is `fail`, or `unsupported` if it cannot be measured here.
public struct MetricReport: Sendable, Hashable, Codable {
  /// The limit as it was applied.
  public struct AppliedLimit: Sendable, Hashable, Codable {
    /// The figure of the samples that had to obey.
    public var statistic: Statistic
    /// The relation that the figure had to have to the limit.
    public var op: Relation
    /// The bound with the reference added. Nil if the reference was not measured.
    public var value: Double?
    /// The figure that was compared with the bound.
    public var measured: Double?
    /// The requirement that the limit belongs to.
    public var requirement: RequirementID
    /// The origin of the number.
    public var source: String
    /// The metric that was measured in turns with this one, if the limit applies to the pairwise differences of both: `value` and `measured` are
    /// then the differences plus the other metric's median. Nil for a limit on the samples themselves.
    public var pairedWith: String?
  }

  /// The id of the metric.
  public var id: String
  /// Title for the reader, a few words.
  public var title: String
  /// Unit of all figures and samples.
  public var unit: MeasurementUnit
  /// The direction in which a figure is better.
  public var polarity: Polarity
  /// The evidence level of the samples: how close to the glass they were taken.
  public var evidence: EvidenceLevel
  /// Why the metric may differ from run to run. Nil in reports older than this field.
  public var kind: MetricKind?
  /// Number of all samples, including those that `samples` leaves out.
  public var count: Int
  /// The least sample.
  public var min: Double?
  /// The median.
  public var p50: Double?
  /// The 90th percentile: nine of ten samples are at most this.
  public var p90: Double?
  /// The 99th percentile: 99 of 100 samples are at most this.
  public var p99: Double?
  /// The greatest sample.
  public var max: Double?
  /// The arithmetic mean.
  public var mean: Double?
  /// All samples in bins of equal width. Empty without samples.
  public var histogram: [HistogramBin]
  /// The samples in the order taken, at most `MetricReport.sampleLimit`. Of a longer run, every k-th sample.
  public var samples: [Double]
  /// The limit of the profile. Nil for a metric that is only recorded.
  public var limit: AppliedLimit?
  /// The verdict by the limit and the comparison. `recorded` if there is neither.
  public var verdict: Verdict
  /// The reason why the verdict is not `pass`. Empty if it is.
  public var reason: String
  /// The size of a change that matters in a comparison of this run with another.
  public var tolerance: Tolerance
  /// The comparison with the baseline. Nil without a baseline.
  public var baseline: MetricComparison?
  /// For a counted metric, the program that counted it and the functions that took the instructions. Nil for all other metrics.
  public var functions: FunctionCount?
  /// Evenly spaced quantiles of the baseline's samples, from the least to the greatest. Nil if it had none.
  public var baselineQuantiles: [Double]?

  /// Maximum number of samples that a report keeps of one metric.
  public static let sampleLimit = 10_000
}

extension ScenarioReport {
  /// The metrics that decide a comparison: those with a limit, or all if none has one. The others, such as the stages of a start, are compared and
  /// shown to help find the cause.
  public var decidingMetrics: [MetricReport] {
    let eligible = metrics.filter { $0.tolerance.decides != false }
    let asked = eligible.filter { $0.limit != nil }
    return asked.isEmpty ? eligible : asked
  }

  /// The metrics that decide if both builds run at once: those that the profile names for this case, or else `decidingMetrics`.
  var decidingAtOnce: [MetricReport] {
    let named = metrics.filter { $0.tolerance.decidesAtOnce == true }
    return named.isEmpty ? decidingMetrics.filter { $0.tolerance.decidesAtOnce != false } : named
  }
}

/// A bin of a histogram: samples in `from ..< to`.
public struct HistogramBin: Sendable, Hashable, Codable {
  /// Lower bound, inclusive.
  public var from: Double
  /// Upper bound, exclusive.
  public var to: Double
  /// Number of samples in the bin.
  public var count: Int
}

/// Evidence as written to the report.
public struct EvidenceReport: Sendable, Hashable, Codable {
  /// The form in which the evidence is shown.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A PNG or JPEG picture.
    case image
    /// Lines of text.
    case text
    /// Events over time, as JSON.
    case timeline
    /// Curves of worth over cost, as JSON.
    case curves
  }

  /// The form in which the evidence is shown.
  public var kind: Kind
  /// Title, a few words.
  public var title: String
  /// The media type: `image/png`, `image/jpeg`, `text/plain` or, for a timeline and curves, `application/json`.
  public var mime: String
  /// Base64 for a picture, else the text itself.
  public var data: String
  /// The prefix of the ids of the metrics and checks that this evidence belongs to. Nil for the scenario as a whole.
  public var subject: String?
  /// Whether the evidence shows a failure. Nil if the verdict on `subject` decides that.
  public var failure: Bool?
}
