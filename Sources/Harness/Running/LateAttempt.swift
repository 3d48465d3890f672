/// A measurement in which all that failed was a matter of time, and what other programs took meanwhile.
struct LateAttempt {
  let report: ScenarioReport
  let neighbours: Neighbours
  /// What was missed, by how much.
  let reasons: [String]

  /// For the reader of a later measurement.
  func note(_ number: Int) -> String {
    "Measurement \(number) did not count, because other programs took \(neighbours.words) meanwhile: \(reasons.joined(separator: "; "))."
  }

  /// Decides over measurements that were all late. If other programs were busy, the scenario is inconclusive, and the measurement that
  /// they disturbed least is reported. If each was over too soon to see other programs, the last one counts as it is.
  static func conclude(_ report: inout ScenarioReport, _ attempts: [LateAttempt]) {
    guard attempts.contains(where: { $0.neighbours.areBusy == true }),
      let least = attempts.min(by: { $0.neighbours.share ?? 1 < $1.neighbours.share ?? 1 })
    else { return }
    report = least.report
    report.attempts = attempts.count
    let shares = attempts.map(\.neighbours.words).joined(separator: "; ")
    report.excuse(
      "\(least.reasons.joined(separator: "; ")). It was measured \(attempts.count) times while other programs were busy, which took "
        + "\(shares). Measure it again on a quiet machine: \(report.reproduce)")
  }
}
