extension MetricComparator {
  /// The same build gives the same samples: whatever differs is a change. It is for the better or the worse by the mean, and for the
  /// worse where that cannot be said: where samples are missing, or only moved.
  func exact(_ base: MetricReport, _ new: MetricReport) -> MetricComparison {
    let differing =
      zip(base.samples, new.samples).count { $0 != $1 } + abs(base.samples.count - new.samples.count)
    var comparison = MetricComparison(
      p50: base.p50, ratio: ratio(new.p50 ?? 0, base.p50 ?? 0), noise: 0, verdict: .unchanged,
      reason: "all \(new.count) samples are the same")
    guard differing > 0 || base.count != new.count else { return comparison }
    comparison.cause = .exact
    comparison.differing = max(1, differing)
    comparison.verdict = isBetter(base, new) ? .improved : .regressed
    comparison.reason =
      "\(max(1, differing)) of \(max(base.count, new.count)) samples differ, and one build gives the same to the last bit: "
      + "mean \(Figure.text(new.mean, new.unit)), was \(Figure.text(base.mean, base.unit))"
    return comparison
  }

  private func isBetter(_ base: MetricReport, _ new: MetricReport) -> Bool {
    guard base.count == new.count, let was = base.mean, let now = new.mean else { return false }
    return new.polarity.worsening(from: was, to: now) < 0
  }
}
