/// One metric against its baseline.
public struct MetricComparison: Sendable, Hashable, Codable {
  /// The baseline's median, in the metric's unit; nil when it had none.
  public var p50: Double?
  /// This run's median ÷ the baseline's; nil when that is not above 0.
  public var ratio: Double?
  /// 99 % bootstrap interval of the ratio.
  public var interval: [Double]?
  /// The part of the median by which runs of the same build were seen to differ.
  public var noise: Double
  /// The ratio of the re-run, when a regression was suspected.
  public var rerunRatio: Double?
  public var verdict: Verdict
  /// One sentence.
  public var reason: String
}

/// What the run was compared with.
public struct BaselineSummary: Sendable, Hashable, Codable {
  public var started: String
  public var commit: String
  /// The worst over the metrics, or `incomparable` when the runs were not made alike.
  public var verdict: Verdict
  /// One sentence.
  public var reason: String
}
