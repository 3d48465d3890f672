import Foundation
import Testing

@testable import Harness

/// If other programs may explain lateness, the scenario is measured again, and the lateness is no failure of the engine. Other
/// lateness is.
@Suite struct BusyMachineTests {
  private let context = ScenarioContext(source: .make())
  private let profile = Profile.make([
    .make(.max, .atMost, 50), .make(.max, .atMost, 0, metric: "pan.repeated", unit: .count),
  ])

  /// Creates a runner.
  /// - Parameters:
  ///   - shares: the share of the processors that other programs use, for each self-test or measurement in turn; the last share is
  ///     repeated.
  ///   - seconds: the duration of each self-test or measurement.
  private func runner(_ shares: [Double], seconds: Double = 10) -> Runner {
    var runner = Runner.make(profile)
    let readings = Readings(shares: shares, seconds: seconds)
    runner.processorUse = { readings.next() }
    return runner
  }

  /// Creates a scenario.
  /// - Parameter worst: the worst sample of each measurement, in milliseconds; the last one is repeated.
  private func scenario(_ worst: [Double]) -> ScriptedScenario {
    ScriptedScenario { run in Observation(metrics: [.make([30, worst[min(run, worst.count) - 1]])]) }
  }

  @Test func whatIsLateBesideOthersIsMeasuredAgainAndPasses() async throws {
    let scenario = scenario([90, 40])
    let report = try await runner([0, 0.17, 0.17]).run([scenario], context: context)
    let row = report.scenarios[0]
    #expect(report.verdict == .pass && report.exitStatus == .success)
    #expect(row.attempts == 2 && row.metrics[0].max == 40)
    #expect(row.notes.contains { $0.contains("17 % of the processors") && $0.contains("max is 90 ms") })
    #expect(await scenario.runs.next() == 3)
  }

  @Test func whatStaysLateBesideOthersIsInconclusiveAndSaysWhy() async throws {
    let scenario = scenario([90, 60, 85])
    let report = try await runner([0, 0.5, 0.3, 0.4]).run([scenario], context: context)
    let row = report.scenarios[0]
    #expect(report.verdict == .inconclusive && report.exitStatus == .inconclusive)
    #expect(report.inconclusive.disturbed == ["latency.example"] && report.inconclusive.others.isEmpty)
    #expect(row.disturbed == true && row.attempts == 3 && row.excused == 3 && row.others == 0.3)
    // The report keeps the least disturbed measurement.
    #expect(row.metrics[0].max == 60 && row.metrics[0].verdict == .inconclusive)
    #expect(row.reason.contains("max is 60 ms, the limit is ≤ 50 ms"))
    #expect(row.reason.contains("50 % of the processors; 30 % of the processors; 40 % of the processors"))
    #expect(
      row.reason.hasSuffix("Measure it again on a quiet machine: swiftwing bench --scenario latency.example"))
    #expect(await scenario.runs.next() == 4)
  }

  /// The scenario is late by 40 ms or by two seconds in all three measurements. Other programs would make the readings scatter, so
  /// readings that agree are a failure.
  @Test(arguments: [[73.9, 74, 74], [2086, 2086, 2086], [90, 80, 85], [51, 50.6, 50.8]])
  func threeReadingsThatAgreeFailWhoeverIsBusy(worst: [Double]) async throws {
    let report = try await runner([0, 0.5, 0.3, 0.4]).run([scenario(worst)], context: context)
    let row = report.scenarios[0]
    #expect(report.verdict == .fail && report.exitStatus == .failed)
    #expect(row.attempts == 3 && row.excused == nil && row.disturbed == nil)
    #expect(row.metrics[0].verdict == .fail && row.metrics[0].max == worst[1])
    #expect(row.reason.contains("that is more than the 3 scatter while other programs took 50 %"))
    #expect(report.excuses == nil)
  }

  /// If the readings scatter by as much as they exceed the limit, the cause is unknown.
  @Test(arguments: [[60, 70, 65], [90, 60, 85], [50.1, 74, 74]])
  func readingsThatScatterAsFarAsTheyMissAreInconclusive(worst: [Double]) async throws {
    let report = try await runner([0, 0.5]).run([scenario(worst)], context: context)
    #expect(report.verdict == .inconclusive && report.scenarios[0].excused == 3)
    #expect(report.excuses == "latency.example 3 times")
  }

  /// The worst samples scatter by more than they exceed the limit. But the best samples exceed it too, and agree.
  @Test func whatIsLateInItsBestSamplesFailsThoughTheWorstScatter() async throws {
    let late = ScriptedScenario { run in
      Observation(metrics: [.make([86, 87, 86.5, 88, [95, 190, 130][run - 1]])])
    }
    let report = try await runner([0, 0.5]).run([late], context: context)
    #expect(report.verdict == .fail)
    #expect(report.scenarios[0].reason.contains("even the best quarter of the samples missed by 36.5"))
  }

  /// Each measurement exceeds a different limit. No limit is exceeded every time, so the verdict is inconclusive.
  @Test func eachLimitIsWeighedByItself() async throws {
    var profile = profile
    profile.limits.append(.make(.max, .atMost, 50, metric: "pan.gap"))
    let turns = ScriptedScenario { run in
      Observation(metrics: [.make([run == 2 ? 40 : 74]), .make([run == 2 ? 74 : 40], id: "pan.gap")])
    }
    var runner = runner([0, 0.5])
    runner.profile = profile
    #expect(try await runner.run([turns], context: context).verdict == .inconclusive)
  }

  /// One lost frame in each of three measurements may be chance; two in each are a failure.
  @Test(arguments: [(1.0, Verdict.inconclusive), (2, .fail)])
  func whatIsCountedScattersByOneAtLeast(lost: Double, verdict: Verdict) async throws {
    let scenario = ScriptedScenario { _ in
      Observation(metrics: [
        Measurement(
          id: "pan.repeated", title: "Lost", unit: .count, level: .synthetic, kind: .timed, samples: [lost])
      ])
    }
    #expect(try await runner([0, 0.5]).run([scenario], context: context).verdict == verdict)
  }

  @Test func whatWasExcusedIsCounted() async throws {
    let report = try await runner([0, 0.17, 0.17]).run([scenario([90, 40])], context: context)
    #expect(report.scenarios[0].excused == 1 && report.excuses == "latency.example once")
    #expect(MarkdownSummary(report).markdown.contains("latency.example once"))
    #expect(ReportFile.validate(try ReportFile.encode(report)) == [])
    let quiet = try await runner([0]).run([scenario([40])], context: context)
    #expect(quiet.scenarios[0].excused == nil && quiet.excuses == nil)
    #expect(!MarkdownSummary(quiet).markdown.contains("Excused"))
  }

  @Test func whatIsLateOnAQuietMachineFailsAtOnce() async throws {
    let scenario = scenario([90, 40])
    let report = try await runner([0.05]).run([scenario], context: context)
    #expect(report.verdict == .fail && report.scenarios[0].attempts == nil)
    #expect(await scenario.runs.next() == 2)
  }

  @Test func whatIsLateAgainOnceTheOthersAreGoneFails() async throws {
    let report = try await runner([0, 0.6, 0.02]).run([scenario([90, 85, 40])], context: context)
    #expect(report.verdict == .fail && report.scenarios[0].attempts == 2)
    #expect(report.scenarios[0].metrics[0].max == 85)
  }

  @Test func whatIsWrongFailsHoweverBusyTheMachineIs() async throws {
    let repeated = ScriptedScenario { _ in
      Observation(metrics: [.make([1], id: "pan.repeated", unit: .count)])
    }
    #expect(try await runner([0.9]).run([repeated], context: context).verdict == .fail)
    #expect(await repeated.runs.next() == 2)
    let check = Check(id: "turn", title: "Turn", passed: false, subjects: 4, detail: "270° for 90°")
    let both = ScriptedScenario { _ in Observation(metrics: [.make([90])], checks: [check]) }
    #expect(try await runner([0.9]).run([both], context: context).verdict == .fail)
    #expect(await both.runs.next() == 2)
    let nothing = ScriptedScenario { _ in Observation(metrics: [.make([])]) }
    #expect(try await runner([0.9]).run([nothing], context: context).verdict == .fail)
    let thrown = ScriptedScenario { _ in throw HarnessError.merge(reason: "broken") }
    #expect(try await runner([0.9]).run([thrown], context: context).verdict == .fail)
  }

  @Test func whatIsWrongTheSecondTimeFails() async throws {
    let scenario = ScriptedScenario { run in
      Observation(metrics: [.make([90]), .make([run == 2 ? 1 : 0], id: "pan.repeated", unit: .count)])
    }
    let report = try await runner([0.9]).run([scenario], context: context)
    #expect(report.verdict == .fail && report.scenarios[0].reason.contains("pan.repeated"))
  }

  @Test func aRuleThatIsAMatterOfTimeIsLookedAtAgain() async throws {
    let slow = ScriptedScenario { run in
      Observation(checks: [
        Check(
          id: "ahead", title: "Ahead", passed: run == 3, subjects: 4, detail: "behind",
          missedBy: run == 3 ? -1 : 7.5)
      ])
    }
    #expect(try await runner([0.9]).run([slow], context: context).verdict == .pass)
    func never(_ misses: [Double]) -> ScriptedScenario {
      ScriptedScenario { run in
        Observation(checks: [
          Check(
            id: "ahead", title: "Ahead", passed: false, subjects: 4, detail: "behind",
            missedBy: misses[run - 1])
        ])
      }
    }
    #expect(try await runner([0.9]).run([never([9.5, 1.5, 4])], context: context).verdict == .inconclusive)
    #expect(try await runner([0.0]).run([never([9.5])], context: context).verdict == .fail)
    let alike = try await runner([0.9]).run([never([9.5, 9.1, 9.2])], context: context)
    #expect(
      alike.verdict == .fail && alike.scenarios[0].checks[0].detail.contains("missed by 9.50, 9.10, 9.20"))
    #expect(ReportFile.validate(try ReportFile.encode(alike)) == [])
  }

  /// The example: while compilers ran, an unchanged build measured 12 % slower than its stored baseline in two of two runs.
  @Test(arguments: [
    (1.12, [0, 0.5], Verdict.inconclusive, 3), (1.12, [0, 0.02], .regressed, 2),
    (1.12, [0, 0.5, 0.5, 0.02], .regressed, 3), (1.18, [0, 0.5], .regressed, 3),
  ])
  func aRegressionThatOthersMayExplainIsNone(
    factor: Double, shares: [Double], verdict: Verdict, measurements: Int
  ) async throws {
    let steady = (0..<20).map { 40 + Double($0 % 5) / 100 }
    var profile = Profile.make()
    profile.tolerances = [ToleranceRule(tolerance: Tolerance(detectable: 0.1))]
    let baseline = try await Report.make(Observation(metrics: [.make(steady)]), profile: profile)
    let slow = ScriptedScenario { _ in Observation(metrics: [.make(steady.map { $0 * factor })]) }
    var runner = runner(shares)
    (runner.profile, runner.baseline) = (profile, try Baseline([baseline]))
    let report = try await runner.run([slow], context: context)
    #expect(report.scenarios[0].verdict == verdict)
    #expect(report.scenarios[0].metrics[0].baseline?.new?.count == measurements)
    #expect(report.inconclusive.disturbed == (verdict == .inconclusive ? ["latency.example"] : []))
  }

  /// Other programs may explain a small change, but not a missing sample.
  @Test func anEmptySampleIsNotExcusedByOthers() async throws {
    let steady = (0..<20).map { 40 + Double($0 % 5) / 100 }
    var profile = Profile.make()
    profile.tolerances = [ToleranceRule(tolerance: Tolerance(detectable: 0.1))]
    let both = [Measurement.make(steady), .make(steady, id: "photo.time")]
    let baseline = try await Report.make(Observation(metrics: both), profile: profile)
    let slow = ScriptedScenario { _ in
      Observation(metrics: [
        .make(steady.map { $0 * 1.12 }), .make(steady.dropLast().map { $0 } + [.nan], id: "photo.time"),
      ])
    }
    var runner = runner([0, 0.5])
    (runner.profile, runner.baseline) = (profile, try Baseline([baseline]))
    let report = try await runner.run([slow], context: context)
    #expect(report.scenarios[0].disturbed != true)
    #expect(report.exitStatus != .success)
  }

  @Test func aProbeThatIsLateIsProvedAgain() async throws {
    let proofs = RunCounter()
    let late = ScriptedScenario(
      proof: {
        await proofs.next() < 3 ? .late("read as 2.4 times", missedBy: 0.1) : .passed("read as 2 times")
      },
      body: { _ in Observation(metrics: [.make([1])]) })
    let proved = try await runner([0.5]).run([late], context: context)
    #expect(proved.verdict == .pass && proved.scenarios[0].excused == 2)
    let tries = RunCounter()
    let never = ScriptedScenario(
      proof: { .late("read as 2.4 times", missedBy: [0.1, 0.9, 0.4][await tries.next() % 3]) },
      body: { _ in Observation(metrics: [.make([1])]) })
    let report = try await runner([0.5]).run([never], context: context)
    #expect(report.scenarios[0].excused == 3)
    let alike = ScriptedScenario(
      proof: { .late("read as 3 times", missedBy: 0.6) }, body: { _ in Observation(metrics: [.make([1])]) })
    #expect(try await runner([0.5]).run([alike], context: context).verdict == .fail)
    #expect(report.verdict == .inconclusive && report.scenarios[0].reason.contains("50 % of the processors"))
    #expect(try await runner([0.01]).run([never], context: context).verdict == .fail)
  }

  /// The measurement is shorter than the kernel's unit of processor accounting, so other programs may have been busy. It is
  /// measured again, and fails if other programs were never seen.
  @Test func whatIsTooShortToSayIsMeasuredAgainAndFails() async throws {
    let scenario = scenario([90])
    let report = try await runner([0.9], seconds: 0.1).run([scenario], context: context)
    #expect(report.verdict == .fail)
    #expect(await scenario.runs.next() == 4)
  }

  @Test func aBurstExplainsWhatTheMeanDoesNotShow() {
    #expect(Neighbours(share: 0.09, peak: 0.2).areBusy == false)
    #expect(Neighbours(share: 0.1, peak: 0.1).areBusy == true)
    #expect(Neighbours(share: 0.02, peak: 0.25).areBusy == true)
    #expect(Neighbours(share: nil, peak: nil).areBusy == nil)
  }

  @Test func whatOthersTookIsOneSentence() async throws {
    var report = try await Report.make(Observation(metrics: [.make([1])]))
    var (pan, start) = (report.scenarios[0], report.scenarios[0])
    (pan.id, start.id) = ("latency.pan", "cold-start.process")
    (pan.others, pan.othersPeak, pan.seconds) = (0.5, 0.61, 9)
    (start.others, start.othersPeak, start.seconds) = (0.1, nil, 1)
    report.scenarios = [start, pan]
    #expect(
      report.neighbours
        == "other programs took 46 % of the processors meanwhile, at most 61 % for half a second, during latency.pan"
    )
    (start.others, start.othersPeak) = (nil, nil)
    report.scenarios = [start]
    #expect(report.neighbours == nil)
  }

  @Test func theReportKeepsTheSchema() async throws {
    let directory = try TemporaryDirectory()
    var busy = runner([0, 0.5, 0.3, 0.4])
    busy.reportFile = ReportFile(directory: directory.path)
    let report = try await busy.run([scenario([90, 60, 85])], context: context)
    #expect(try ReportFile.load(path: directory.path + "/report.json") == report)
  }

  @Test func processesThatOursStartedAreOurs() throws {
    let directory = try TemporaryDirectory()
    func write(_ path: String, _ text: String) throws {
      let file = URL(filePath: directory.path + "/proc/" + path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    func stat(_ name: String, _ ticks: [Int]) -> String {
      "1 (\(name)) S 1 1 1 0 -1 0 0 0 0 0 \(ticks.map(String.init).joined(separator: " ")) 20 0 1 0\n"
    }
    try write("self/task/7/children", "42 43 ")
    try write("self/task/8/children", "")
    try write("42/stat", stat("a (b) c", [100, 10, 3, 2]))
    try write("42/task/42/children", "44 ")
    try write("43/stat", stat("sh", [1, 1, 0, 0]))
    try write("44/stat", stat("deep", [1000, 0, 0, 0]))
    #expect(ProcessTree(root: directory.path).ticks == 1117)
    // Process 42 and its children do not count if this process inherited it, by replacing the script that had started it.
    #expect(ProcessTree(root: directory.path, inherited: ["42"]).ticks == 2)
    try write("self/stat", stat("qemu", [700, 300, 0, 0]))
    try write(
      "stat", "cpu  500 0 500 9 0 0 0 500 0 0\ncpu0 1 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0\ncpu2 0\nintr 1\n")
    let outside = try #require(ProcessorLoad.outside(directory.path + "/proc"))
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    #expect(outside.busy == 1500 / ticks && outside.own == 1000 / ticks && outside.processors == 3)
    #expect(ProcessorLoad.outside(directory.path) == nil)
    // Processor 0 is idle, and this program may use no other.
    try write("stat", "cpu  900 0 0 9 0 0 0 0 0 0\ncpu0 0 0 0 9 0 0 0 0 0 0\ncpu1 900 0 0 0 0 0 0 0 0 0\n")
    try write("self/status", "Name:\ttest\nCpus_allowed:\t1\nCpus_allowed_list:\t0\n")
    let bound = try #require(ProcessorLoad.read(root: directory.path))
    #expect(bound.busy == 0 && bound.processors == 1)
    try write("self/status", "Cpus_allowed_list:\t0-1\n")
    let free = try #require(ProcessorLoad.read(root: directory.path))
    #expect(free.busy == 900 / ticks && free.processors == 2)
  }
}

/// Readings of the processors' load, with given shares of other programs.
private final class Readings: @unchecked Sendable {
  private let lock = NSLock()
  private let shares: [Double]
  private let seconds: Double
  private var count = 0
  private var busy = 0.0
  private let start = ContinuousClock.now

  init(shares: [Double], seconds: Double) { (self.shares, self.seconds) = (shares, seconds) }

  /// Returns the reading at the beginning or, with the next call, at the end of a measurement.
  func next() -> ProcessorLoad {
    lock.withLock {
      if count % 2 == 1 { busy += shares[min(count / 2, shares.count - 1)] * seconds * 4 }
      count += 1
      return ProcessorLoad(busy: busy, own: 0, time: start + .seconds(seconds) * (count / 2), processors: 4)
    }
  }
}
