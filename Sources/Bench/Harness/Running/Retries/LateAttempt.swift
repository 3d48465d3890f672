/// A measurement in which all that failed was a matter of time, and what may be why: other programs, or a slow processor.
struct LateAttempt {
  let report: ScenarioReport
  /// What other programs took meanwhile; nil where the system does not tell.
  let neighbours: Neighbours?
  let pace: ProcessorPace
  /// What was missed, by how much.
  let reasons: [String]
  /// Milliseconds for which a slow processor would have to answer; infinite where it cannot.
  let lateBy: Double

  /// False where nobody else was busy and the processor is fast enough: then the engine is what is late. True asks for another look, and is
  /// no excuse yet.
  var mayBeExplained: Bool { neighbours?.mayExplain == true || pace.isSlow }

  /// The processor explains all that was missed.
  private var isSlow: Bool { pace.isSlow && lateBy <= pace.slack }

  /// `while other programs took 32 % of the processors`, or `on a processor that takes …`.
  var cause: String {
    if neighbours?.areBusy != true, pace.isSlow { return "on a processor that \(pace.words)" }
    return "while other programs took \(neighbours?.words ?? "an unknown part of the processors")"
  }

  /// For the reader of a later measurement.
  func note(_ number: Int) -> String {
    "Measurement \(number) did not count, since it was made \(cause): \(reasons.joined(separator: "; "))."
  }

  /// Decides over measurements that were all late.
  ///
  /// - If a limit or rule was missed each time by more than the readings scatter, or a limit even by the best quarter of the samples, the
  ///   scenario has failed, whoever was busy: `Misses`.
  /// - Else, if other programs were busy, it is inconclusive. The measurement that they disturbed least is reported.
  /// - Else, if all that was missed in one of them is a plain time that the processor is too slow for, it is inconclusive, and that one is
  ///   reported. What was held against something that ran by turns on the same processor has no such excuse.
  /// - Else the last one counts as it is.
  static func conclude(_ report: inout ScenarioReport, _ attempts: [LateAttempt]) {
    let disturbed = attempts.contains { $0.neighbours?.areBusy == true }
    let slow = attempts.filter(\.isSlow).min { $0.lateBy < $1.lateBy }
    let quietest = attempts.min { $0.neighbours?.share ?? 1 < $1.neighbours?.share ?? 1 }
    let agreed = Misses(attempts.map(\.report.misses)).agreed.merging(
      Misses(attempts.map(\.report.quietMisses)).agreed.mapValues {
        "even the best quarter of the samples \($0)"
      },
      uniquingKeysWith: { worst, _ in worst })
    guard let best = disturbed || !agreed.isEmpty ? quietest : slow else {
      report.attempts = attempts.count
      return
    }
    report = best.report
    report.attempts = attempts.count
    let missed = best.reasons.joined(separator: "; ")
    let shares = attempts.map { $0.neighbours?.words ?? "an unknown part" }.joined(separator: "; ")
    if !agreed.isEmpty {
      report.convict(agreed, beside: disturbed ? shares : nil)
    } else if disturbed {
      report.excuse(
        "\(missed). It was measured \(attempts.count) times while other programs were busy, which took "
          + "\(shares), and the readings scatter by more than they miss. Measure it again on a quiet machine: \(report.reproduce)",
        measurements: attempts.count)
    } else {
      report.excuse(
        "\(missed). It was measured \(attempts.count) times on a processor that \(best.pace.words), which may be why, and the readings "
          + "scatter by more than they miss. Measure it on a faster one: \(report.reproduce)",
        measurements: attempts.count, by: best.pace)
    }
  }
}
