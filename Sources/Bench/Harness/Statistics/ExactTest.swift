/// The test of exact metrics: one build always gives the same samples, so any difference is a change. The
/// mean decides whether the change is an improvement. If the mean does not decide (samples are missing, or only
/// in another order), the change counts as a regression.
struct ExactTest {
  let base: MetricReport
  let new: MetricReport

  init(_ base: MetricReport, _ new: MetricReport) { (self.base, self.new) = (base, new) }

  var comparison: MetricComparison {
    let count = differing
    var found = MetricComparison(
      method: .exact, p50: base.p50, ratio: ratio, verdict: .unchanged,
      reason: "all \(new.count) samples are the same")
    found.otherwise = "One sample that differs would have changed it."
    guard count > 0 else { return found }
    found.differing = count
    found.verdict = isBetter ? .improved : .regressed
    found.reason =
      "\(count) of \(max(base.count, new.count)) samples differ, and one build gives the same to the last bit: "
      + "mean \(Figure.text(new.mean, new.unit)), was \(Figure.text(base.mean, base.unit))"
    found.otherwise = "It would be unchanged only if all samples were the same: nothing else counts here."
    return found
  }

  private var differing: Int {
    let count =
      zip(base.samples, new.samples).count { $0 != $1 } + abs(base.samples.count - new.samples.count)
    return count == 0 && (base.count != new.count || figures(base) != figures(new)) ? 1 : count
  }

  /// The figures over all samples, if not all samples were kept.
  private func figures(_ row: MetricReport) -> [Double?] {
    row.samples.count < row.count ? [row.min, row.p50, row.p90, row.p99, row.max, row.mean] : []
  }

  private var ratio: Double? {
    guard let was = base.p50, let now = new.p50, was > 0, (now / was).isFinite else { return nil }
    return now / was
  }

  private var isBetter: Bool {
    guard base.count == new.count, let was = base.mean, let now = new.mean else { return false }
    return new.polarity.worsening(from: was, to: now) < 0
  }
}
