package import Harness

/// What became of every metric over the runs of a history: its levels, where they changed, and at which commit.
///
/// Runs are compared only within a *setting*: one machine, source, format, profile and duration.
package struct Trend: Sendable, Codable, Equatable {
  /// Which version of the format a trend names.
  package static let schema = "swiftwing-trend/1"

  /// `swiftwing-trend/1`.
  package var schema = Trend.schema
  /// `regressed`, `inconclusive`, or `unchanged`: of the metrics that decide.
  package var verdict: Verdict
  /// A sentence for each reason of the verdict, the first for the whole.
  package var reason: String
  /// That of the newest run first.
  package var settings: [SettingTrend]

  /// What `swiftwing report trend` exits with.
  package var exitStatus: ExitStatus { verdict.exitStatus }
}

/// The runs of one machine on one source.
package struct SettingTrend: Sendable, Codable, Equatable {
  /// One of the runs, in the order in which they began.
  package struct Run: Sendable, Codable, Equatable {
    /// ISO 8601, UTC.
    package var started: String
    /// Of the sources that the measured build is of.
    package var commit: String
    /// The run's own verdict.
    package var verdict: Verdict
  }

  /// The machine, in words.
  package var fingerprint: String
  /// What was measured.
  package var source: String
  /// Such as `MJPG 1280×720 30 fps`; empty for several.
  package var format: String
  /// The profile's name.
  package var profile: String
  /// How long a run was to take.
  package var duration: String
  /// True when it has given no run for ``TrendReading/retirement`` days before the newest of the history: it is shown and decides nothing.
  package var isRetired: Bool
  /// The probability at which a change counts: 1 % shared among the series that decide (Bonferroni).
  package var level: Double
  /// Ascending by time.
  package var runs: [Run]
  /// Those that changed first, then by name.
  package var series: [Series]
}

/// One figure of a metric over the runs of a setting.
package struct Series: Sendable, Codable, Equatable {
  /// The figure of one run.
  package struct Point: Sendable, Codable, Equatable {
    /// Which of the setting's runs.
    package var run: Int
    /// In the series' unit.
    package var value: Double
    /// Nine of ten samples are at least this.
    package var low: Double?
    /// Nine of ten samples are at most this.
    package var high: Double?
    /// Samples of the run.
    package var count: Int
  }

  /// The metric's id.
  package var metric: String
  /// The scenario that measures it.
  package var scenario: String
  /// A few words for a reader.
  package var title: String
  /// Of all values.
  package var unit: MeasurementUnit
  /// Which way is better.
  package var polarity: Polarity
  /// Why two runs of one build may differ; nil where old reports do not say.
  package var kind: MetricKind?
  /// `p50`, or `p90` where the profile limits a tail.
  package var statistic: Statistic
  /// The profile asks something of it: the trend decides by it.
  package var decides: Bool
  /// The limit of the newest run, if it binds this figure.
  package var limit: Double?
  /// How large a change matters.
  package var tolerance: Tolerance
  /// One for each run that has the metric.
  package var points: [Point]
  /// Ascending.
  package var changes: [ChangePoint]
  /// `regressed` or `improved` by the last change if that is recent; `unchanged`; or `inconclusive`.
  package var verdict: Verdict
  /// One sentence.
  package var reason: String
}

/// Where a figure changed its level.
package struct ChangePoint: Sendable, Codable, Equatable {
  /// Which of the setting's runs is the first at the new level.
  package var run: Int
  /// When it began.
  package var started: String
  /// Of that run.
  package var commit: String
  /// Of the last run at the level before.
  package var before: String
  /// Commits that it may have come with, at 95 % confidence, the most probable first; empty when the runs before and after every place at
  /// which it may lie are of one commit: then it was not the build that changed.
  package var candidates: [String]
  /// The level before: a median of runs.
  package var from: Double
  /// The level after.
  package var to: Double
  /// The new level ÷ the old one; nil where one is not above 0.
  package var ratio: Double?
  /// 99 % interval of the ratio, or where there is none of the difference; nil for an exact metric.
  package var interval: [Double]?
  /// That it is no chance: 1 less the probability of so sure a change in any metric that decides.
  package var confidence: Double
  /// `regressed` or `improved` when it surely lies beyond the tolerance, `unchanged` when it surely does not, else `inconclusive`.
  package var verdict: Verdict
  /// It lies among the last ``TrendReading/recent`` runs.
  package var isRecent: Bool
}
