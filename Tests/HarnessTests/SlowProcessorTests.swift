import Foundation
import Testing

@testable import Harness

/// If a slow, emulated processor may explain lateness, the scenario is measured again, and the lateness is no failure of the
/// engine. Other lateness is.
@Suite struct SlowProcessorTests {
  private let context = ScenarioContext(source: .make())

  /// Creates a runner.
  /// - Parameter yardstick: the time that the processor takes for the yardstick's work, in milliseconds.
  private func runner(_ yardstick: Double, _ limits: [Limit] = [.make(.max, .atMost, 50)]) -> Runner {
    var runner = Runner.make(Profile.make(limits))
    runner.yardstick = { yardstick }
    return runner
  }

  private func scenario(_ worst: [Double]) -> ScriptedScenario {
    ScriptedScenario { run in Observation(metrics: [.make([30, worst[min(run, worst.count) - 1]])]) }
  }

  @Test func whatAFewMillisecondsExplainIsInconclusiveAndSaysWhy() async throws {
    let scenario = scenario([90, 60, 85])
    let report = try await runner(34).run([scenario], context: context)
    let row = report.scenarios[0]
    #expect(report.verdict == .inconclusive && report.exitStatus == .inconclusive)
    #expect(report.inconclusive.slow == ["latency.example"])
    #expect(report.inconclusive.disturbed.isEmpty && report.inconclusive.others.isEmpty)
    #expect(row.slowProcessor == 34 && row.disturbed == nil && row.attempts == 3)
    // The report keeps the measurement with the least lateness.
    #expect(row.metrics[0].max == 60 && row.metrics[0].verdict == .inconclusive && row.excused == 3)
    #expect(row.reason.contains("max is 60 ms, the limit is ≤ 50 ms"))
    #expect(row.reason.contains("takes 34 ms for work that usual processors do in 3 ms"))
    #expect(row.reason.hasSuffix("Measure it on a faster one: swiftwing bench --scenario latency.example"))
    #expect(await scenario.runs.next() == 4)
  }

  @Test func oneMeasurementThatHoldsIsEnough() async throws {
    let report = try await runner(34).run([scenario([90, 45])], context: context)
    #expect(report.verdict == .pass && report.scenarios[0].attempts == 2)
    #expect(report.scenarios[0].slowProcessor == nil)
    #expect(report.scenarios[0].notes.contains { $0.contains("34 ms") && $0.contains("max is 90 ms") })
  }

  /// A slow processor explains lateness of up to twice the yardstick, here 68 ms beyond the limit of 50. More is a failure.
  @Test(arguments: [(117.0, Verdict.inconclusive), (119, .fail)])
  func whatIsLaterThanTheProcessorExplainsFails(worst: Double, verdict: Verdict) async throws {
    let scenario = scenario([worst, worst + 90, worst + 99])
    #expect(try await runner(34).run([scenario], context: context).verdict == verdict)
  }

  @Test func threeReadingsThatAgreeFailHoweverSlowTheProcessorIs() async throws {
    let report = try await runner(34).run([scenario([80, 79, 81])], context: context)
    #expect(report.verdict == .fail && report.scenarios[0].reason.contains("that is more than the 3 scatter"))
    #expect(report.scenarios[0].slowProcessor == nil)
  }

  /// A comparison with another metric is not excused, because the processor was equally slow for both.
  @Test(arguments: [true, nil])
  func whatRanByTurnsIsNotExcused(paired: Bool?) async throws {
    let limit = Limit.make(
      .p50, .atMost, 0, reference: .init(metric: "peers.other", factor: 1.1, paired: paired))
    let behind = ScriptedScenario { run in
      let ours = [86.0, 95, 120][run - 1]
      return Observation(metrics: [.make([ours, ours]), .make([76, 76], id: "peers.other")])
    }
    #expect(try await runner(34, [limit]).run([behind], context: context).verdict == .fail)
    #expect(await behind.runs.next() == 4)
    let rule = ScriptedScenario { run in
      Observation(checks: [
        Check(
          id: "ahead", title: "Ahead", passed: false, subjects: 4, detail: "behind",
          missedBy: [1.5, 9, 4.5][run - 1])
      ])
    }
    #expect(try await runner(34).run([rule], context: context).verdict == .fail)
  }

  @Test func aProcessorThatIsFastEnoughExcusesNothing() async throws {
    let scenario = scenario([51, 40])
    #expect(try await runner(14.9).run([scenario], context: context).verdict == .fail)
    #expect(await scenario.runs.next() == 2)
  }

  /// Rates are judged as intervals: 40 ms at 25 frames a second, 50 ms at 20.
  @Test(arguments: [(20.0, 15.0, Verdict.inconclusive), (1.0, 15, .fail), (0, 15, .fail)])
  func ratesAreIntervals(rate: Double, yardstick: Double, verdict: Verdict) async throws {
    let slow = ScriptedScenario { run in
      let rate = rate * [1, 0.9, 0.7][run - 1]
      return Observation(metrics: [.make([rate], id: "pan.rate", unit: .framesPerSecond)])
    }
    let runner = runner(
      yardstick, [.make(.min, .atLeast, 25, metric: "pan.rate", unit: .framesPerSecond)])
    #expect(try await runner.run([slow], context: context).verdict == verdict)
  }

  @Test func whatIsWrongFailsHoweverSlowTheProcessorIs() async throws {
    let check = Check(id: "turn", title: "Turn", passed: false, subjects: 4, detail: "270° for 90°")
    let both = ScriptedScenario { _ in Observation(metrics: [.make([60])], checks: [check]) }
    #expect(try await runner(34).run([both], context: context).verdict == .fail)
    #expect(await both.runs.next() == 2)
    let repeated = ScriptedScenario { _ in
      Observation(metrics: [.make([1], id: "pan.repeated", unit: .count)])
    }
    let counted = runner(34, [.make(.max, .atMost, 0, metric: "pan.repeated", unit: .count)])
    #expect(try await counted.run([repeated], context: context).verdict == .fail)
  }

  @Test func aRuleThatIsAMatterOfTimeIsLookedAtAgain() async throws {
    let slow = ScriptedScenario { run in
      Observation(checks: [
        Check(
          id: "ahead", title: "Ahead", passed: run == 3, subjects: 4, detail: "behind",
          missedBy: run == 3 ? -1 : 7.5)
      ])
    }
    #expect(try await runner(34).run([slow], context: context).verdict == .pass)
  }

  /// A slow processor does not excuse a self-test, which takes turns.
  @Test func aProbeThatIsLateHasNoExcuse() async throws {
    let never = ScriptedScenario(
      proof: { .late("read as 2.4 times", missedBy: 0.1) },
      body: { _ in Observation(metrics: [.make([1])]) })
    let report = try await runner(34).run([never], context: context)
    #expect(report.verdict == .fail && report.scenarios[0].reason.contains("read as 2.4 times"))
  }

  /// If other programs are busy too, they are named as the cause, because without them the scenario may pass.
  @Test func besideOthersTheyAreNamed() async throws {
    var busy = runner(34)
    busy.processorUse = BusyReadings().next
    let report = try await busy.run([scenario([90, 60, 85])], context: context)
    #expect(report.inconclusive.disturbed == ["latency.example"] && report.inconclusive.slow.isEmpty)
    #expect(report.scenarios[0].slowProcessor == nil)
  }

  @Test func theReportKeepsTheSchema() async throws {
    let directory = try TemporaryDirectory()
    var slow = runner(34)
    slow.reportFile = ReportFile(directory: directory.path)
    let report = try await slow.run([scenario([90, 60, 85])], context: context)
    #expect(try ReportFile.load(path: directory.path + "/report.json") == report)
  }
}

/// Readings in which other programs use half of the processors.
private final class BusyReadings: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0.0
  private let start = ContinuousClock.now

  @Sendable func next() -> ProcessorLoad {
    lock.withLock {
      count += 1
      return ProcessorLoad(busy: count * 20, own: 0, time: start + .seconds(10) * count, processors: 4)
    }
  }
}
