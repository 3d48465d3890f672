/// The trial of one scenario: its probe is tested, it runs, its metrics are judged, and doubtful metrics are measured again.
struct ScenarioTrial: Sendable {
  let scenario: any Scenario
  let context: ScenarioContext
  let profile: Profile
  /// The scenario in the runs of the baseline. Empty without a baseline.
  let baseline: [ScenarioReport]
  let deadline: Deadline
  let watch: ProcessorWatch
  /// Measures the yardstick in milliseconds. Called if something was late.
  let yardstick: @Sendable () -> Double
  /// Maximum number of measurements of a scenario while other programs are busy or on a slow processor.
  static let attempts = 3

  func report(_ onProgress: @Sendable (Runner.Progress) -> Void) async -> ScenarioReport {
    let start = ContinuousClock.now
    var report = ScenarioReport(scenario, context)
    if await prove(&report) { await measure(&report, onProgress) }
    let elapsed = (ContinuousClock.now - start).components
    report.seconds = Double(elapsed.seconds) + (Double(elapsed.attoseconds) / 1e15).rounded() / 1000
    return report
  }

  /// Runs the self-test, and repeats it if it was late while other programs were busy. Returns false if the self-test decides the scenario.
  private func prove(_ report: inout ScenarioReport) async -> Bool {
    var misses: [Double] = []
    while true {
      let (outcome, neighbours) = await watch.during {
        await deadline.run { [scenario, context] in try await scenario.selfTest(context) }
      }
      if case .value(.late(_, let missed)) = outcome, neighbours?.mayExplain == true {
        misses.append(missed)
        guard misses.count == Self.attempts else { continue }
        return conclude(&report, outcome, neighbours: Misses.agree(misses) ? nil : neighbours)
      }
      report.excused = misses.isEmpty ? nil : misses.count
      return conclude(&report, outcome, neighbours: neighbours)
    }
  }

  /// - Parameter neighbours: the other programs that may be why the self-test was late; nil if unknown.
  /// - Returns: whether the probe was shown to work.
  private func conclude(
    _ report: inout ScenarioReport, _ outcome: Deadline.Outcome<SelfTest>, neighbours: Neighbours?
  ) -> Bool {
    switch outcome {
    case .value(.passed(let note)):
      report.selfTest = note
      return true
    case .value(.late(let reason, _)) where neighbours?.areBusy == true:
      report.selfTest = reason
      report.excuse(
        "the probe could not be proved, because other programs took \(neighbours?.words ?? ""): \(reason). "
          + "Try it again on a quiet machine: \(report.reproduce)", measurements: Self.attempts)
    case .value(.failed(let reason)), .value(.late(let reason, _)):
      report.selfTest = reason
      report.conclude(.fail, "the probe failed its self-test, so nothing it says counts: \(reason)")
    case .failure(let error as Unsupported): report.conclude(.unsupported, error.reason)
    case .failure(let error): report.conclude(.fail, "the self-test could not be run: \(error)")
    case .timedOut: report.conclude(.fail, "the self-test took longer than \(deadline.limit)")
    case .interrupted: report.conclude(.interrupted, "stopped before it was done")
    }
    return false
  }

  /// Measures, and measures again if only times failed while other programs were busy or on a slow processor. A single passing measurement
  /// is enough. Three failing measurements are weighed together (`LateAttempt.conclude`). A single failure on a quiet and fast machine
  /// counts as failed.
  private func measure(_ report: inout ScenarioReport, _ onProgress: @Sendable (Runner.Progress) -> Void)
    async
  {
    var attempts: [LateAttempt] = []
    let blank = report
    var neighbours: Neighbours?
    while true {
      report = blank
      neighbours = await attempt(&report)
      if report.verdict == .fail, let late = lateAttempt(report, neighbours), late.mayBeExplained {
        attempts.append(late)
        guard attempts.count == Self.attempts else {
          let again = "\(late.reasons.joined(separator: "; ")), \(late.cause)"
          onProgress(.measuringAgain(scenario: report.id, reason: again))
          continue
        }
        LateAttempt.conclude(&report, attempts)
      } else if !attempts.isEmpty {
        report.attempts = attempts.count + 1
        report.excused = (report.excused ?? 0) + attempts.count
        report.notes += attempts.enumerated().map { $1.note($0 + 1) }
      }
      break
    }
    await measureSuspects(&report, neighbours, onProgress: onProgress)
  }

  /// - Returns: nil if anything but times failed.
  private func lateAttempt(_ report: ScenarioReport, _ neighbours: Neighbours?) -> LateAttempt? {
    report.lateness(profile).map {
      LateAttempt(
        report: report, neighbours: neighbours, pace: ProcessorPace(yardstick: yardstick()), reasons: $0,
        lateBy: report.lateBy(profile))
    }
  }

  /// Makes a single measurement and judges it by the limits.
  private func attempt(_ report: inout ScenarioReport) async -> Neighbours? {
    let (outcome, neighbours) = await observe()
    report.others = neighbours?.share
    report.othersPeak = neighbours?.peak
    switch outcome {
    case .value(let observation):
      report.fill(observation, profile: profile, baseline: baseline)
      report.judge(against: profile)
    case .failure(let error as Unsupported): report.conclude(.unsupported, error.reason)
    case .failure(let error): report.conclude(.fail, "\(error)")
    case .timedOut: report.conclude(.fail, "it took longer than \(deadline.limit)")
    case .interrupted: report.conclude(.interrupted, "stopped before it was done")
    }
    return neighbours
  }

  /// - Returns: the outcome, and the processor use of other programs meanwhile.
  private func observe() async -> (value: Deadline.Outcome<Observation>, neighbours: Neighbours?) {
    await watch.during { await deadline.run { [scenario, context] in try await scenario.run(context) } }
  }

  /// Repeats a measurement that seems to have regressed or was inconclusive: once, and up to `attempts` measurements in all while other programs
  /// are busy. Limits stay judged on the first run. For the comparison, the run closest to the baseline counts.
  private func measureSuspects(
    _ report: inout ScenarioReport, _ first: Neighbours?,
    onProgress: @Sendable (Runner.Progress) -> Void
  ) async {
    var seen = [first]
    var runs = Dictionary(report.metrics.map { ($0.id, [$0]) }, uniquingKeysWith: { first, _ in first })
    while seen.count < 2 || (seen.count < Self.attempts && seen.areBusy) {
      let suspects = report.suspects
      guard !suspects.isEmpty else { break }
      onProgress(.rerunning(scenario: report.id, metrics: suspects.map { report.metrics[$0].id }))
      let (outcome, neighbours) = await observe()
      guard case .value(let again) = outcome else {
        report.notes.append("A run for metrics in doubt did not finish, so those before it stand.")
        break
      }
      seen.append(neighbours)
      let judge = MetricJudge(profile: profile, metrics: again.metrics)
      for measurement in again.metrics { runs[measurement.id]?.append(judge.report(measurement)) }
      for index in suspects {
        let id = report.metrics[index].id
        guard let all = runs[id], all.count == seen.count else { continue }
        report.metrics[index].baseline = MetricComparator().compare(
          baseline.metric(id), all, whileBusy: seen.count == Self.attempts && seen.areBusy)
      }
    }
    // A limit that was excused stays excused, unless the comparison with the baseline became worse.
    guard seen.count > 1, report.disturbed != true, report.slowProcessor == nil else { return }
    report.judge(against: profile)
    if seen.count == Self.attempts, seen.areBusy, report.isOpenForOthers { report.disturbed = true }
  }
}

extension [Neighbours?] {
  /// Whether other programs were busy each time.
  fileprivate var areBusy: Bool { allSatisfy { $0?.areBusy == true } }
}

extension ScenarioReport {
  /// The indices of the deciding metrics that need another run.
  fileprivate var suspects: [Int] {
    let deciding = Set(decidingMetrics.map(\.id))
    return metrics.indices.filter { index in
      deciding.contains(metrics[index].id) && metrics[index].baseline?.needsSecondOpinion ?? false
    }
  }

  /// Whether only comparisons of runs made the scenario inconclusive. A busy machine disturbs those, but does not explain, for example, missing
  /// samples.
  fileprivate var isOpenForOthers: Bool {
    verdict == .inconclusive && metrics.allSatisfy { $0.verdict != .inconclusive }
      && decidingMetrics.allSatisfy { metric in
        metric.baseline.map { $0.verdict != .inconclusive || $0.method == .runs } ?? true
      }
  }
}
