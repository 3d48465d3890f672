/// Data for the drawings of a metric: its samples, its limit, and the words beside them.
struct DrawnMetric {
  let samples: [Double]
  let histogram: [HistogramBin]
  let unit: MeasurementUnit
  let p50: Double
  let p99: Double
  /// Whether the limit does not hold.
  let isBroken: Bool
  let limit: (relation: Relation, value: Double, text: String)?

  /// - Returns: nil if there is nothing to see, because there are fewer than eight samples or all samples are the same.
  init?(_ metric: MetricReport) {
    guard metric.samples.count >= 8, let p50 = metric.p50, let p99 = metric.p99,
      let least = metric.min, let most = metric.max, most > least
    else { return nil }
    samples = metric.samples
    histogram = metric.histogram
    unit = metric.unit
    isBroken = metric.verdict == .fail
    self.p50 = p50
    self.p99 = p99
    limit = metric.limit.flatMap { limit in
      guard let value = limit.value, value.isFinite, limit.statistic != .count else { return nil }
      return (limit.op, value, "limit: \(limit.op.words) \(Figure.text(value, metric.unit))")
    }
  }

  /// The 99th percentile in words. Of fewer than 100 samples it is the greatest.
  var high: String {
    let figure = Figure.text(p99, unit)
    return samples.count < 100 ? "greatest \(figure)" : "99 of 100 within \(figure)"
  }

  func breaksLimit(_ sample: Double) -> Bool { limit.map { !$0.relation.holds(sample, $0.value) } ?? false }

  /// Returns the range shown: all samples, and the limit unless it holds and is so far away that it would flatten them.
  func range(_ least: Double, _ most: Double) -> ClosedRange<Double> {
    let far = 2 * (most - least)
    guard let limit, isBroken || (limit.value > least - far && limit.value < most + far) else {
      return min(least, most)...max(least, most)
    }
    // A limit at the edge leaves room for the hatched side beyond it.
    let span = max(most, limit.value) - min(least, limit.value)
    return switch limit.relation {
    case .atMost, .below: min(least, limit.value)...max(most, limit.value + 0.04 * span)
    case .atLeast, .above: min(least, limit.value - 0.04 * span)...max(most, limit.value)
    case .equal: min(least, limit.value)...max(most, limit.value)
    }
  }
}

/// Returns a number for an SVG attribute, with one decimal, a tenth of a pixel.
package func point(_ value: Double) -> String {
  let tenths = (value * 10).rounded()
  guard tenths.isFinite, abs(tenths) < 1e9 else { return "0" }
  let whole = Int(tenths)
  return whole % 10 == 0 ? "\(whole / 10)" : "\(whole < 0 ? "-" : "")\(abs(whole) / 10).\(abs(whole) % 10)"
}
