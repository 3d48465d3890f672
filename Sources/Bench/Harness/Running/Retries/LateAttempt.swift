/// A measurement that failed only by times, and the possible reasons: other programs, or a slow processor.
struct LateAttempt {
  let report: ScenarioReport
  /// Processor use of other programs meanwhile. Nil if the system does not report it.
  let neighbours: Neighbours?
  let pace: ProcessorPace
  /// The missed limits and rules, with the amounts.
  let reasons: [String]
  /// The lateness in milliseconds that a slow processor would have to explain. Infinite if a slow processor cannot explain the failure.
  let lateBy: Double

  /// Whether other programs or a slow processor may be the reason. True asks for another measurement and is not an excuse yet; if false, the engine
  /// is late.
  var mayBeExplained: Bool { neighbours?.mayExplain == true || pace.isSlow }

  /// Whether the slow processor explains everything that was missed.
  private var isSlow: Bool { pace.isSlow && lateBy <= pace.slack }

  /// The cause: `while other programs took 32 % of the processors`, or `on a processor that takes …`.
  var cause: String {
    if neighbours?.areBusy != true, pace.isSlow { return "on a processor that \(pace.words)" }
    return "while other programs took \(neighbours?.words ?? "an unknown part of the processors")"
  }

  /// Returns a note on this measurement, for the report of a later measurement.
  func note(_ number: Int) -> String {
    "Measurement \(number) did not count, since it was made \(cause): \(reasons.joined(separator: "; "))."
  }

  /// Decides the verdict if all measurements were late.
  ///
  /// - If a limit or rule was missed each time by more than the readings scatter, or a limit even by the best quarter of the samples, the
  ///   scenario fails, however busy other programs were: `Misses`.
  /// - Else, if other programs were busy, it is inconclusive. The measurement that they disturbed least is reported.
  /// - Else, if one measurement missed only plain times that the processor is too slow for, it is inconclusive, and that measurement is reported.
  ///   A limit relative to a reference that ran on the same processor has no such excuse.
  /// - Else the last measurement counts unchanged.
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
