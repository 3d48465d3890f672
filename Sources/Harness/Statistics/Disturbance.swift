/// What other programs took of the processors while two runs of a scenario were made.
struct Disturbance {
  /// Parts of all processors, 0...1; nil when not known.
  var base: Double?
  var new: Double?

  /// A smaller difference between the runs means nothing: two runs on a quiet machine differ as much.
  static let least = 0.1

  /// The part of the additional share that other programs are granted as an excuse. Beside compilers that took up to 95 %, launches
  /// were at most 8 % slower, and frames no later by the median.
  static let granted = 0.25

  /// Corrects a verdict by what other programs took. A regression becomes inconclusive if others took enough more to be its cause. An
  /// improvement becomes `unchanged` if they took less, or more. Others are granted a quarter of their additional share,
  /// which never hides a change of a third, or four times the absolute tolerance, which is as long as a wait for the processor.
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

  /// True when that explains the change. It always may explain tails and drifts, whose size under load is not known.
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
