extension ScenarioReport {
  init(_ scenario: any Scenario, _ context: ScenarioContext) {
    self.init(
      id: scenario.id, suite: scenario.suite, title: scenario.title, purpose: scenario.purpose,
      exampleFailure: scenario.exampleFailure, requirements: scenario.requirements, verdict: .fail,
      reason: "",
      selfTest: nil, seconds: 0, metrics: [], checks: [], evidence: [], notes: [],
      reproduce: context.reproduceCommand(scenario.id))
  }

  mutating func conclude(_ verdict: Verdict, _ reason: String) {
    self.verdict = verdict
    self.reason = reason
  }

  /// Adds an observation: each metric is judged by its limit and compared with the baseline.
  mutating func fill(_ observation: Observation, profile: Profile, baseline: [ScenarioReport]) {
    let judge = MetricJudge(profile: profile, metrics: observation.metrics)
    metrics = observation.metrics.map { measurement in
      var metric = judge.report(measurement)
      let before = baseline.metric(metric.id)
      if !before.isEmpty { metric.baseline = MetricComparator().compare(before, [metric]) }
      metric.baselineQuantiles = before.first.flatMap { Summary($0.samples)?.quantiles }
      return metric
    }
    checks = observation.checks.map { check in
      // Applies the rule of `Check.init` once more, for a check whose fields were set one by one.
      var check = check
      check.passed = check.passed && check.subjects > 0
      return check
    }
    evidence = observation.evidence.map(EvidenceReport.init)
    notes += observation.notes
    reproduce = observation.reproduce ?? reproduce
  }

  /// Sets the verdict to the most severe verdict of the metrics, the checks and the baseline, with its reasons.
  mutating func judge(against profile: Profile) {
    if metrics.isEmpty && checks.isEmpty {
      return conclude(.fail, "nothing was measured or checked, so nothing was shown")
    }
    var findings = metrics.map { ($0.verdict, "\($0.id): \($0.reason)") }
    findings += checks.map { ($0.passed ? Verdict.pass : .fail, "\($0.id): \($0.detail)") }
    findings += decidingMetrics.compactMap { metric in
      metric.baseline.map { ($0.verdict, "\(metric.id): \($0.reason)") }
    }
    findings += missing(profile).map { (.fail, "\($0): the profile asks for it and it was not measured") }
    let gravest = Verdict.worst(findings.map(\.0)) ?? .fail
    let reasons = gravest.needsAttention ? findings.filter { $0.0 == gravest }.map(\.1) : []
    conclude(Self.asked(gravest), reasons.joined(separator: "; "))
  }

  /// Returns the missed time limits and rules, if nothing else failed. Nil if nothing failed, or if something other than a time failed.
  func lateness(_ profile: Profile) -> [String]? {
    guard !metrics.isEmpty || !checks.isEmpty, missing(profile).isEmpty else { return nil }
    let (late, failed) = (metrics.filter(\.isLate), metrics.filter { $0.verdict == .fail })
    let (slow, broken) = (checks.filter(\.isLate), checks.filter { !$0.passed })
    guard late.count == failed.count, slow.count == broken.count, late.count + slow.count > 0 else {
      return nil
    }
    return late.map { "\($0.id): \($0.reason)" } + slow.map { "\($0.id): \($0.detail)" }
  }

  /// Makes the verdict on late results inconclusive instead of failed.
  /// - Parameters:
  ///   - measurements: the number of measurements, or of self-tests, that do not count.
  ///   - pace: the speed of the slow processor that is the reason; nil if other programs are the reason.
  mutating func excuse(_ reason: String, measurements: Int, by pace: ProcessorPace? = nil) {
    for index in metrics.indices where metrics[index].isLate { metrics[index].verdict = .inconclusive }
    if let pace { slowProcessor = pace.yardstick } else { disturbed = true }
    excused = (excused ?? 0) + measurements
    conclude(.inconclusive, reason)
  }

  /// Fails the scenario because of limits and rules that every measurement missed by more than the misses
  /// scatter, and adds this to their reasons.
  /// - Parameters:
  ///   - agreed: for the id of each such limit or rule, a clause about its misses.
  ///   - others: the processor use of other programs meanwhile; nil if they are not a possible reason.
  mutating func convict(_ agreed: [String: String], beside others: String?) {
    let beside = others.map { " while other programs took \($0)" } ?? ""
    for index in metrics.indices {
      if let words = agreed[metrics[index].id] { metrics[index].reason += ", \(words)\(beside)" }
    }
    for index in checks.indices {
      if let words = agreed[checks[index].id] { checks[index].detail += "; \(words)\(beside)" }
    }
    let reasons =
      metrics.filter { agreed[$0.id] != nil }.map { "\($0.id): \($0.reason)" }
      + checks.filter { agreed[$0.id] != nil }.map { "\($0.id): \($0.detail)" }
    conclude(.fail, reasons.joined(separator: "; "))
  }

  private func missing(_ profile: Profile) -> [String] {
    profile.limits.filter { $0.scenario == id }.map(\.metric).filter { name in
      !metrics.contains { MetricPattern(name).fits($0.id) }
    }
  }

  /// Returns the verdict on the scenario: `recorded` in place of `improved` and `unchanged`, which only describe a comparison, and any
  /// other verdict as it is.
  private static func asked(_ verdict: Verdict) -> Verdict {
    switch verdict {
    case .improved, .unchanged: .recorded
    case .pass, .fail, .regressed, .inconclusive, .incomparable, .unsupported, .recorded, .interrupted:
      verdict
    }
  }
}

extension Check {
  var isLate: Bool { !passed && timed == true && subjects > 0 }
}
