/// By how much limits and rules that are a matter of time were missed, measurement by measurement.
///
/// Other programs come and go, so what they make late scatters. A limit that was missed each time by more than the readings scatter was
/// missed by the engine, whoever else was busy (HAR-11).
struct Misses {
  /// By the id of a limit's metric or of a rule: in its unit, one a measurement at which it was missed.
  private let readings: [String: [Double]]
  /// How often it was measured.
  private let count: Int

  init(_ measurements: [[String: Double]]) {
    count = measurements.count
    readings = measurements.reduce(into: [:]) { readings, missed in
      for (id, miss) in missed { readings[id, default: []].append(miss) }
    }
  }

  /// Those that were missed each time by more than they scatter, with a clause on each.
  var agreed: [String: String] {
    readings.filter { $1.count == count && Self.agree($1) }.mapValues { misses in
      "missed by \(misses.map(Figure.number).joined(separator: ", ")): that is more than the \(misses.count) scatter"
    }
  }

  static func agree(_ misses: [Double]) -> Bool {
    guard misses.count > 1, let least = misses.min(), let most = misses.max(), least > 0 else { return false }
    return least > max(most - least, step(of: misses))
  }

  /// What is counted scatters by one at least, though three counts be the same.
  private static func step(of misses: [Double]) -> Double {
    misses.allSatisfy { $0 == $0.rounded() } ? 1 : 0
  }
}

extension ScenarioReport {
  /// The limits that even the best quarter of their samples missed, by how much. Other programs make samples worse and never better, so those
  /// scatter least.
  var quietMisses: [String: Double] {
    let missed = metrics.compactMap { metric in metric.quietMissedBy.map { (metric.id, $0) } }
    return Dictionary(missed, uniquingKeysWith: { first, _ in first })
  }

  /// What of it was late, by how much.
  var misses: [String: Double] {
    let limits = metrics.compactMap { metric in metric.missedBy.map { (metric.id, $0) } }
    let rules = checks.compactMap { check in check.isLate ? check.missedBy.map { (check.id, $0) } : nil }
    return Dictionary(limits + rules, uniquingKeysWith: { first, _ in first })
  }
}

extension MetricReport {
  /// By how much it missed a limit that is a matter of time, in its unit; nil where it did not, or where nobody can say.
  var missedBy: Double? {
    guard isLate, let measured = limit?.measured, let bound = limit?.value else { return nil }
    return abs(measured - bound)
  }

  /// By how much the best quarter of its samples missed that limit; nil where it did not, and where the limit is on pairs.
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
