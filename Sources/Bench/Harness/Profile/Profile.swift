/// Requirements on an engine: limits on metrics, and how large a change between two runs must be to matter. Committed data, not code.
public struct Profile: Sendable, Hashable, Codable {
  /// The schema, `swiftwing-profile/1`.
  public var schema: String
  /// The name used with `--profile NAME`.
  public var name: String
  /// Title for the reader, one sentence.
  public var title: String
  /// Limits, at most one per metric.
  public var limits: [Limit]
  /// Tolerances. The first rule that names the metric applies, else the first rule that names its unit, else the rule that names neither.
  public var tolerances: [ToleranceRule]

  /// Creates a profile of your own. Without tolerances, each metric has those of `Tolerance()`.
  public init(name: String, title: String, limits: [Limit], tolerances: [ToleranceRule] = []) {
    self.schema = Self.schema
    self.name = name
    self.title = title
    self.limits = limits
    self.tolerances = tolerances
  }

  /// The format version that a profile must name to be read.
  public static let schema = "swiftwing-profile/1"

  /// Returns the limit that names the metric, or else the first limit whose pattern matches it.
  public func limit(on metric: String) -> Limit? {
    limits.first { $0.metric == metric } ?? limits.first { MetricPattern($0.metric).fits(metric) }
  }

  /// Returns the tolerance of a metric: how large a change between two runs must be to matter.
  public func tolerance(for metric: String, in unit: MeasurementUnit) -> Tolerance {
    let named = tolerances.first { $0.metric.map { MetricPattern($0).fits(metric) } ?? false }
    let ofUnit = tolerances.first { $0.metric == nil && $0.unit == unit }
    let general = tolerances.first { $0.metric == nil && $0.unit == nil }
    return (named ?? ofUnit ?? general)?.tolerance ?? Tolerance()
  }
}

/// The figure of the samples that a limit applies to.
public enum Statistic: String, Sendable, Codable, CaseIterable {
  /// The median.
  case p50
  /// The 90th percentile: nine of ten samples are at most this.
  case p90
  /// The 99th percentile: 99 of 100 samples are at most this.
  case p99
  /// The greatest sample.
  case max
  /// The least sample.
  case min
  /// The arithmetic mean.
  case mean
  /// The number of samples.
  case count
  /// Every sample must obey. The figure shown is the worst sample.
  case each
}

/// The relation that a figure must have to its limit.
public enum Relation: String, Sendable, Codable, CaseIterable {
  /// The figure is at most the limit.
  case atMost = "<="
  /// The figure is below the limit.
  case below = "<"
  /// The figure is at least the limit.
  case atLeast = ">="
  /// The figure is above the limit.
  case above = ">"
  /// The figure equals the limit.
  case equal = "=="

  /// Returns whether a figure obeys a limit.
  public func holds(_ figure: Double, _ limit: Double) -> Bool {
    switch self {
    case .atMost: figure <= limit
    case .below: figure < limit
    case .atLeast: figure >= limit
    case .above: figure > limit
    case .equal: figure == limit
    }
  }

  /// The sign as printed, such as `≤`.
  public var sign: String {
    switch self {
    case .atMost: "≤"
    case .below: "<"
    case .atLeast: "≥"
    case .above: ">"
    case .equal: "="
    }
  }
}

/// A limit on one metric: `statistic op value + factor · median of reference`, or for a metric measured in turns with its reference,
/// `statistic of (sample - factor · its pair) op value`.
public struct Limit: Sendable, Hashable, Codable {
  /// Another metric of the same scenario that the limit depends on, such as the frame interval of the source.
  public struct Reference: Sendable, Hashable, Codable {
    /// Id of a metric of the same scenario.
    public var metric: String
    /// Factor for the median of the metric, or for each of its samples. Default is 1.
    public var factor: Double
    /// True if the two metrics are measured in turns, so that the load of the machine affects both. The limit then applies to the differences of
    /// sample and reference, pair by pair, in the order in which they were taken. A reference with one sample, such as the frame interval of a
    /// recording, is paired with every sample. Nil to use the median.
    public var paired: Bool?

    /// Creates a reference: the median of `metric`, or each of its samples, times `factor`.
    public init(metric: String, factor: Double = 1, paired: Bool? = nil) {
      self.metric = metric
      self.factor = factor
      self.paired = paired
    }
  }

  /// The id of a metric, or a pattern in which `*` matches one part between dots: `photo.*.time`.
  public var metric: String
  /// The figure of the samples that must obey.
  public var statistic: Statistic
  /// The relation of the figure to the limit.
  public var op: Relation
  /// The bound, in `unit`.
  public var value: Double
  /// Unit of `value`, and of the metric.
  public var unit: MeasurementUnit
  /// The requirement that the limit belongs to. Reports link to its explanation.
  public var requirement: RequirementID
  /// The origin of the number.
  public var source: String
  /// Another metric of the scenario: its median times `factor` is added to `value`. If it is paired, the limit applies to differences instead.
  public var reference: Reference?
  /// Minimum number of samples for a verdict; with fewer, the metric is inconclusive. Nil for 1.
  public var minimumCount: Int?
  /// The scenario that must report the metric: if the scenario runs without reporting it, the scenario fails.
  public var scenario: String?

  /// Creates a limit. Without `reference` and `minimumCount`, the limit is a plain number, and one sample suffices.
  public init(
    metric: String, statistic: Statistic, op: Relation, value: Double, unit: MeasurementUnit,
    requirement: RequirementID, source: String, reference: Reference? = nil, minimumCount: Int? = nil,
    scenario: String? = nil
  ) {
    self.metric = metric
    self.statistic = statistic
    self.op = op
    self.value = value
    self.unit = unit
    self.requirement = requirement
    self.source = source
    self.reference = reference
    self.minimumCount = minimumCount
    self.scenario = scenario
  }
}

/// The size of a change between two builds that matters.
public struct Tolerance: Sendable, Hashable, Codable {
  /// For two builds that take turns: a change up to this share of the base's median does not matter.
  public var relative: Double
  /// A change up to this amount, in the metric's unit, does not matter either, in any kind of comparison.
  public var absolute: Double
  /// Against a stored baseline: a change up to this share of the baseline's median does not count. The load of the machine differs between
  /// sessions, so this share is larger than `relative`. `scripts/calibrate` measures how large it must be.
  public var detectable: Double
  /// False for a metric that is compared and shown but does not decide, because another metric says the same with less noise.
  public var decides: Bool?
  /// Replaces `decides` if both builds run at once (`Scenario.isTimedByProcessor`): then a time is more precise than its ratio to a routine that ran
  /// at another moment.
  public var decidesAtOnce: Bool?

  /// Creates a tolerance. The defaults apply to metrics that no rule names.
  public init(
    relative: Double = 0.05, absolute: Double = 0, detectable: Double = 0.3, decides: Bool? = nil,
    decidesAtOnce: Bool? = nil
  ) {
    self.relative = relative
    self.absolute = absolute
    self.detectable = detectable
    self.decides = decides
    self.decidesAtOnce = decidesAtOnce
  }
}

/// A tolerance, and the metrics that it applies to.
public struct ToleranceRule: Sendable, Hashable, Codable {
  /// The id of a metric, or a pattern. Nil for any metric.
  public var metric: String?
  /// Unit of the metrics. Nil for any unit. Ignored if `metric` is given.
  public var unit: MeasurementUnit?
  /// The tolerance of these metrics.
  public var tolerance: Tolerance

  /// Creates a rule. A rule with neither metric nor unit applies to all metrics that no other rule names.
  public init(metric: String? = nil, unit: MeasurementUnit? = nil, tolerance: Tolerance) {
    self.metric = metric
    self.unit = unit
    self.tolerance = tolerance
  }
}
