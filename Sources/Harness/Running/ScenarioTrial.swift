import Foundation

/// One scenario on trial: its probe is proved, it runs, its metrics are judged, and what is in doubt runs again.
struct ScenarioTrial: Sendable {
  let scenario: any Scenario
  let context: ScenarioContext
  let profile: Profile
  /// The scenario in the runs of the baseline; none without one.
  let baseline: [ScenarioReport]
  let deadline: Deadline
  let watch: ProcessorWatch
  /// How often a scenario is measured at most, where other programs are busy.
  static let attempts = 3

  func report(_ onProgress: @Sendable (Runner.Progress) -> Void) async -> ScenarioReport {
    let start = ContinuousClock.now
    var report = ScenarioReport(scenario, context)
    if await prove(&report) { await measure(&report, onProgress) }
    let elapsed = (ContinuousClock.now - start).components
    report.seconds = Double(elapsed.seconds) + (Double(elapsed.attoseconds) / 1e15).rounded() / 1000
    return report
  }

  /// Runs the self-test, again where it was late beside other programs. False when the scenario is decided by it.
  private func prove(_ report: inout ScenarioReport) async -> Bool {
    for attempt in 1...Self.attempts {
      let (outcome, neighbours) = await watch.during {
        await deadline.run { [scenario, context] in try await scenario.selfTest(context) }
      }
      if case .value(.late) = outcome, neighbours?.mayExplain == true, attempt < Self.attempts { continue }
      return conclude(&report, outcome, neighbours)
    }
    return false
  }

  /// - Returns: whether the probe was proved.
  private func conclude(
    _ report: inout ScenarioReport, _ outcome: Deadline.Outcome<SelfTest>, _ neighbours: Neighbours?
  ) -> Bool {
    switch outcome {
    case .value(.passed(let note)):
      report.selfTest = note
      return true
    case .value(.late(let reason)) where neighbours?.areBusy == true:
      report.selfTest = reason
      report.excuse(
        "the probe could not be proved, because other programs took \(neighbours?.words ?? ""): \(reason). "
          + "Try it again on a quiet machine: \(report.reproduce)")
    case .value(.failed(let reason)), .value(.late(let reason)):
      report.selfTest = reason
      report.conclude(.fail, "the probe failed its self-test, so nothing it says counts: \(reason)")
    case .failure(let error as Unsupported): report.conclude(.unsupported, error.reason)
    case .failure(let error): report.conclude(.fail, "the self-test could not be run: \(error)")
    case .timedOut: report.conclude(.fail, "the self-test took longer than \(deadline.limit)")
    case .interrupted: report.conclude(.interrupted, "stopped before it was done")
    }
    return false
  }

  /// Measures, and measures again if only times failed while other programs were busy. One measurement that passes is enough. If all
  /// fail and others were busy each time, the scenario is inconclusive. A single failure on a quiet machine counts as failed.
  private func measure(_ report: inout ScenarioReport, _ onProgress: @Sendable (Runner.Progress) -> Void)
    async
  {
    var late: [LateAttempt] = []
    let blank = report
    while true {
      report = blank
      let neighbours = await attempt(&report)
      if report.verdict == .fail, let reasons = report.lateness(profile), let neighbours,
        neighbours.mayExplain
      {
        late.append(LateAttempt(report: report, neighbours: neighbours, reasons: reasons))
        guard late.count == Self.attempts else {
          let again = "\(reasons.joined(separator: "; ")), while other programs took \(neighbours.words)"
          onProgress(.measuringAgain(scenario: report.id, reason: again))
          continue
        }
        LateAttempt.conclude(&report, late)
      } else if !late.isEmpty {
        report.attempts = late.count + 1
        report.notes += late.enumerated().map { $1.note($0 + 1) }
      }
      break
    }
    await takeSecondOpinion(&report, onProgress)
  }

  /// One measurement, judged by the limits.
  private func attempt(_ report: inout ScenarioReport) async -> Neighbours? {
    let (outcome, neighbours) = await observe()
    (report.others, report.othersPeak) = (neighbours?.share, neighbours?.peak)
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

  /// - Returns: what was seen, and what other programs took meanwhile.
  private func observe() async -> (value: Deadline.Outcome<Observation>, neighbours: Neighbours?) {
    await watch.during { await deadline.run { [scenario, context] in try await scenario.run(context) } }
  }

  /// Runs again what seems to have regressed or could not be told; limits stay judged on the first run. Of both runs the one that is
  /// nearer to the baseline counts.
  private func takeSecondOpinion(
    _ report: inout ScenarioReport, _ onProgress: @Sendable (Runner.Progress) -> Void
  ) async {
    let deciding = Set(report.decidingMetrics.map(\.id))
    let suspects = report.metrics.indices.filter { index in
      let metric = report.metrics[index]
      return deciding.contains(metric.id) && metric.baseline?.needsSecondOpinion ?? false
    }
    guard !suspects.isEmpty else { return }
    onProgress(.rerunning(scenario: report.id, metrics: suspects.map { report.metrics[$0].id }))
    guard case .value(let again) = await observe().value else {
      report.notes.append("The second run, for metrics in doubt, did not finish, so the first run stands.")
      return
    }
    let judge = MetricJudge(profile: profile, metrics: again.metrics)
    for index in suspects {
      let first = report.metrics[index]
      guard let second = again.metrics.first(where: { $0.id == first.id }) else { continue }
      report.metrics[index].baseline = MetricComparator().compare(
        baseline.metric(first.id), [first, judge.report(second)])
    }
    // A limit that was excused stays excused, unless the comparison with the baseline is worse.
    if report.disturbed != true { report.judge(against: profile) }
  }
}
