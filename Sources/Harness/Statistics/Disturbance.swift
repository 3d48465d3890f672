/// What other programs took of the processors while two runs of a scenario were made.
struct Disturbance {
  /// Parts of all processors, 0...1; nil when not known.
  var base: Double?
  var new: Double?

  /// Less than this more says nothing: two runs of a quiet machine differ as much.
  static let least = 0.1

  /// What others are granted of what they took more: beside compilers that took up to 95 %, launches were at most 8 % slower, and
  /// frames no later by the median.
  static let granted = 0.25

  /// What would have regressed while others took so much more that it may be theirs is in doubt, and what would have improved while
  /// they took less, or more, is no change. They are granted at most a quarter of that share, so that they never hide a change of a
  /// third, or as much as a wait for the processor is: four times the absolute tolerance.
  func excuse(_ comparison: inout MetricComparison, of metric: MetricReport) {
    let more = (new ?? 0) - (base ?? 0)
    guard abs(more) >= Self.least, new != nil else { return }
    let isWorse = comparison.verdict == .regressed || comparison.cause == .drift
    if more > 0, isWorse, grants(comparison, metric, more) {
      comparison.verdict = .inconclusive
      comparison.disturbed = true
    } else if comparison.verdict == .improved, grants(comparison, metric, abs(more)) {
      comparison.verdict = .unchanged
    } else {
      return
    }
    comparison.reason +=
      "; other programs took \(Self.percent(new)) of the processors meanwhile, \(Self.percent(base)) during the baseline"
  }

  /// True when so much explains the change. Of tails and drifts nobody can say how much they would be.
  private func grants(_ comparison: MetricComparison, _ metric: MetricReport, _ share: Double) -> Bool {
    guard comparison.cause == .median, let claim = comparison.interval, let was = comparison.p50, was > 0
    else {
      return true
    }
    let granted = 1 + max(Self.granted * share, 4 * metric.tolerance.absolute / was)
    // For figures where more is better the inverse ratio says how much worse.
    let worse = metric.polarity == .higherIsBetter ? [1 / claim[1], 1 / claim[0]] : claim
    return comparison.verdict == .improved ? worse[1] >= 1 / granted : worse[0] <= granted
  }

  private static func percent(_ share: Double?) -> String {
    share.map { Figure.percent($0) } ?? "an unknown part"
  }
}
