extension MetricComparison {
  /// Names a longer tail as the cause, if neither the median nor a drift explains the change. (A drift also puts more samples far out.)
  mutating func judgeTail(of base: MetricReport, _ new: MetricReport, noise: Double) {
    tail = TailTest(polarity: new.polarity, tolerance: new.tolerance, noise: noise)
      .compare(base.samples, new.samples)
    guard let tail, verdict != .regressed, cause != .drift, tail.surprise < TailTest.doubt else { return }
    let isClaimed = tail.surprise < TailTest.claim
    if !isClaimed, verdict == .inconclusive { return }
    verdict = isClaimed ? .regressed : .inconclusive
    cause = .tail
    reason = "\(tail.words(new.unit)) (p \(Figure.probability(tail.surprise))); median \(reason)"
  }

  /// A drift for the worse is in doubt until a second run shows it too.
  mutating func judgeDrift(of base: MetricReport, _ new: MetricReport) {
    let test = DriftTest(polarity: new.polarity, tolerated: new.tolerance.part(of: p50 ?? 0))
    guard verdict != .regressed, let drift = test.drift(base.samples, new.samples) else { return }
    self.drift = drift
    verdict = .inconclusive
    cause = .drift
    reason =
      "it grew worse while it ran: the second half is \(Figure.change(drift)) over the first; median \(reason)"
  }
}
