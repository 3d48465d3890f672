extension MetricComparison {
  /// Creates the result of a test of pairs, in figures and in words.
  init(_ test: PairedTest, _ result: PairedTest.Result) {
    let (was, now) = (Summary(test.base)?.median, Summary(test.new)?.median)
    self.init(
      method: .pairs, p50: was, verdict: result.verdict,
      reason: "\(Figure.text(now, test.unit)), was \(Figure.text(was, test.unit)): \(test.words(result))")
    if let estimate = result.estimate {
      if test.range.scale == .ratio {
        ratio = test.range.shown(estimate)
      } else {
        difference = test.range.shown(estimate)
      }
    }
    interval = result.interval.map { test.range.shown($0) }
    confidence = result.confidence
    tolerance = test.range.shown
    base = test.base
    new = test.new
    otherwise = result.otherwise
  }

  /// Adds the result of the same test on a high percentile. A tail can only make a metric regressed: it varies more than the median, so an
  /// undecided tail does not put the other results in doubt.
  mutating func take(_ test: PairedTest, _ result: PairedTest.Result, percentile: Int) {
    guard test.range.scale == .ratio else { return }
    tail = Tail(
      percentile: percentile, ratio: result.estimate.map { test.range.shown($0) },
      interval: result.interval.map { test.range.shown($0) }, tolerance: test.range.shown,
      confidence: result.confidence, verdict: result.verdict,
      decided: result.verdict == .regressed && verdict != .regressed)
    guard isByTailOnly else { return }
    verdict = .regressed
    reason = "p\(percentile) \(test.words(result)); median \(reason)"
    otherwise = result.otherwise
  }

  private var isByTailOnly: Bool { tail?.decided == true }
}

extension PairedTest {
  /// Returns a result in words, such as `+31 % in 14 pairs (99.97 % interval +28 % to +33 %); a change counts beyond +2.0 %`.
  func words(_ result: Result) -> String {
    let pairs = base.count == 1 ? "1 pair" : "\(base.count) pairs"
    guard let estimate = result.estimate else { return "no pair has samples of both" }
    var text = "\(change(estimate)) in \(pairs)"
    if let interval = result.interval, let confidence = result.confidence {
      let ends = [interval.low, interval.high].map(change)
      text += " (\(Figure.confidence(confidence)) interval \(ends[0]) to \(ends[1]))"
    }
    return text + "; a change counts beyond \(change(range.worse))"
  }

  private func change(_ cost: Double) -> String {
    range.scale == .ratio ? Figure.change(range.shown(cost)) : Figure.signed(range.shown(cost), unit)
  }
}
