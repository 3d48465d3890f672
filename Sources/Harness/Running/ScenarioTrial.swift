import Foundation

/// One scenario on trial: its probe is proved, it runs, its metrics are judged, and what is in doubt runs again.
struct ScenarioTrial: Sendable {
  let scenario: any Scenario
  let context: ScenarioContext
  let profile: Profile
  let baseline: ScenarioReport?
  let comparator: MetricComparator
  let deadline: Deadline

  func report(_ onProgress: @Sendable (Runner.Progress) -> Void) async -> ScenarioReport {
    let start = ContinuousClock.now
    var report = ScenarioReport(scenario, context)
    if await prove(&report) { await measure(&report, onProgress) }
    let elapsed = (ContinuousClock.now - start).components
    report.seconds = Double(elapsed.seconds) + (Double(elapsed.attoseconds) / 1e15).rounded() / 1000
    return report
  }

  /// Runs the self-test. False when the scenario is decided by it.
  private func prove(_ report: inout ScenarioReport) async -> Bool {
    switch await deadline.run({ [scenario, context] in try await scenario.selfTest(context) }) {
    case .value(.passed(let note)):
      report.selfTest = note
      return true
    case .value(.failed(let reason)):
      report.selfTest = reason
      report.conclude(.fail, "the probe failed its self-test, so nothing it says counts: \(reason)")
    case .failure(let error as Unsupported): report.conclude(.unsupported, error.reason)
    case .failure(let error): report.conclude(.fail, "the self-test could not be run: \(error)")
    case .timedOut: report.conclude(.fail, "the self-test took longer than \(deadline.limit)")
    case .interrupted: report.conclude(.interrupted, "stopped before it was done")
    }
    return false
  }

  private func measure(_ report: inout ScenarioReport, _ onProgress: @Sendable (Runner.Progress) -> Void)
    async
  {
    switch await observe() {
    case .value(let observation):
      report.fill(observation, profile: profile, baseline: baseline, comparator: comparator)
      await takeSecondOpinion(&report, onProgress)
      report.judge(against: profile, observation)
    case .failure(let error as Unsupported): report.conclude(.unsupported, error.reason)
    case .failure(let error): report.conclude(.fail, "\(error)")
    case .timedOut: report.conclude(.fail, "it took longer than \(deadline.limit)")
    case .interrupted: report.conclude(.interrupted, "stopped before it was done")
    }
  }

  private func observe() async -> Deadline.Outcome<Observation> {
    await deadline.run { [scenario, context] in try await scenario.run(context) }
  }

  /// Runs again what seems to have regressed, and what was too noisy to say; limits stay judged on the first run.
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
    guard case .value(let again) = await observe() else {
      report.notes.append("The second run, for metrics in doubt, did not finish, so the first run stands.")
      return
    }
    let judge = MetricJudge(profile: profile, metrics: again.metrics)
    for index in suspects {
      let first = report.metrics[index]
      guard let before = baseline?.metrics.first(where: { $0.id == first.id }),
        let second = again.metrics.first(where: { $0.id == first.id })
      else { continue }
      if first.baseline?.verdict == .regressed {
        report.metrics[index].baseline?.confirm(with: comparator.compare(before, judge.report(second)))
      } else {
        var both = second
        both.samples = first.samples + second.samples
        report.metrics[index].baseline?.replace(with: comparator.compare(before, judge.report(both)))
      }
    }
  }
}

extension MetricComparison {
  /// A suspected regression, or an interval too wide to say: more samples may tell.
  fileprivate var needsSecondOpinion: Bool {
    verdict == .regressed || (verdict == .inconclusive && interval != nil)
  }

  /// Takes in the second run of a suspected regression: what it does not confirm is not called one.
  fileprivate mutating func confirm(with second: MetricComparison) {
    rerunRatio = second.ratio
    let change = Figure.change(second.ratio)
    if second.verdict == .regressed {
      reason += "; confirmed by a second run (\(change))"
    } else {
      verdict = second.verdict
      reason += "; not confirmed by a second run (\(change))"
    }
  }

  /// Takes in both runs together, where the first alone could not say.
  fileprivate mutating func replace(with both: MetricComparison) {
    rerunRatio = both.ratio
    verdict = both.verdict
    interval = both.interval
    reason = both.reason + "; with the samples of a second run"
  }
}
