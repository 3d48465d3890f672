import Foundation
import System
import Testing

@testable import Harness

@Suite struct RunnerTests {
  private let context = ScenarioContext(source: .make())
  private let steady = (0..<60).map { 30 + Double($0 * 7 % 5) / 10 }

  private func run(_ scenario: ScriptedScenario, _ runner: Runner = .make()) async throws -> ScenarioReport {
    try #require(try await runner.run([scenario], context: context).scenarios.first)
  }

  @Test func aScenarioThatObeysPasses() async throws {
    let report = try await Runner.make(.make([.make(.p99, .below, 50)])).run(
      [ScriptedScenario { _ in Observation(metrics: [.make(steady)]) }], context: context)
    #expect(report.verdict == .pass)
    #expect(report.counts == ["pass": 1])
    #expect(report.scenarios[0].reproduce == "swiftwing bench --scenario latency.example")
    #expect(report.scenarios[0].selfTest == "zero read as zero")
  }

  @Test func whatAScenarioThrowsIsItsReason() async throws {
    let result = try await run(
      ScriptedScenario { _ in throw HarnessError.write(path: "x", reason: "disk full") })
    #expect(result.verdict == .fail)
    #expect(result.reason.contains("disk full"))
  }

  @Test func unsupportedIsNotAFailure() async throws {
    let scenario = ScriptedScenario { _ in throw Unsupported("the camera has no torch") }
    let result = try await run(scenario)
    #expect(result.verdict == .unsupported)
    #expect(result.reason == "the camera has no torch")
    // A run without any measurement is inconclusive.
    #expect(try await Runner.make().run([scenario], context: context).verdict == .inconclusive)
    #expect(try await Runner.make().run([], context: context).verdict == .inconclusive)
  }

  @Test func aBlindProbeFailsAndIsNotAsked() async throws {
    let scenario = ScriptedScenario(
      proof: { .failed("40 ms read as 0 ms") }, body: { _ in Observation(metrics: [.make([1])]) })
    let result = try await run(scenario)
    #expect(result.verdict == .fail)
    #expect(result.reason.contains("40 ms read as 0 ms"))
    #expect(await scenario.runs.next() == 1)
  }

  @Test func nothingSeenIsAFailure() async throws {
    #expect(try await run(ScriptedScenario { _ in Observation() }).verdict == .fail)
    let empty = Check(id: "upright", title: "Upright", passed: true, subjects: 0, detail: "0 photos")
    let unseen = try await run(ScriptedScenario { _ in Observation(checks: [empty]) })
    #expect(unseen.verdict == .fail)
    #expect(unseen.reason == "upright: nothing was looked at, so nothing was shown (0 photos)")
  }

  @Test func aCheckThatFailsNamesItself() async throws {
    let check = Check(id: "turn", title: "Turn", passed: false, subjects: 4, detail: "270° for 90°")
    let result = try await run(ScriptedScenario { _ in Observation(metrics: [.make([1])], checks: [check]) })
    #expect(result.reason == "turn: 270° for 90°")
  }

  @Test func aMetricTheProfileAsksOfTheScenarioMustBeThere() async throws {
    let profile = Profile.make([
      .make(.max, .atMost, 0, metric: "latency.dropped", scenario: "latency.example")
    ])
    let result = try await run(ScriptedScenario { _ in Observation(metrics: [.make([1])]) }, .make(profile))
    #expect(result.verdict == .fail)
    #expect(result.reason.hasPrefix("latency.dropped:"))
  }

  @Test func aPatternTheProfileAsksForIsMetByAnyThatFits() async throws {
    let profile = Profile.make([.make(.max, .atMost, 9, metric: "photo.*.time", scenario: "latency.example")])
    let met = try await run(
      ScriptedScenario { _ in Observation(metrics: [.make([1], id: "photo.nv12.time")]) }, .make(profile))
    #expect(met.verdict == .pass)
    let unmet = try await run(
      ScriptedScenario { _ in Observation(metrics: [.make([1], id: "photo.nv12.bytes")]) }, .make(profile))
    #expect(unmet.reason == "photo.*.time: the profile asks for it and it was not measured")
  }

  @Test func aScenarioThatHangsIsLeftBehind() async throws {
    let scenario = ScriptedScenario { _ in
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return Observation()
    }
    var runner = Runner.make(clock: InstantClock())
    runner.timeout = .seconds(3)
    let report = try await runner.run([scenario], context: context)
    #expect(report.scenarios[0].verdict == .fail)
    #expect(report.scenarios[0].reason.contains("took longer than 3.0 seconds"))
    let patient = try await runner.run([PatientScenario(hanging: scenario)], context: context)
    #expect(patient.scenarios[0].reason.contains("took longer than 12.0 seconds"))
  }

  /// A scenario whose work takes its time beside busy programs.
  private struct PatientScenario: Scenario {
    let hanging: ScriptedScenario
    var id: String { hanging.id }
    var suite: Suite { hanging.suite }
    var title: String { hanging.title }
    var purpose: String { hanging.purpose }
    var exampleFailure: String { hanging.exampleFailure }
    var requirements: [RequirementID] { hanging.requirements }
    let patience = 4.0

    init(hanging: ScriptedScenario) { self.hanging = hanging }
    func selfTest(_ context: ScenarioContext) async throws -> SelfTest { .passed("the time was up") }
    func run(_ context: ScenarioContext) async throws -> Observation { try await hanging.run(context) }
  }

  @Test func interruptedKeepsWhatThereIs() async throws {
    let directory = try TemporaryDirectory()
    let (started, start) = AsyncStream<Void>.makeStream()
    let first = ScriptedScenario(id: "latency.first") { _ in Observation(metrics: [.make([1])]) }
    let second = ScriptedScenario(id: "latency.second") { _ in
      start.yield()
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }
    let file = ReportFile(directory: directory.path)
    let task = Task { [context] in
      try await Runner.make(file: file).run([first, second, first], context: context)
    }
    for await _ in started { break }
    task.cancel()
    let report = try await task.value
    #expect(report.verdict == .interrupted)
    #expect(report.exitStatus == .interrupted)
    #expect(report.scenarios.map(\.verdict) == [.recorded, .interrupted])
    #expect(try ReportFile.load(path: file.path) == report)
  }

  @Test func theReportIsThereAfterEveryScenario() async throws {
    let directory = try TemporaryDirectory()
    let file = ReportFile(directory: directory.path)
    let second = ScriptedScenario(id: "latency.second") { _ in
      let soFar = try ReportFile.load(path: file.path)
      return Observation(metrics: [.make([Double(soFar.scenarios.count)], unit: .count)])
    }
    let first = ScriptedScenario { _ in Observation(metrics: [.make([1])]) }
    let report = try await Runner.make(file: file).run([first, second], context: context)
    #expect(report.scenarios[1].metrics[0].samples == [1])
    #expect(directory.names == ["report.json"])
  }

  @Test func aRegressionIsRunAgainBeforeItIsCalledOne() async throws {
    let baseline = try await Report.make(Observation(metrics: [.make(steady)]))
    let slow = steady.map { $0 * 1.4 }
    let always = ScriptedScenario { _ in Observation(metrics: [.make(slow)]) }
    let regressed = try await Runner.make(baseline: baseline).run([always], context: context)
    #expect(regressed.verdict == .regressed)
    #expect(regressed.exitStatus == .failed)
    #expect(regressed.baseline?.reason == "1 of 1 metrics regressed: latency.glass-to-glass +40 %.")
    #expect(regressed.scenarios[0].reason.contains("the nearer of 2 new runs"))
    #expect(await always.runs.next() == 3)

    let once = ScriptedScenario { [steady] run in Observation(metrics: [.make(run == 1 ? slow : steady)]) }
    let cleared = try await Runner.make(baseline: baseline).run([once], context: context)
    #expect(cleared.baseline?.verdict == .unchanged)
    #expect(cleared.exitStatus == .success)
    #expect(cleared.scenarios[0].metrics[0].baseline?.new?.count == 2)
  }

  @Test func severalRunsOfTheBaselineAreTheMeasure() async throws {
    var runner = Runner.make()
    runner.baseline = try Baseline([
      try await Report.make(Observation(metrics: [.make(steady)])),
      try await Report.make(Observation(metrics: [.make(steady.map { $0 * 1.2 })])),
    ])
    let slower = ScriptedScenario { [steady] _ in Observation(metrics: [.make(steady.map { $0 * 1.4 })]) }
    let report = try await runner.run([slower], context: context)
    let found = try #require(report.scenarios[0].metrics[0].baseline)
    // The value is outside the tolerance of one baseline run, and within that of the other.
    #expect(found.verdict == .inconclusive && found.base?.count == 2)
    #expect(report.baseline?.runs == 2 && report.exitStatus == .inconclusive)
  }

  @Test func aMetricThatIsNotToDecideIsComparedAndDecidesNothing() async throws {
    var profile = Profile.make()
    profile.tolerances = [
      ToleranceRule(metric: "photo.time", tolerance: Tolerance(decides: false)),
      ToleranceRule(tolerance: Tolerance()),
    ]
    let same = [Measurement.make(steady, id: "photo.time"), .make(steady, id: "photo.processor")]
    let slow = [Measurement.make(steady.map { $0 * 1.4 }, id: "photo.time"), same[1]]
    let baseline = try await Report.make(Observation(metrics: same), profile: profile)
    let scenario = ScriptedScenario { _ in Observation(metrics: slow) }
    let report = try await Runner.make(profile, baseline: baseline).run([scenario], context: context)
    #expect(report.baseline?.verdict == .unchanged)
    #expect(report.scenarios[0].metrics.first { $0.id == "photo.time" }?.baseline?.verdict == .regressed)
    #expect(await scenario.runs.next() == 2)
  }

  @Test func aBaselineFromElsewhereIsRefused() async throws {
    let baseline = try await Report.make(
      Observation(metrics: [.make(steady)]), environment: .make(cpu: "Other CPU"))
    let scenario = ScriptedScenario { [steady] _ in Observation(metrics: [.make(steady.map { $0 * 2 })]) }
    let report = try await Runner.make(baseline: baseline).run([scenario], context: context)
    #expect(report.baseline?.verdict == .incomparable)
    #expect(report.scenarios[0].metrics[0].baseline == nil)
    #expect(report.exitStatus == .inconclusive)
  }

  @Test func untilTheEndTheReportSaysThatItIsOpen() async throws {
    let directory = try TemporaryDirectory()
    let file = ReportFile(directory: directory.path)
    let first = ScriptedScenario { _ in Observation(metrics: [.make([1])]) }
    let second = ScriptedScenario(id: "latency.second") { _ in
      let soFar = try ReportFile.load(path: file.path)
      let isOpen = !soFar.complete && soFar.verdict == .interrupted && soFar.scenarios.count == 1
      return Observation(metrics: [.make([isOpen ? 1 : 0], unit: .count)])
    }
    let report = try await Runner.make(file: file).run([first, second], context: context)
    #expect(report.scenarios[1].metrics[0].samples == [1])
    #expect(report.complete)
    #expect(try ReportFile.load(path: file.path) == report)
  }

  @Test func anInterruptedRunIsNotUnchanged() async throws {
    let baseline = try await Report.make(Observation(metrics: [.make(steady)]))
    let scenario = ScriptedScenario { [steady] _ in Observation(metrics: [.make(steady)]) }
    let task = Task { [context] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Runner.make(baseline: baseline).run([scenario], context: context)
    }
    let report = try await task.value
    #expect(report.verdict == .interrupted && !report.complete && report.scenarios.isEmpty)
    #expect(report.baseline?.verdict == .interrupted)
  }

  @Test func whatWasBrokenChosenAndSharedOutIsRecorded() async throws {
    var runner = Runner.make()
    (runner.fault, runner.selection, runner.shard) = ("delay", "--suite latency", Shard("1/2"))
    let scenario = ScriptedScenario { _ in Observation(metrics: [.make([1])]) }
    let report = try await runner.run([scenario], context: context)
    #expect(report.fault == "delay" && report.part == "--suite latency --shard 1/2")
  }

  @Test func shardsTogetherAreTheWhole() throws {
    let parts = try (1...3).map { try #require(Shard("\($0)/3")).select(from: Array(0..<10)) }
    #expect(parts.flatMap { $0 }.sorted() == Array(0..<10))
    for text in ["0/3", "4/3", "1", "1/", "a/b", "1/2/3", "-1/2", "1/1001"] { #expect(Shard(text) == nil) }
  }
}
