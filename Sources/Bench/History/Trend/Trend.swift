package import Harness

/// The course of every metric over the runs of a history: its levels, their changes, and the commits of the changes.
///
/// Runs are compared only within a *setting*: one machine, source, format, profile and duration.
package struct Trend: Sendable, Codable, Equatable {
  /// The format version that a trend names.
  package static let schema = "swiftwing-trend/1"

  /// The schema, `swiftwing-trend/1`.
  package var schema = Trend.schema
  /// The verdict of the deciding metrics: `regressed`, `inconclusive`, or `unchanged`.
  package var verdict: Verdict
  /// The reason for the verdict, in sentences; the first one sums up.
  package var reason: String
  /// The settings, that of the newest run first.
  package var settings: [SettingTrend]

  /// The exit status of `swiftwing report trend`.
  package var exitStatus: ExitStatus { verdict.exitStatus }
}

/// The runs of one setting.
package struct SettingTrend: Sendable, Codable, Equatable {
  /// A run. Runs are ordered by their start.
  package struct Run: Sendable, Codable, Equatable {
    /// Start of the run, ISO 8601 in UTC.
    package var started: String
    /// The commit of the measured build's sources.
    package var commit: String
    package var verdict: Verdict
  }

  /// The machine, in words.
  package var fingerprint: String
  package var source: String
  /// The format, such as `MJPG 1280×720 30 fps`. Empty for several formats.
  package var format: String
  package var profile: String
  /// The duration class of the runs.
  package var duration: String
  /// Whether the setting had no run in the last ``TrendReading/retirement`` days before the newest run of the history. A retired setting is shown,
  /// but does not count in the verdict.
  package var isRetired: Bool
  /// The probability at or below which a change counts: 1 % shared among the deciding series (Bonferroni).
  package var level: Double
  /// The runs, ascending by time.
  package var runs: [Run]
  /// The series: first those that need attention, then those that changed, then the others, each group by name.
  package var series: [Series]
}

/// A figure of a metric over the runs of a setting.
package struct Series: Sendable, Codable, Equatable {
  /// The figure of a run.
  package struct Point: Sendable, Codable, Equatable {
    /// Index of the run in the setting.
    package var run: Int
    /// The value, in the unit of the series.
    package var value: Double
    /// The 10th percentile: nine of ten samples are at least this.
    package var low: Double?
    /// The 90th percentile: nine of ten samples are at most this.
    package var high: Double?
    /// Number of samples of the run.
    package var count: Int
  }

  package var metric: String
  package var scenario: String
  /// Title for the reader, a few words.
  package var title: String
  package var unit: MeasurementUnit
  /// The direction in which the figure is better.
  package var polarity: Polarity
  /// Why two runs of one build may differ. Nil if old reports do not say.
  package var kind: MetricKind?
  /// The statistic: `p50`, or `p90` if the profile limits a tail.
  package var statistic: Statistic
  /// Whether the trend decides by the metric.
  package var decides: Bool
  /// The limit in the newest run, if it applies to this statistic. Nil otherwise.
  package var limit: Double?
  /// The size of a change that matters.
  package var tolerance: Tolerance
  /// The points, one for each run that has the metric.
  package var points: [Point]
  /// The changes, ascending by run.
  package var changes: [ChangePoint]
  /// `regressed` or `improved` by the last change if it is recent, else `unchanged` or `inconclusive`.
  package var verdict: Verdict
  package var reason: String
}

/// A change of a figure's level.
package struct ChangePoint: Sendable, Codable, Equatable {
  /// Index of the first run at the new level.
  package var run: Int
  /// Start of that run.
  package var started: String
  /// The commit of that run.
  package var commit: String
  /// The commit of the last run at the old level.
  package var before: String
  /// The commits that may have caused the change, at 95 % confidence, the most probable first. Empty if the runs around every possible
  /// place are of one commit: then the build did not change.
  package var candidates: [String]
  /// The old level: a median over runs.
  package var from: Double
  /// The new level.
  package var to: Double
  /// The new level ÷ the old level. Nil if a level is not above 0.
  package var ratio: Double?
  /// 99 % interval of the ratio, or of the difference if there is no ratio. Nil for an exact metric.
  package var interval: [Double]?
  /// The confidence that the change is not due to chance: 1 minus the probability that chance alone makes a change like this in any
  /// deciding metric.
  package var confidence: Double
  /// `regressed` or `improved` if the change is certainly beyond the tolerance, `unchanged` if certainly within it, else `inconclusive`.
  package var verdict: Verdict
  /// Whether the change lies among the last ``TrendReading/recent`` runs.
  package var isRecent: Bool
}
