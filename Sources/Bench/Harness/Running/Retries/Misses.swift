/// The amounts by which time limits and rules were missed, measurement by measurement.
///
/// The load of other programs varies, so lateness that they cause scatters. A limit that was missed each time by more than the readings scatter
/// was missed by the engine, however busy other programs were (HAR-11).
struct Misses {
  /// The amounts by which each limit or rule was missed, in its unit, one per measurement that missed it. The key is the id of the metric or rule.
  private let readings: [String: [Double]]
  /// Number of measurements.
  private let count: Int

  init(_ measurements: [[String: Double]]) {
    count = measurements.count
    readings = measurements.reduce(into: [:]) { readings, missed in
      for (id, miss) in missed { readings[id, default: []].append(miss) }
    }
  }

  /// The limits and rules that were missed each time by more than they scatter, with a clause on each.
  var agreed: [String: String] {
    readings.filter { $1.count == count && Self.agree($1) }.mapValues { misses in
      "missed by \(misses.map(Figure.number).joined(separator: ", ")): that is more than the \(misses.count) scatter"
    }
  }

  static func agree(_ misses: [Double]) -> Bool {
    guard misses.count > 1, let least = misses.min(), let most = misses.max(), least > 0 else { return false }
    return least > max(most - least, step(of: misses))
  }

  /// Returns the least scatter: 1 for whole numbers, which scatter by at least one even if all are the same; otherwise 0.
  private static func step(of misses: [Double]) -> Double {
    misses.allSatisfy { $0 == $0.rounded() } ? 1 : 0
  }
}

extension ScenarioReport {
  /// The limits that even the best quarter of their samples missed, with the amounts. Other programs only make samples worse, so the best quarter
  /// scatters least.
  var quietMisses: [String: Double] {
    let missed = metrics.compactMap { metric in metric.quietMissedBy.map { (metric.id, $0) } }
    return Dictionary(missed, uniquingKeysWith: { first, _ in first })
  }

  /// The time limits and rules that were missed, with the amounts.
  var misses: [String: Double] {
    let limits = metrics.compactMap { metric in metric.missedBy.map { (metric.id, $0) } }
    let rules = checks.compactMap { check in check.isLate ? check.missedBy.map { (check.id, $0) } : nil }
    return Dictionary(limits + rules, uniquingKeysWith: { first, _ in first })
  }
}

extension MetricReport {
  /// The amount by which the metric missed its time limit, in its unit. Nil if the limit holds, or if the amount is unknown.
  var missedBy: Double? {
    guard isLate, let measured = limit?.measured, let bound = limit?.value else { return nil }
    return abs(measured - bound)
  }

  /// The amount by which the best quarter of the samples missed the limit. Nil if the best quarter obeys the limit, or if the limit applies
  /// to pairs.
  fileprivate var quietMissedBy: Double? {
    guard isLate, let limit, let bound = limit.value, limit.pairedWith == nil, let summary = Summary(samples)
    else { return nil }
    let miss: Double
    switch limit.op {
    case .atMost, .below: miss = summary.percentile(25) - bound
    case .atLeast, .above: miss = bound - summary.percentile(75)
    case .equal: return nil
    }
    return miss > 0 ? miss : nil
  }
}
