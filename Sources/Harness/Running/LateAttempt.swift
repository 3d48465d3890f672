/// A measurement in which all that failed was a matter of time, and what may be why: other programs, or a slow processor.
struct LateAttempt {
  let report: ScenarioReport
  /// What other programs took meanwhile; nil where the system does not tell.
  let neighbours: Neighbours?
  let pace: ProcessorPace
  /// What was missed, by how much.
  let reasons: [String]

  /// False where nobody else was busy and the processor is fast enough: then the engine is what is late.
  var isExcused: Bool { neighbours?.mayExplain == true || isSlow }

  /// The processor explains all that was missed.
  private var isSlow: Bool { pace.isSlow && report.lateBy <= pace.slack }

  /// `while other programs took 32 % of the processors`, or `on a processor that takes …`.
  var cause: String {
    if neighbours?.areBusy != true, isSlow { return "on a processor that \(pace.words)" }
    return "while other programs took \(neighbours?.words ?? "an unknown part of the processors")"
  }

  /// For the reader of a later measurement.
  func note(_ number: Int) -> String {
    "Measurement \(number) did not count, since it was made \(cause): \(reasons.joined(separator: "; "))."
  }

  /// Decides over measurements that were all late. If other programs were busy, the scenario is inconclusive, and the measurement that
  /// they disturbed least is reported; if the processor is too slow, the one that was late by least. If neither is known, because each was
  /// over too soon to see other programs, the last one counts as it is.
  static func conclude(_ report: inout ScenarioReport, _ attempts: [LateAttempt]) {
    let disturbed = attempts.contains { $0.neighbours?.areBusy == true }
    let slow = attempts.filter(\.isSlow)
    guard
      let best = disturbed
        ? attempts.min(by: { $0.neighbours?.share ?? 1 < $1.neighbours?.share ?? 1 })
        : slow.min(by: { $0.report.lateBy < $1.report.lateBy })
    else { return }
    report = best.report
    report.attempts = attempts.count
    let missed = best.reasons.joined(separator: "; ")
    guard disturbed else {
      return report.excuse(
        "\(missed). It was measured \(attempts.count) times on a processor that \(best.pace.words), which may be why. Measure it on a "
          + "faster one: \(report.reproduce)", by: best.pace)
    }
    let shares = attempts.map { $0.neighbours?.words ?? "an unknown part" }.joined(separator: "; ")
    report.excuse(
      "\(missed). It was measured \(attempts.count) times while other programs were busy, which took "
        + "\(shares). Measure it again on a quiet machine: \(report.reproduce)")
  }
}
