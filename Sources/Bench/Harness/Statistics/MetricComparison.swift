/// One metric against its baseline, or against the build that took turns with it.
public struct MetricComparison: Sendable, Hashable, Codable {
  /// What a verdict rests on. Closed.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Runs of both builds by turns: Wilcoxon's signed-rank interval of the changes within pairs lies beyond the tolerance, within, or
    /// across its edge.
    case pairs
    /// Runs that were stored: the changes against each of them lie beyond the tolerance, within, or across its edge.
    case runs
    /// What is counted, as it is: more of it than the tolerance is a change.
    case counted
    /// A metric that is the same in every run of one build: any sample that differs is a change.
    case exact
  }

  /// nil where nothing was compared.
  public var method: Method?
  /// The base's figure, in the metric's unit: the median over its runs; nil when it had none.
  public var p50: Double?
  /// New ÷ base, as estimated; nil where that has no meaning.
  public var ratio: Double?
  /// New − base in the metric's unit, where a figure is 0 or below and a ratio has no meaning; nil otherwise.
  public var difference: Double?
  /// Of the ratio, or of the difference where there is no ratio: the lower end and the upper; nil for too few pairs.
  public var interval: [Double]?
  /// What does not matter, in the same measure: the lower end and the upper.
  public var tolerance: [Double]?
  /// Of the interval, 0...1; nil where it is a range rather than a confidence interval.
  public var confidence: Double?
  /// The figures of the base's runs, in the metric's unit; with `pairs` in the order of the pairs.
  public var base: [Double]?
  /// The same of the new build.
  public var new: [Double]?
  /// The same test on a high percentile, where a limit is on one and both builds took turns.
  public var tail: Tail?
  /// Of a metric that is the same in every run of one build: the samples that differ; nil for none.
  public var differing: Int?
  /// Of what is counted: the functions that account for the change, the one that does most first; nil where none changed.
  public var functions: [FunctionChange]?
  /// Of what is counted and changed: who calls whom, and where the change is; nil where that is not known.
  public var calls: [CallFrame]?
  /// `regressed`, `improved`, `unchanged`, or why it cannot be told.
  public var verdict: Verdict
  /// What was seen, and what it was held against.
  public var reason: String
  /// One sentence: what would have changed the verdict.
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

  /// Only the tail regressed.
  var isByTail: Bool { verdict == .regressed && tail?.verdict == .regressed && tail?.decided == true }

  /// What changed, in a few words: `+31 %`, or what became of the tail.
  func change(_ unit: MeasurementUnit) -> String {
    if isByTail, let tail { return "p\(tail.percentile) \(Figure.change(tail.ratio))" }
    if let differing { return "\(differing) \(differing == 1 ? "sample differs" : "samples differ")" }
    if let difference { return difference == 0 ? "" : Figure.signed(difference, unit) }
    return ratio.map { Figure.change($0) } ?? ""
  }
}

/// A high percentile of both builds, pair by pair.
public struct Tail: Sendable, Hashable, Codable {
  /// Which: 90, or 10 where more is better.
  public var percentile: Int
  /// New ÷ base, as estimated; nil where that has no meaning.
  public var ratio: Double?
  /// Of the ratio; nil for too few pairs, or without a ratio.
  public var interval: [Double]?
  /// The ratios that do not matter: four tolerances.
  public var tolerance: [Double]
  /// Of the interval, 0...1.
  public var confidence: Double?
  /// By itself; `inconclusive` does not make the metric so.
  public var verdict: Verdict
  /// The metric's verdict is the tail's, because its median did not regress.
  public var decided: Bool
}

/// What the run was compared with.
public struct BaselineSummary: Sendable, Hashable, Codable {
  /// When the baseline was measured, ISO 8601 in UTC.
  public var started: String
  /// Of the build that the baseline is of.
  public var commit: String
  /// How many of its runs the run was compared with: stored ones, or turns of each scenario at most; nil for one.
  public var runs: Int?
  /// True when both builds took turns in one session; nil for a stored baseline.
  public var interleaved: Bool?
  /// The worst over the metrics, or `incomparable` when the runs were not made alike.
  public var verdict: Verdict
  /// A sentence, and another where only a part was compared.
  public var reason: String
}
