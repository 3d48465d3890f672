/// The judge of a metric: it makes a row of the report from samples and a limit.
struct MetricJudge {
  let profile: Profile
  /// The samples of the scenario's metrics, for limits that depend on them.
  let samples: [String: [Double]]

  init(profile: Profile, metrics: [Measurement]) {
    self.profile = profile
    samples = Dictionary(
      metrics.filter { Summary($0.samples) != nil }.map { ($0.id, $0.samples) },
      uniquingKeysWith: { first, _ in first })
  }

  func report(_ metric: Measurement) -> MetricReport {
    let summary = Summary(metric.samples)
    let limit = profile.limit(on: metric.id)
    let (verdict, reason) = judge(metric, summary, limit: limit)
    var row = MetricReport(
      id: metric.id, title: metric.title, unit: metric.unit, polarity: metric.polarity,
      evidence: metric.level, kind: metric.kind,
      count: metric.samples.count, min: summary?.min, p50: summary?.median, p90: summary?.percentile(90),
      p99: summary?.percentile(99), max: summary?.max, mean: summary?.mean,
      histogram: summary.map { SampleHistogram($0).bins } ?? [], samples: Self.thinned(metric.samples),
      limit: limit.map { applied($0, metric, summary: summary) }, verdict: verdict, reason: reason,
      tolerance: profile.tolerance(for: metric.id, in: metric.unit))
    row.functions = metric.functions
    return row
  }

  private func judge(_ metric: Measurement, _ summary: Summary?, limit: Limit?) -> (Verdict, String) {
    if let lack = metric.lack { return (.unsupported, lack) }
    guard !metric.samples.isEmpty else { return (.fail, "no samples were taken, so nothing was shown") }
    guard let summary else {
      let bad = metric.samples.count { !$0.isFinite }
      return (.fail, "\(bad) of \(metric.samples.count) samples are not finite numbers")
    }
    guard let limit else { return (.recorded, "") }
    guard limit.unit == metric.unit else {
      return (
        .fail,
        "the limit is in \(limit.unit.rawValue) but the samples are in \(metric.unit.rawValue); "
          + "correct the profile"
      )
    }
    if summary.count < limit.minimumCount ?? 1 {
      return (.inconclusive, "\(summary.count) samples, and the limit needs \(limit.minimumCount ?? 1)")
    }
    switch finding(metric, summary, limit: limit) {
    case .failure(let doubt): return (.inconclusive, doubt.text)
    case .success(let finding):
      if limit.op.holds(finding.figure, finding.bound) { return (.pass, "") }
      return (.fail, limit.sentence(figure: finding.figure, bound: finding.bound, shared: finding.shared))
    }
  }

  /// A figure and the bound that it is compared with, both in the magnitude of the samples.
  private struct Excess {
    var figure: Double
    var bound: Double
    /// The reference's share of `figure` and `bound`. The verdict does not depend on it.
    var shared = 0.0
  }

  /// Why a limit cannot be applied.
  private struct Doubt: Error {
    var text: String
  }

  private func finding(_ metric: Measurement, _ summary: Summary, limit: Limit) -> Result<
    Excess, Doubt
  > {
    guard let reference = limit.reference else {
      return .success(Excess(figure: limit.figure(of: summary), bound: limit.value))
    }
    guard let others = others(reference), let other = Summary(others) else {
      return .failure(Doubt(text: "the limit follows \(reference.metric), which was not measured"))
    }
    let shared = reference.factor * other.median
    guard reference.paired == true else {
      let bound = limit.value + shared
      return .success(Excess(figure: limit.figure(of: summary, bound: bound), bound: bound))
    }
    guard let differences = Self.differences(metric.samples, reference.factor, others: others),
      let paired = Summary(differences)
    else {
      let counts = "\(metric.samples.count) samples and \(others.count) of \(reference.metric)"
      return .failure(Doubt(text: "the limit is on pairs, and there are \(counts)"))
    }
    return .success(
      Excess(figure: limit.figure(of: paired) + shared, bound: limit.value + shared, shared: shared))
  }

  /// Returns the samples of the metric that a limit depends on.
  private func others(_ reference: Limit.Reference) -> [Double]? {
    let pattern = MetricPattern(reference.metric)
    return samples.keys.sorted().first(where: pattern.fits).flatMap { samples[$0] }
  }

  /// Returns the differences pair by pair. Nil if the samples do not form pairs.
  private static func differences(_ samples: [Double], _ factor: Double, others: [Double]) -> [Double]? {
    if let only = others.first, others.count == 1 { return samples.map { $0 - factor * only } }
    guard samples.count == others.count else { return nil }
    return zip(samples, others).map { $0 - factor * $1 }
  }

  private func applied(_ limit: Limit, _ metric: Measurement, summary: Summary?)
    -> MetricReport.AppliedLimit
  {
    var finding: Excess?
    if let summary, metric.unit == limit.unit {
      finding = try? self.finding(metric, summary, limit: limit).get()
    }
    return MetricReport.AppliedLimit(
      statistic: limit.statistic, op: limit.op,
      value: finding?.bound ?? (limit.reference == nil ? limit.value : nil),
      measured: finding?.figure, requirement: limit.requirement, source: limit.source,
      pairedWith: limit.pairing)
  }

  /// Returns every k-th finite sample, so that at most `MetricReport.sampleLimit` are kept.
  private static func thinned(_ samples: [Double]) -> [Double] {
    let step = (samples.count + MetricReport.sampleLimit - 1) / MetricReport.sampleLimit
    guard step > 1 else { return samples.filter(\.isFinite) }
    return stride(from: 0, to: samples.count, by: step).map { samples[$0] }.filter(\.isFinite)
  }
}

extension Limit {
  /// Returns the figure of the samples that this limit applies to.
  /// - Parameter bound: the bound that the samples are held against; nil for `value`.
  func figure(of summary: Summary, bound: Double? = nil) -> Double {
    switch statistic {
    case .p50: summary.median
    case .p90: summary.percentile(90)
    case .p99: summary.percentile(99)
    case .max: summary.max
    case .min: summary.min
    case .mean: summary.mean
    case .count: Double(summary.count)
    case .each: worst(of: summary, bound ?? value)
    }
  }

  private func worst(of summary: Summary, _ bound: Double) -> Double {
    switch op {
    case .atMost, .below: summary.max
    case .atLeast, .above: summary.min
    case .equal: summary.sorted.max { abs($0 - bound) < abs($1 - bound) } ?? summary.max
    }
  }

  /// The metric that is subtracted from each sample pair by pair. Nil for a limit that does not apply to pairs.
  var pairing: String? { reference.flatMap { $0.paired == true ? $0.metric : nil } }

  /// - Parameter shared: for a limit on pairs, the reference's share of both figures.
  func sentence(figure: Double, bound: Double, shared: Double = 0) -> String {
    let name = statistic == .each ? "the worst sample" : statistic.rawValue
    guard let reference, let pairing else {
      return "\(name) is \(Figure.text(figure, unit)), the limit is \(op.sign) \(Figure.text(bound, unit))"
    }
    let times = reference.factor == 1 ? "" : "\(Figure.number(reference.factor)) times "
    return
      "\(name) of the difference to \(times)\(pairing), pair by pair, is \(Figure.text(figure - shared, unit)), "
      + "the limit is \(op.sign) \(Figure.text(bound - shared, unit))"
  }
}
