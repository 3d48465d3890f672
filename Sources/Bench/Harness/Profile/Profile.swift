/// What is asked of an engine: limits on metrics, and how large a change between two runs matters. Committed data, not code.
public struct Profile: Sendable, Hashable, Codable {
  /// `swiftwing-profile/1`.
  public var schema: String
  /// As it is asked for: `--profile NAME`.
  public var name: String
  /// One sentence for the reader.
  public var title: String
  /// At most one a metric.
  public var limits: [Limit]
  /// The first that names the metric holds; else the first that names its unit; else the one that names neither.
  public var tolerances: [ToleranceRule]

  /// A profile of your own. Without tolerances each metric has those of `Tolerance()`.
  public init(name: String, title: String, limits: [Limit], tolerances: [ToleranceRule] = []) {
    self.schema = Self.schema
    self.name = name
    self.title = title
    self.limits = limits
    self.tolerances = tolerances
  }

  /// Which version of the format a profile must name to be read.
  public static let schema = "swiftwing-profile/1"

  /// The limit that names the metric, or else the first whose pattern it fits.
  public func limit(on metric: String) -> Limit? {
    limits.first { $0.metric == metric } ?? limits.first { MetricPattern($0.metric).fits(metric) }
  }

  /// How large a change of the metric between two runs matters.
  public func tolerance(for metric: String, in unit: MeasurementUnit) -> Tolerance {
    let named = tolerances.first { $0.metric.map { MetricPattern($0).fits(metric) } ?? false }
    let ofUnit = tolerances.first { $0.metric == nil && $0.unit == unit }
    let general = tolerances.first { $0.metric == nil && $0.unit == nil }
    return (named ?? ofUnit ?? general)?.tolerance ?? Tolerance()
  }
}

/// Which figure of the samples a limit is about.
public enum Statistic: String, Sendable, Codable, CaseIterable {
  /// The median.
  case p50
  /// Nine of ten samples are at most this.
  case p90
  /// 99 of 100 samples are at most this.
  case p99
  /// The greatest sample.
  case max
  /// The least sample.
  case min
  /// The arithmetic mean.
  case mean
  /// How many samples there are.
  case count
  /// Every sample must obey; the figure shown is the worst of them.
  case each
}

/// How the figure must stand to the limit.
public enum Relation: String, Sendable, Codable, CaseIterable {
  /// The limit itself obeys.
  case atMost = "<="
  /// The limit itself does not obey.
  case below = "<"
  /// The limit itself obeys.
  case atLeast = ">="
  /// The limit itself does not obey.
  case above = ">"
  /// Only the limit itself obeys.
  case equal = "=="

  /// Whether a figure obeys a limit.
  public func holds(_ figure: Double, _ limit: Double) -> Bool {
    switch self {
    case .atMost: figure <= limit
    case .below: figure < limit
    case .atLeast: figure >= limit
    case .above: figure > limit
    case .equal: figure == limit
    }
  }

  /// As printed: `≤`.
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

/// One thing asked of one metric: `statistic op value + factor · median of reference`, or where the two were measured by turns,
/// `statistic of (sample - factor · its pair) op value`.
public struct Limit: Sendable, Hashable, Codable {
  /// A limit that moves with another metric of the same scenario, such as the interval of the source's frames.
  public struct Reference: Sendable, Hashable, Codable {
    /// Id of a metric of the same scenario.
    public var metric: String
    /// What its median, or each of its samples, is multiplied by. Default is 1.
    public var factor: Double
    /// True where the two are measured by turns, so that what the machine does happens to both: the limit then binds the differences of
    /// sample and reference, pair by pair, in the order in which they were taken. A reference of one sample, such as a recording's frame
    /// interval, is the pair of every sample. Nil for the median.
    public var paired: Bool?

    /// The other metric's median, or each of its samples, times `factor`.
    public init(metric: String, factor: Double = 1, paired: Bool? = nil) {
      self.metric = metric
      self.factor = factor
      self.paired = paired
    }
  }

  /// A metric's id, or a pattern in which `*` stands for one part between dots: `photo.*.time`.
  public var metric: String
  /// Which figure of the samples must obey.
  public var statistic: Statistic
  /// How it must stand to the limit.
  public var op: Relation
  /// In `unit`.
  public var value: Double
  /// That of `value`, and of the metric.
  public var unit: MeasurementUnit
  /// Whose limit it is; reports link to its explanation.
  public var requirement: RequirementID
  /// Where the number comes from.
  public var source: String
  /// Added to `value`.
  public var reference: Reference?
  /// Fewer samples than this are inconclusive; 1 when nil.
  public var minimumCount: Int?
  /// When this scenario runs and does not report the metric, it fails.
  public var scenario: String?

  /// A limit. Where neither `reference` nor `minimumCount` is given, it is a plain number that one sample is enough for.
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

/// How large a change between two builds matters.
public struct Tolerance: Sendable, Hashable, Codable {
  /// Of two builds that take turns: a change up to this part of the base's median does not matter.
  public var relative: Double
  /// A change up to this, in the metric's unit, does not matter either, whatever it is compared with.
  public var absolute: Double
  /// Against a stored baseline: a change up to this part of its median is none. Sessions differ by what the machine does, so this is
  /// larger than `relative`: how much, is measured (`scripts/calibrate`).
  public var detectable: Double
  /// False for a metric that is compared and shown but decides nothing, because another metric says the same with less noise.
  public var decides: Bool?
  /// Where both builds run at once (`Scenario.isTimedByProcessor`), this stands in place of `decides`: there, a time tells more than its
  /// ratio to a routine that ran at another moment.
  public var decidesAtOnce: Bool?

  /// Defaults are those of a metric that no rule names.
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

/// A tolerance and the metrics it is for.
public struct ToleranceRule: Sendable, Hashable, Codable {
  /// A metric's id, or a pattern; nil for any metric.
  public var metric: String?
  /// Metrics in this unit; nil for any unit. It does not count where `metric` is given.
  public var unit: MeasurementUnit?
  /// What holds for them.
  public var tolerance: Tolerance

  /// A rule; one with neither metric nor unit is for all that no other names.
  public init(metric: String? = nil, unit: MeasurementUnit? = nil, tolerance: Tolerance) {
    self.metric = metric
    self.unit = unit
    self.tolerance = tolerance
  }
}
