/// One metric against its baseline.
public struct MetricComparison: Sendable, Hashable, Codable {
  /// What a verdict other than `unchanged` rests on.
  public enum Cause: String, Sendable, Hashable, Codable, CaseIterable {
    /// The medians differ by more than noise explains.
    case median
    /// More samples far out.
    case tail
    /// The run grew worse while it ran.
    case drift
    /// A metric that should be the same in every run of one build differs.
    case exact
  }

  /// The baseline's median, in the metric's unit; nil when it had none.
  public var p50: Double?
  /// This run's median ÷ the baseline's; nil when that is not above 0.
  public var ratio: Double?
  /// 99 % bootstrap interval of the ratio.
  public var interval: [Double]?
  /// The part of the median by which runs of the same build were seen to differ.
  public var noise: Double
  /// The samples far out; nil where there are too few samples to compare.
  public var tail: Tail?
  /// The second half's median ÷ the first's, where the run grew worse by more than tolerance and the baseline.
  public var drift: Double?
  /// nil when nothing stands out.
  public var cause: Cause?
  /// Of a metric that is the same in every run of one build: the samples that differ; nil for none.
  public var differing: Int?
  /// Other programs took more of the processors than during the baseline, so that what is worse may be theirs.
  public var disturbed: Bool?
  /// The ratio of the re-run, when a regression was suspected.
  public var rerunRatio: Double?
  /// `regressed`, `improved`, `unchanged`, or why it cannot be told.
  public var verdict: Verdict
  /// One sentence.
  public var reason: String

  init(
    p50: Double?, ratio: Double? = nil, interval: [Double]? = nil, noise: Double, cause: Cause? = nil,
    verdict: Verdict, reason: String
  ) {
    self.p50 = p50
    self.ratio = ratio
    self.interval = interval
    self.noise = noise
    self.cause = cause
    self.verdict = verdict
    self.reason = reason
  }

  init(incomparable reason: String, p50: Double?) {
    self.init(p50: p50, noise: 0, verdict: .incomparable, reason: reason)
  }

  /// What changed, in a few words: `+31 %`, or what became of the tail.
  func change(_ unit: MeasurementUnit) -> String {
    switch cause {
    case .tail: tail?.words(unit) ?? "tail"
    case .drift: "drift: the second half \(Figure.change(drift)) over the first"
    case .exact: "\(differing ?? 0) \(differing == 1 ? "sample differs" : "samples differ")"
    case .median, nil: ratio.map { Figure.change($0) } ?? ""
    }
  }
}

extension Tail {
  /// `tail: 5.1 % of the samples beyond 35.6 ms, were 0 %`.
  func words(_ unit: MeasurementUnit) -> String {
    "tail: \(Figure.percent(new)) of the samples beyond \(Figure.text(threshold, unit)), \(Figure.percent(base)) in the baseline"
  }
}

/// What the run was compared with.
public struct BaselineSummary: Sendable, Hashable, Codable {
  /// When the baseline was measured, ISO 8601 in UTC.
  public var started: String
  /// Of the build that the baseline is of.
  public var commit: String
  /// The worst over the metrics, or `incomparable` when the runs were not made alike.
  public var verdict: Verdict
  /// A sentence, and another where only a part was compared.
  public var reason: String
}
