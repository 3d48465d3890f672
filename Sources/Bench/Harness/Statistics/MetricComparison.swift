/// One metric against its baseline, or against the build that took turns with it.
public struct MetricComparison: Sendable, Hashable, Codable {
  /// The method that decided the verdict. This enumeration is closed.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Both builds took turns. Wilcoxon's signed-rank interval of the changes within pairs lies beyond the tolerance, within it, or across its edge.
    case pairs
    /// The baseline is stored. The changes against each of its runs lie beyond the tolerance, within it, or across its edge.
    case runs
    /// The metric is counted. A change of more than the tolerance counts.
    case counted
    /// The metric is the same in every run of one build. Any sample that differs is a change.
    case exact
  }

  /// Nil if nothing was compared.
  public var method: Method?
  /// The base's figure, in the metric's unit: the median over its runs. Nil if it has none.
  public var p50: Double?
  /// The estimate of new ÷ base. Nil if a ratio has no meaning.
  public var ratio: Double?
  /// New − base in the metric's unit, for figures of 0 or below, which have no meaningful ratio. Nil otherwise.
  public var difference: Double?
  /// The interval of the ratio, or of the difference if there is no ratio: its lower and upper end. Nil if there are too few pairs.
  public var interval: [Double]?
  /// The range of changes that do not matter, as ratio or difference like `interval`: its lower and upper end.
  public var tolerance: [Double]?
  /// The confidence of the interval, 0...1. Nil if the interval is a range rather than a confidence interval.
  public var confidence: Double?
  /// The figures of the base's runs, in the metric's unit. For the method `pairs`, in the order of the pairs.
  public var base: [Double]?
  /// The figures of the new build's runs, in the same unit and order.
  public var new: [Double]?
  /// The same test on a high percentile, if a limit applies to one and both builds took turns.
  public var tail: Tail?
  /// The number of differing samples of a metric that is the same in every run of one build. Nil if none differs, and for other metrics.
  public var differing: Int?
  /// For a counted metric, the functions that account for the change, the most important one first. Nil if none changed.
  public var functions: [FunctionChange]?
  /// For a counted metric that changed, the tree of calls with the change of each. Nil if it is not known.
  public var calls: [CallFrame]?
  /// `regressed`, `improved`, `unchanged`, or another verdict that says why it cannot be decided.
  public var verdict: Verdict
  /// The measured figures, and what they were compared with.
  public var reason: String
  /// A sentence about what would have changed the verdict.
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

  /// Returns the change in a few words: `+31 %`, or if only the tail regressed, the change of the tail.
  func change(_ unit: MeasurementUnit) -> String {
    if isByTail, let tail { return "p\(tail.percentile) \(Figure.change(tail.ratio))" }
    if let differing { return "\(differing) \(differing == 1 ? "sample differs" : "samples differ")" }
    if let difference { return difference == 0 ? "" : Figure.signed(difference, unit) }
    return ratio.map { Figure.change($0) } ?? ""
  }
}

/// A test of a high percentile, pair by pair.
public struct Tail: Sendable, Hashable, Codable {
  /// The percentile: 90, or 10 if higher is better.
  public var percentile: Int
  /// The estimate of new ÷ base. Nil if a ratio has no meaning.
  public var ratio: Double?
  /// The interval of the ratio. Nil if there are too few pairs, or no ratio.
  public var interval: [Double]?
  /// The ratios that do not matter: within four tolerances.
  public var tolerance: [Double]
  /// The confidence of the interval, 0...1.
  public var confidence: Double?
  /// The verdict on the tail alone. `inconclusive` does not make the metric inconclusive.
  public var verdict: Verdict
  /// Whether the tail decided the verdict on the metric, because the median did not regress.
  public var decided: Bool
}

/// The baseline of a run, and the result of comparing the run with it.
public struct BaselineSummary: Sendable, Hashable, Codable {
  /// The time at which the baseline was measured, ISO 8601 in UTC.
  public var started: String
  /// The commit of the baseline's build.
  public var commit: String
  /// The number of stored runs of the baseline, or the largest number of turns of a scenario. Nil for one.
  public var runs: Int?
  /// True if both builds took turns in one session. Nil for a stored baseline.
  public var interleaved: Bool?
  /// The worst verdict of all metrics, or `incomparable` if the runs were not made alike.
  public var verdict: Verdict
  /// One sentence. A second one if only a part was compared.
  public var reason: String
}
