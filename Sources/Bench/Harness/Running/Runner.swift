import Foundation

/// Runs scenarios one after the other, judges them, and leaves the report on disk after each.
public struct Runner: Sendable {
  /// What a watcher is told.
  public enum Progress: Sendable, Equatable {
    /// - Parameter index: 1...total.
    case started(scenario: String, index: Int, total: Int)
    /// A regression is suspected: the scenario runs again before it is called one.
    case rerunning(scenario: String, metrics: [String])
    /// Figures that are a matter of time were missed while other programs were busy, or on a slow processor: the scenario is measured
    /// again.
    case measuringAgain(scenario: String, reason: String)
    /// - Parameter figure: what says most of it (`ScenarioReport.headline`); nil when nothing was measured.
    case finished(scenario: String, verdict: Verdict, reason: String, figure: String?)
  }

  /// Whose limits and tolerances judge.
  public var profile: Profile
  /// What the report says measured it.
  public var tool: Report.Tool
  /// The machine, as it was when the runner was made.
  public var environment: RunEnvironment
  /// Where `report.json` goes after every scenario; nil to keep the report in memory.
  public var reportFile: ReportFile?
  /// The runs compared with.
  public var baseline: Baseline?
  /// What is broken on purpose; nil in an ordinary run.
  public var fault: String?
  /// The suites or scenarios that were named, as they were typed; nil for a whole run.
  public var selection: String?
  /// Which part of a run the scenarios are.
  public var shard: Shard?
  /// All scenarios of the run that `shard` is a part of, in its order; the report of a shard names them.
  public var planned: [any Scenario] = []
  /// What people add to the report.
  public var handover: Handover?
  /// Where the report may say that scenarios are declared; nil outside of a checkout.
  public var checkout: Checkout?
  /// Longest one run of a scenario may take before it is cancelled and failed.
  public var timeout: Duration
  /// Who has had the processors so far.
  var processorUse: @Sendable () -> ProcessorLoad? = { ProcessorLoad.current() }
  /// How fast the processor is just now; see `Yardstick`.
  var yardstick: @Sendable () -> Double = { Yardstick.measure() }
  /// What time-outs are counted on.
  let clock: any Clock<Duration>

  /// A runner; without a file the report is only returned. A scenario that takes longer than `timeout` fails.
  public init(
    profile: Profile, tool: Report.Tool, environment: RunEnvironment = .current(),
    reportFile: ReportFile? = nil,
    baseline: Baseline? = nil, timeout: Duration = .seconds(120),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.profile = profile
    self.tool = tool
    self.environment = environment
    self.reportFile = reportFile
    self.baseline = baseline
    self.timeout = timeout
    self.clock = clock
  }

  /// Runs all of `scenarios`. The cancellation of the calling task ends the scenario at hand, leaves out the rest, and
  /// returns what there is with the verdict `interrupted`.
  /// - Throws: only when the report cannot be written, at the start or after a scenario.
  public func run(
    _ scenarios: [any Scenario], context: ScenarioContext,
    onProgress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(HarnessError) -> Report {
    var report = Report(
      tool: tool, started: Date.now.ISO8601Format(), environment: environment, source: context.source,
      profile: profile.name, duration: context.duration)
    report.fault = fault
    report.selection = selection
    report.shard = shard
    if shard != nil { report.planned = planned.map { PlannedScenario($0, context) } }
    report.handover = handover
    let declarations = checkout?.declarations(of: scenarios) ?? [:]
    let comparability = baseline.map {
      Comparability(base: $0.first, new: report, planned: scenarios.map(\.id))
    }
    try reportFile?.write(report)
    for (index, scenario) in scenarios.enumerated() {
      if Task.isCancelled { break }
      onProgress(.started(scenario: scenario.id, index: index + 1, total: scenarios.count))
      var result = await trial(of: scenario, context, comparing: comparability?.refusal == nil).report(
        onProgress)
      result.declaration = declarations[result.id]
      report.scenarios.append(result)
      conclude(&report, comparability)
      try reportFile?.write(report)
      onProgress(
        .finished(
          scenario: result.id, verdict: result.verdict, reason: result.reason, figure: result.headline))
    }
    report.complete = !Task.isCancelled
    conclude(&report, comparability)
    try reportFile?.write(report)
    return report
  }

  private func conclude(_ report: inout Report, _ comparability: Comparability?) {
    if let baseline, let comparability {
      report.baseline = BaselineSummary(of: report, against: baseline, comparability)
    }
    report.conclude()
  }

  private func trial(of scenario: any Scenario, _ context: ScenarioContext, comparing: Bool) -> ScenarioTrial
  {
    ScenarioTrial(
      scenario: scenario, context: context, profile: profile,
      baseline: comparing ? baseline?.scenario(scenario.id) ?? [] : [],
      deadline: Deadline(limit: timeout, clock: clock),
      watch: ProcessorWatch(read: processorUse, clock: clock), yardstick: yardstick)
  }
}
