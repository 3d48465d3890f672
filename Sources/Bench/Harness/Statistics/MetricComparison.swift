/// One metric compared with its baseline, or with the build that took turns with it.
public struct MetricComparison: Sendable, Hashable, Codable {
  /// The method that a verdict is based on. This enumeration is closed.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Runs of both builds by turns. The interval of the changes within pairs, by Wilcoxon's signed-rank
    /// test, lies beyond the tolerance, within it, or across its edge.
    case pairs
    /// Stored runs. The changes against each of them lie beyond the tolerance, within it, or across its edge.
    case runs
    /// A count, compared without a test: a difference larger than the tolerance is a change.
    case counted
    /// A metric whose samples are the same in every run of one build: any sample that differs is a change.
    case exact
  }

  /// Nil if nothing was compared.
  public var method: Method?
  /// The base's figure, in the metric's unit: the median over its runs. Nil if the base has none.
  public var p50: Double?
  /// The estimate of new ÷ base. Nil if a ratio has no meaning.
  public var ratio: Double?
  /// The estimate of new − base in the metric's unit, if a figure is 0 or below and a ratio therefore has no
  /// meaning. Otherwise nil.
  public var difference: Double?
  /// The lower and the upper end of the interval of the ratio, or of the difference if there is no ratio. Nil
  /// for too few pairs.
  public var interval: [Double]?
  /// The lower and the upper end of the changes that do not matter, in the measure of `interval`.
  public var tolerance: [Double]?
  /// The confidence of the interval, 0...1. Nil if it is a range and not a confidence interval.
  public var confidence: Double?
  /// The figures of the base's runs, in the metric's unit. With `pairs`, in the order of the pairs.
  public var base: [Double]?
  /// The figures of the new build's runs, in the metric's unit. With `pairs`, in the order of the pairs.
  public var new: [Double]?
  /// The comparison of a high percentile, if a limit applies to a high percentile and both builds took turns.
  public var tail: Tail?
  /// The number of samples that differ, for an exact metric. Nil if none does.
  public var differing: Int?
  /// The functions that account for the change of a count, the largest change first. Nil if no function
  /// changed.
  public var functions: [FunctionChange]?
  /// The call tree of a count that changed, with the changes. Nil if the callers are unknown.
  public var calls: [CallFrame]?
  /// `regressed`, `improved` or `unchanged`; another verdict if there is no result, such as `inconclusive`.
  public var verdict: Verdict
  /// The measured change, and the tolerance that it was compared with.
  public var reason: String
  /// One sentence: the result that would have changed the verdict.
  public var otherwise: String?

  init(method: Method?, p50: Double?, ratio: Double? = nil, verdict: Verdict, reason: String) {
    self.method = method
    self.p50 = p50
    self.ratio = ratio
    self.verdict = verdict
    self.reason = reason
  }

  init(incomparable reason: String, p50: Double?) {
    self.init(method: nil, p50: p50, verdict: .incomparable, reason: reason)
  }

  /// Whether only the tail regressed.
  var isByTail: Bool { verdict == .regressed && tail?.verdict == .regressed && tail?.decided == true }

  /// The change in a few words, such as `+31 %`. The change of the tail if only the tail regressed.
  func change(_ unit: MeasurementUnit) -> String {
    if isByTail, let tail { return "p\(tail.percentile) \(Figure.change(tail.ratio))" }
    if let differing { return "\(differing) \(differing == 1 ? "sample differs" : "samples differ")" }
    if let difference { return difference == 0 ? "" : Figure.signed(difference, unit) }
    return ratio.map { Figure.change($0) } ?? ""
  }
}

/// A high percentile of both builds, compared pair by pair.
public struct Tail: Sendable, Hashable, Codable {
  /// The percentile: 90, or 10 if greater values are better.
  public var percentile: Int
  /// The estimate of new ÷ base. Nil if a ratio has no meaning.
  public var ratio: Double?
  /// The lower and the upper end of the interval of the ratio. Nil for too few pairs, or without a ratio.
  public var interval: [Double]?
  /// The lower and the upper end of the ratios that do not matter: four times the metric's tolerance.
  public var tolerance: [Double]
  /// The confidence of the interval, 0...1.
  public var confidence: Double?
  /// The verdict on the tail alone. An `inconclusive` tail does not make the metric inconclusive.
  public var verdict: Verdict
  /// Whether the metric has the verdict of its tail, because its median did not regress.
  public var decided: Bool
}

/// The baseline that the run was compared with.
public struct BaselineSummary: Sendable, Hashable, Codable {
  /// The time at which the baseline was measured, ISO 8601 in UTC.
  public var started: String
  /// The commit of the baseline's build.
  public var commit: String
  /// The number of runs that the run was compared with: stored runs, or the largest number of turns of a scenario. Nil for a single run.
  public var runs: Int?
  /// True if both builds took turns in one session. Nil for a stored baseline.
  public var interleaved: Bool?
  /// The worst verdict of the metrics, or `incomparable` if the runs had different settings.
  public var verdict: Verdict
  /// The reason in one sentence; a second sentence if only a part was compared.
  public var reason: String
}
