import Foundation

/// A runner of scenarios: it runs them one after the other, judges them, and writes the report after each.
public struct Runner: Sendable {
  /// Progress of a run, for display.
  public enum Progress: Sendable, Equatable {
    /// - Parameter index: number of the scenario, 1...total.
    case started(scenario: String, index: Int, total: Int)
    /// A regression is suspected: the scenario runs again before the regression is reported.
    case rerunning(scenario: String, metrics: [String])
    /// Time limits were missed while other programs were busy, or on a slow processor: the scenario is measured again.
    case measuringAgain(scenario: String, reason: String)
    /// - Parameter figure: the most telling figure (`ScenarioReport.headline`). Nil if nothing was measured.
    case finished(scenario: String, verdict: Verdict, reason: String, figure: String?)
  }

  /// The profile with the limits and tolerances.
  public var profile: Profile
  /// The program that measures, for the report.
  public var tool: Report.Tool
  /// The machine, as it was when the runner was created.
  public var environment: RunEnvironment
  /// The file for the report, written after every scenario. Nil to keep the report in memory.
  public var reportFile: ReportFile?
  /// The runs to compare with. Nil for none.
  public var baseline: Baseline?
  /// The fault injected on purpose. Nil in an ordinary run.
  public var fault: String?
  /// The selected suites or scenarios, as typed. Nil for a whole run.
  public var selection: String?
  /// The shard that this run is, if the run is divided. Nil for an undivided run.
  public var shard: Shard?
  /// All scenarios of the run that `shard` is a part of, in its order. The report of a shard names them.
  public var planned: [any Scenario] = []
  /// Operator, customer and remarks for the report.
  public var handover: Handover?
  /// The checkout in which the declarations of scenarios are searched for the report. Nil outside of a checkout.
  public var checkout: Checkout?
  /// Longest time of a run of a scenario. A scenario that takes longer is cancelled and fails.
  public var timeout: Duration
  var processorUse: @Sendable () -> ProcessorLoad? = { ProcessorLoad.current() }
  /// Measures the current speed of the processor; see `Yardstick`.
  var yardstick: @Sendable () -> Double = { Yardstick.measure() }
  /// The clock for time-outs.
  let clock: any Clock<Duration>

  /// Creates a runner. Without a file, the report is only returned. A scenario that takes longer than `timeout` fails.
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

  /// Runs all of `scenarios`. If the calling task is cancelled, the current scenario is ended, the rest is left out, and the report so far is
  /// returned with the verdict `interrupted`.
  /// - Throws: `HarnessError.write` if the report cannot be written, at the start or after a scenario.
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
      deadline: Deadline(limit: timeout * scenario.patience, clock: clock),
      watch: ProcessorWatch(read: processorUse, clock: clock), yardstick: yardstick)
  }
}
