/// Turns samples and a limit into a row of the report.
struct MetricJudge {
  let profile: Profile
  /// Medians of the scenario's other metrics, for limits that move with them.
  let medians: [String: Double]

  init(profile: Profile, metrics: [Measurement]) {
    self.profile = profile
    medians = Dictionary(
      metrics.compactMap { metric in Summary(metric.samples).map { (metric.id, $0.median) } },
      uniquingKeysWith: { first, _ in first })
  }

  func report(_ metric: Measurement) -> MetricReport {
    let summary = Summary(metric.samples)
    let limit = profile.limit(on: metric.id)
    let (verdict, reason) = judge(metric, summary, limit)
    return MetricReport(
      id: metric.id, title: metric.title, unit: metric.unit, polarity: metric.polarity,
      evidence: metric.level, kind: metric.kind,
      count: metric.samples.count, min: summary?.min, p50: summary?.median, p90: summary?.percentile(90),
      p99: summary?.percentile(99), max: summary?.max, mean: summary?.mean,
      histogram: summary.map { SampleHistogram($0).bins } ?? [], samples: Self.thinned(metric.samples),
      limit: limit.map { applied($0, metric.unit, summary) }, verdict: verdict, reason: reason,
      tolerance: profile.tolerance(for: metric.id, in: metric.unit))
  }

  private func judge(_ metric: Measurement, _ summary: Summary?, _ limit: Limit?) -> (Verdict, String) {
    if let lack = metric.lack { return (.unsupported, lack) }
    guard !metric.samples.isEmpty else { return (.fail, "no samples were taken, so nothing was shown") }
    guard let summary else {
      let bad = metric.samples.count { !$0.isFinite }
      return (.fail, "\(bad) of \(metric.samples.count) samples are not finite numbers")
    }
    guard let limit else { return (.recorded, "") }
    guard limit.unit == metric.unit else {
      return (.fail, "the limit is in \(limit.unit.rawValue) but the samples are in \(metric.unit.rawValue)")
    }
    if summary.count < limit.minimumCount ?? 1 {
      return (.inconclusive, "\(summary.count) samples, and the limit needs \(limit.minimumCount ?? 1)")
    }
    guard let bound = bound(of: limit) else {
      return (.inconclusive, "the limit follows \(limit.reference?.metric ?? ""), which was not measured")
    }
    let figure = limit.figure(of: summary)
    if limit.op.holds(figure, bound) { return (.pass, "") }
    return (.fail, limit.sentence(figure: figure, bound: bound))
  }

  private func bound(of limit: Limit) -> Double? {
    guard let reference = limit.reference else { return limit.value }
    let pattern = MetricPattern(reference.metric)
    let name = medians.keys.sorted().first(where: pattern.fits)
    return name.flatMap { medians[$0] }.map { limit.value + reference.factor * $0 }
  }

  private func applied(_ limit: Limit, _ unit: MeasurementUnit, _ summary: Summary?)
    -> MetricReport.AppliedLimit
  {
    MetricReport.AppliedLimit(
      statistic: limit.statistic, op: limit.op, value: bound(of: limit),
      measured: unit == limit.unit ? summary.map(limit.figure) : nil,
      requirement: limit.requirement, source: limit.source)
  }

  /// Every k-th finite sample, so that at most `MetricReport.sampleLimit` are kept.
  private static func thinned(_ samples: [Double]) -> [Double] {
    let step = (samples.count + MetricReport.sampleLimit - 1) / MetricReport.sampleLimit
    guard step > 1 else { return samples.filter(\.isFinite) }
    return stride(from: 0, to: samples.count, by: step).map { samples[$0] }.filter(\.isFinite)
  }
}

extension Limit {
  /// The figure of the samples this limit is about.
  func figure(of summary: Summary) -> Double {
    switch statistic {
    case .p50: summary.median
    case .p90: summary.percentile(90)
    case .p99: summary.percentile(99)
    case .max: summary.max
    case .min: summary.min
    case .mean: summary.mean
    case .count: Double(summary.count)
    case .each: worst(of: summary)
    }
  }

  private func worst(of summary: Summary) -> Double {
    switch op {
    case .atMost, .below: summary.max
    case .atLeast, .above: summary.min
    case .equal: summary.sorted.max { abs($0 - value) < abs($1 - value) } ?? summary.max
    }
  }

  func sentence(figure: Double, bound: Double) -> String {
    let name = statistic == .each ? "the worst sample" : statistic.rawValue
    return "\(name) is \(Figure.text(figure, unit)), the limit is \(op.sign) \(Figure.text(bound, unit))"
  }
}
