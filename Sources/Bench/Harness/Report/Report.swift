/// What a run found: the one document every rendering is made from. Its schema is `Schemas/report.schema.json`.
public struct Report: Sendable, Hashable, Codable {
  /// Which version of the format a report must name to be read.
  public static let schema = "swiftwing-report/1"

  /// What measured: a report of another build is compared, and says so.
  public struct Tool: Sendable, Hashable, Codable {
    /// Such as `0.1.0`.
    public var version: String
    /// Of the sources it was built from; `unknown` where that was not recorded.
    public var commit: String
    /// `release` or `debug`.
    public var build: String

    /// What measured.
    public init(version: String, commit: String, build: String) {
      self.version = version
      self.commit = commit
      self.build = build
    }
  }

  /// `swiftwing-report/1`.
  public var schema: String
  /// What measured.
  public var tool: Tool
  /// ISO 8601, UTC.
  public var started: String
  /// The machine it was measured on.
  public var environment: RunEnvironment
  /// What was measured.
  public var source: SourceDescription
  /// The profile's name.
  public var profile: String
  /// How long the run was to take.
  public var duration: RunDuration
  /// False until the last scenario is done: a run that was interrupted or killed stays so, and its verdict is `interrupted`.
  public var complete: Bool
  /// What was broken on purpose (`bench --fault`); nil in an ordinary run.
  public var fault: String?
  /// The suites or scenarios that were named, as they were typed; nil for a whole run.
  public var selection: String?
  /// The part K/N of a run that was made in parts.
  public var shard: Shard?
  /// All scenarios of the run that this is a shard of, in the order of one run; nil without a shard.
  public var planned: [PlannedScenario]?
  /// The shards that a merged report lacks; nil when it lacks none.
  public var missing: [MissingShard]?
  /// Who made the run, for whom, and what else they want a reader to know; nil where nothing was said.
  public var handover: Handover?
  /// The worst of the scenarios and of the comparison; see `conclude()`.
  public var verdict: Verdict
  /// How many scenarios ended with each verdict, by its name.
  public var counts: [String: Int]
  /// What the run was compared with, if anything.
  public var baseline: BaselineSummary?
  /// In the order they were run.
  public var scenarios: [ScenarioReport]

  /// A report of these scenarios, concluded; with `complete` false, as it is by default, its verdict is `interrupted`.
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

  /// What a command that made this report exits with.
  public var exitStatus: ExitStatus { verdict.exitStatus }

  /// Sets the verdict and the counts from the scenarios and the baseline. A run in which nothing was measured is
  /// inconclusive, and one that is not complete is interrupted.
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
  /// The scenarios that are inconclusive: because other programs were busy whenever they were measured, because the processor is too
  /// slow for them, and for other reasons.
  public var inconclusive: (disturbed: [String], slow: [String], others: [String]) {
    let open = scenarios.filter { $0.verdict == .inconclusive }
    return (
      open.filter { $0.disturbed == true }.map(\.id), open.filter(\.isSlow).map(\.id),
      open.filter { $0.disturbed != true && !$0.isSlow }.map(\.id)
    )
  }
}

/// One scenario in the report.
public struct ScenarioReport: Sendable, Hashable, Codable {
  /// The scenario's id.
  public var id: String
  /// The chapter it is in.
  public var suite: Suite
  /// As the scenario says.
  public var title: String
  /// As the scenario says.
  public var purpose: String
  /// As the scenario says.
  public var exampleFailure: String
  /// Those that it answers.
  public var requirements: [RequirementID]
  /// The worst of its limits, checks and comparisons.
  public var verdict: Verdict
  /// Why the verdict is not `pass`; empty when it is.
  public var reason: String
  /// What the probe's self-test showed; nil when the scenario did not get that far.
  public var selfTest: String?
  /// From self-test to the last re-run.
  public var seconds: Double
  /// The part of all processors that other programs took while it was measured, 0...1; nil when not known.
  public var others: Double?
  /// The same in the half second in which they took the most.
  public var othersPeak: Double?
  /// How often it was measured because other programs were busy or the processor is slow; nil for once.
  public var attempts: Int?
  /// How many of its measurements and self-tests missed what is asked of a time and do not count, because other programs were busy or the
  /// processor is slow; nil for none.
  public var excused: Int?
  /// What it was measured on, in a report merged of several sources; nil where that is the report's own.
  public var source: String?
  /// Where it is declared in the repository that the run was made in; nil when that is not known.
  public var declaration: SourceLocation?
  /// True if it is `inconclusive` because it missed only limits on times, each time it was measured, while other programs were busy; nil
  /// otherwise.
  public var disturbed: Bool?
  /// Where it is `inconclusive` because the processor is too slow for its limits on times and nothing else was missed, the milliseconds
  /// that the yardstick took after it; nil otherwise.
  public var slowProcessor: Double?
  /// What was measured, in the scenario's order.
  public var metrics: [MetricReport]
  /// Rules that were looked at, in the scenario's order.
  public var checks: [Check]
  /// What a person may look at.
  public var evidence: [EvidenceReport]
  /// Whole sentences for the reader.
  public var notes: [String]
  /// The command line that repeats it.
  public var reproduce: String
}

extension ScenarioReport {
  fileprivate var isSlow: Bool { disturbed != true && slowProcessor != nil }
}

/// One metric in the report. The figures are nil when there was no sample, and then the verdict is `fail`.
public struct MetricReport: Sendable, Hashable, Codable {
  /// The limit as it was applied.
  public struct AppliedLimit: Sendable, Hashable, Codable {
    /// Which figure of the samples had to obey.
    public var statistic: Statistic
    /// How it had to stand to the limit.
    public var op: Relation
    /// With the reference added; nil when the reference was not measured.
    public var value: Double?
    /// The figure it was held against.
    public var measured: Double?
    /// Whose limit it is.
    public var requirement: RequirementID
    /// Where the number comes from.
    public var source: String
    /// The metric that was measured by turns with this one, where the limit binds the differences of both pair by pair: `value` and
    /// `measured` then are those of the differences and the other's median. Nil for a limit on the samples themselves.
    public var pairedWith: String?
  }

  /// The metric's id.
  public var id: String
  /// A few words for a reader.
  public var title: String
  /// Of all figures and samples.
  public var unit: MeasurementUnit
  /// Which way is better.
  public var polarity: Polarity
  /// How close to the glass it was taken.
  public var evidence: EvidenceLevel
  /// What makes it differ from run to run; nil in reports older than this field.
  public var kind: MetricKind?
  /// Samples in all, those included that `samples` leaves out.
  public var count: Int
  /// The least sample.
  public var min: Double?
  /// The median.
  public var p50: Double?
  /// Nine of ten samples are at most this.
  public var p90: Double?
  /// 99 of 100 samples are at most this.
  public var p99: Double?
  /// The greatest sample.
  public var max: Double?
  /// The arithmetic mean.
  public var mean: Double?
  /// All samples in bars of one width; empty when there are none.
  public var histogram: [HistogramBin]
  /// In the order taken, at most `MetricReport.sampleLimit`: of a longer run every k-th.
  public var samples: [Double]
  /// What the profile asks; nil for a metric that is only recorded.
  public var limit: AppliedLimit?
  /// By the limit and the comparison; `recorded` where there is neither.
  public var verdict: Verdict
  /// Why the verdict is not `pass`; empty when it is.
  public var reason: String
  /// How large a change matters when this run is compared with another.
  public var tolerance: Tolerance
  /// What became of it against the baseline; nil without one.
  public var baseline: MetricComparison?
  /// Of what is counted: who counted it, and the functions that it went to; nil for all else.
  public var functions: FunctionCount?
  /// Quantiles of the baseline's samples, evenly apart from the least to the greatest; nil where it had none.
  public var baselineQuantiles: [Double]?

  /// Most samples that a report keeps of one metric.
  public static let sampleLimit = 10_000
}

extension ScenarioReport {
  /// What a comparison decides by: the metrics that the profile asks something of, or all where it asks nothing. The
  /// others, such as the stages of a start, are compared and shown to help find out why.
  public var decidingMetrics: [MetricReport] {
    let eligible = metrics.filter { $0.tolerance.decides != false }
    let asked = eligible.filter { $0.limit != nil }
    return asked.isEmpty ? eligible : asked
  }

  /// The same for builds that run at once: what the profile names for that, or else the metrics above.
  var decidingAtOnce: [MetricReport] {
    let named = metrics.filter { $0.tolerance.decidesAtOnce == true }
    return named.isEmpty ? decidingMetrics.filter { $0.tolerance.decidesAtOnce != false } : named
  }
}

/// One bar of a histogram: samples in `from ..< to`.
public struct HistogramBin: Sendable, Hashable, Codable {
  /// The bar's lower end, which belongs to it.
  public var from: Double
  /// The bar's upper end, which belongs to the next.
  public var to: Double
  /// How many samples are in it.
  public var count: Int
}

/// Evidence as it is written down.
public struct EvidenceReport: Sendable, Hashable, Codable {
  /// How it is to be shown.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A PNG or JPEG picture.
    case image
    /// Lines of text.
    case text
    /// What happened when, as JSON.
    case timeline
    /// What something is worth at what cost, as JSON.
    case curves
  }

  /// How it is to be shown.
  public var kind: Kind
  /// What is to be seen.
  public var title: String
  /// `image/png`, `image/jpeg`, `text/plain` or, for a timeline and curves, `application/json`.
  public var mime: String
  /// Base64 for a picture; else the text itself.
  public var data: String
  /// The metrics and checks that it shows, by what their ids begin with; nil where it is of the scenario as a whole.
  public var subject: String?
  /// Whether it shows what failed; nil where that follows from the verdict on `subject`.
  public var failure: Bool?
}
