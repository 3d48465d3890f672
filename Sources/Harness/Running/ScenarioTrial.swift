import Foundation

/// One scenario on trial: its probe is proved, it runs, its metrics are judged, and what is in doubt runs again.
struct ScenarioTrial: Sendable {
  let scenario: any Scenario
  let context: ScenarioContext
  let profile: Profile
  let baseline: ScenarioReport?
  let comparator: MetricComparator
  let deadline: Deadline
  let processorUse: @Sendable () -> ProcessorUse?

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

  private func measure(_ report: inout ScenarioReport, _ onProgress: @Sendable (Runner.Progress) -> Void)
    async
  {
    let (outcome, others) = await observe()
    report.others = others
    switch outcome {
    case .value(let observation):
      report.fill(
        observation, profile: profile, baseline: baseline,
        comparator: comparator.disturbed(baseline?.others, others))
      await takeSecondOpinion(&report, onProgress)
      report.judge(against: profile, observation)
    case .failure(let error as Unsupported): report.conclude(.unsupported, error.reason)
    case .failure(let error): report.conclude(.fail, "\(error)")
    case .timedOut: report.conclude(.fail, "it took longer than \(deadline.limit)")
    case .interrupted: report.conclude(.interrupted, "stopped before it was done")
    }
  }

  /// - Returns: what was seen, and the part of the processors that other programs took meanwhile.
  private func observe() async -> (outcome: Deadline.Outcome<Observation>, others: Double?) {
    let start = processorUse()
    let outcome = await deadline.run { [scenario, context] in try await scenario.run(context) }
    let others = start.flatMap { processorUse()?.others(since: $0) }
    return (outcome, others.map { ($0 * 1000).rounded() / 1000 })
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
    let (outcome, others) = await observe()
    guard case .value(let again) = outcome else {
      report.notes.append("The second run, for metrics in doubt, did not finish, so the first run stands.")
      return
    }
    let judge = MetricJudge(profile: profile, metrics: again.metrics)
    let comparator = comparator.disturbed(baseline?.others, others)
    for index in suspects {
      let first = report.metrics[index]
      guard let before = baseline?.metrics.first(where: { $0.id == first.id }),
        let second = again.metrics.first(where: { $0.id == first.id })
      else { continue }
      var both = second
      both.samples = first.samples + second.samples
      report.metrics[index].baseline?.decide(
        second: comparator.compare(before, judge.report(second)),
        both: comparator.compare(before, judge.report(both)))
    }
  }
}

extension MetricComparator {
  /// The same, knowing what other programs took of the processors in the baseline's run of the scenario and in the new one.
  func disturbed(_ base: Double?, _ new: Double?) -> MetricComparator {
    var comparator = self
    comparator.disturbance = Disturbance(base: base, new: new)
    return comparator
  }
}

extension MetricComparison {
  /// A suspected regression, or a doubt that more samples may end.
  fileprivate var needsSecondOpinion: Bool {
    verdict == .regressed || (verdict == .inconclusive && interval != nil)
  }

  /// Takes in a second run. What seemed to have regressed, or grew worse while it ran, is called regressed only when the second run
  /// says the same. A first run that others disturbed gives way to the second. Where the first alone could not say, both together
  /// do.
  fileprivate mutating func decide(second: MetricComparison, both: MetricComparison) {
    rerunRatio = second.ratio
    if verdict == .regressed {
      confirm(with: second, again: second.verdict == .regressed)
    } else if disturbed == true {
      replace(with: second, "by a second run, because others disturbed the first")
    } else if cause == .drift {
      confirm(with: second, again: second.cause == .drift && second.disturbed != true)
    } else {
      replace(with: both, "with the samples of a second run")
    }
  }

  private mutating func confirm(with second: MetricComparison, again: Bool) {
    if again {
      verdict = .regressed
      reason += "; confirmed by a second run (\(second.ratio.map { Figure.change($0) } ?? ""))"
    } else {
      let first = reason
      replace(with: second, "")
      reason = "\(first); not confirmed by a second run (\(second.reason))"
    }
  }

  private mutating func replace(with other: MetricComparison, _ origin: String) {
    let rerun = rerunRatio
    self = other
    rerunRatio = rerun
    if !origin.isEmpty { reason += "; \(origin)" }
  }
}
