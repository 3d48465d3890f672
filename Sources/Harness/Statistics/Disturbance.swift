/// What other programs took of the processors while two runs of a scenario were made.
struct Disturbance {
  /// Parts of all processors, 0...1; nil when not known.
  var base: Double?
  var new: Double?

  /// Less than this more says nothing: two runs of a quiet machine differ as much.
  static let least = 0.1

  /// By how much more of the processors was taken during the new run.
  var growth: Double { new.map { max(0, $0 - (base ?? 0)) } ?? 0 }

  /// What would have regressed while others took so much that it may be theirs is in doubt. They are granted at most twice what
  /// they took more, or as much as a wait for the processor is: four times the absolute tolerance.
  func excuse(_ comparison: inout MetricComparison, of new: MetricReport) {
    guard growth >= Self.least, comparison.verdict == .regressed || comparison.cause == .drift else { return }
    if comparison.cause == .median, let claim = comparison.interval, let was = comparison.p50, was > 0 {
      let least = new.polarity == .higherIsBetter ? 1 / claim[1] : claim[0]
      guard least <= 1 + max(2 * growth, 4 * new.tolerance.absolute / was) else { return }
    }
    comparison.verdict = .inconclusive
    comparison.disturbed = true
    comparison.reason +=
      "; other programs took \(Self.percent(self.new)) of the processors meanwhile, \(Self.percent(base)) during the baseline"
  }

  private static func percent(_ share: Double?) -> String {
    share.map { Figure.percent($0) } ?? "an unknown part"
  }
}
