import Foundation
import System
import Testing

@testable import Harness

/// Two builds that take turns on a simulated machine, with its noise and time.
@Suite struct InterleavedTests {
  /// The turns of both builds on a simulated machine.
  private actor Session {
    private var machine: SimulatedMachine
    private let change: Double
    private(set) var turns: [(InterleavedComparison.Side, String)] = []
    private let samples: Int
    /// The observation of a build's turn, by side and turn; nil for a single metric in milliseconds.
    private let observe: (@Sendable (InterleavedComparison.Side, Int) -> Observation)?

    init(
      seed: UInt64 = 1, change: Double = 1, noise: SimulatedMachine.Noise = .init(), samples: Int = 5,
      observe: (@Sendable (InterleavedComparison.Side, Int) -> Observation)? = nil
    ) {
      machine = SimulatedMachine(seed: seed, noise: noise)
      (self.change, self.samples, self.observe) = (change, samples, observe)
    }

    func report(_ side: InterleavedComparison.Side, _ scenario: String) async throws -> Report {
      turns.append((side, scenario))
      let median = machine.turn(side == .new ? 10 * change : 10)
      let timed = Measurement.make([Double](repeating: median, count: samples), id: "\(scenario).time")
      let observation = observe?(side, turns.count) ?? Observation(metrics: [timed])
      var profile = Profile.make()
      profile.tolerances = [ToleranceRule(tolerance: Tolerance(relative: 0.02))]
      var tested = ScriptedScenario { _ in observation }
      tested.id = scenario
      return try await Runner.make(profile).run([tested], context: ScenarioContext(source: .make()))
    }
  }

  private func comparison(_ session: Session, _ scenarios: [String] = ["a"], turns limit: Int = 1000)
    -> InterleavedComparison
  {
    let clock = TurnClock()
    return InterleavedComparison(
      scenarios: scenarios, limit: .seconds(limit), now: { clock.now },
      run: { side, scenario in
        clock.pass()
        return try await session.report(side, scenario)
      })
  }

  @Test func theOrderIsBalanced() async throws {
    let session = Session()
    _ = try await comparison(session, ["a", "b"], turns: 8).compare()
    let order = await session.turns.map { "\($0.0)-\($0.1)" }
    #expect(
      order.prefix(8) == [
        "base-a", "new-a", "base-b", "new-b", "new-a", "base-a", "new-b", "base-b",
      ])
  }

  @Test func whatIsDecidedTakesNoMoreTurns() async throws {
    let session = Session(noise: .init(turn: 0.001, step: 0.001, change: 0, burst: 0))
    let report = try #require(try await comparison(session, ["a", "b"]).compare())
    #expect(report.verdict == .unchanged && report.exitStatus == .success && report.complete)
    #expect(await session.turns.count == 20)
    #expect(report.baseline?.reason == "All 2 metrics are unchanged.")
    #expect(report.baseline?.interleaved == true && report.baseline?.runs == 5)
  }

  @Test func aSlowerBuildIsFoundAndSaysBy() async throws {
    let session = Session(change: 1.05, noise: .init(turn: 0.004, step: 0.004, change: 0.01, burst: 0.02))
    let report = try #require(try await comparison(session).compare())
    #expect(report.verdict == .regressed && report.exitStatus == .failed)
    let found = try #require(report.scenarios[0].metrics[0].baseline)
    #expect(found.method == .pairs && found.base?.count == found.new?.count)
    #expect(abs((found.ratio ?? 0) - 1.05) < 0.01 && (found.interval?[0] ?? 0) > 1.02)
    #expect(found.confidence ?? 0 > 0.99)
    #expect(
      found.reason.contains(" pairs (99.") && found.otherwise?.contains("% worse.") == true)
    #expect(report.scenarios[0].metrics[0].limit == nil)
    #expect(report.scenarios[0].decidingMetrics.map(\.id) == ["a.time"])
    #expect(ReportFile.validate(try ReportFile.encode(report)) == [])
    #expect(HTMLReport(report).html.contains("does not matter"))
  }

  @Test func whenTheTimeIsUpItIsInconclusiveAndSaysWhatIsMissing() async throws {
    let session = Session(noise: .init(turn: 0.05, step: 0.05, change: 0.2, burst: 0.3))
    let report = try #require(try await comparison(session, turns: 12).compare())
    #expect(report.verdict == .inconclusive && report.exitStatus == .inconclusive && report.complete)
    #expect(await session.turns.count == 12)
    let otherwise = report.scenarios[0].metrics[0].baseline?.otherwise ?? ""
    #expect(otherwise.contains("pair"), "\(otherwise)")
    let short = try #require(try await comparison(Session(), ["a", "b", "c"], turns: 3).compare())
    #expect(short.verdict == .inconclusive && short.baseline?.reason.contains("before c had a turn") == true)
  }

  /// A scenario whose turn takes longer than the limit is not timed, to leave time for the others. Its exact metrics are compared.
  @Test func aLongTurnIsPutOffButNotWhatIsExact() async throws {
    func report(_ bytes: Double) async throws -> Report? {
      let session = Session { side, _ in
        var exact = Measurement.make([side == .new ? bytes : 100], id: "bytes", unit: .bytes)
        exact.kind = .exact
        return Observation(metrics: [.make([30, 31, 32]), exact])
      }
      let clock = TurnClock()
      let comparison = InterleavedComparison(
        scenarios: ["a"], limit: .seconds(100), longestTurn: .seconds(5), now: { clock.now },
        run: { side, scenario in
          clock.pass()
          var report = try await session.report(side, scenario)
          report.scenarios[0].seconds = 11
          return report
        })
      return try await comparison.compare()
    }
    let same = try #require(try await report(100))
    #expect(same.verdict == .unchanged && same.baseline?.runs == 1)
    #expect(
      same.baseline?.reason.contains("only what is exact was compared of a, because a turn") == true)
    #expect(same.scenarios[0].metrics[0].baseline == nil)
    #expect(try await report(101)?.verdict == .regressed)
  }

  /// A slower build, or a busy moment in one turn, puts nothing off.
  @Test(arguments: InterleavedComparison.Side.allCases)
  func oneLongTurnPutsNothingOff(long: InterleavedComparison.Side) async throws {
    let clock = TurnClock()
    let comparison = InterleavedComparison(
      scenarios: ["a"], limit: .seconds(100), longestTurn: .seconds(5), now: { clock.now },
      run: { side, _ in
        clock.pass()
        var tested = ScriptedScenario { _ in Observation(metrics: [.make([10], id: "a.time")]) }
        tested.id = "a"
        var report = try await Runner.make(.make([.make(.max, .atMost, 90, metric: "a.time")])).run(
          [tested], context: ScenarioContext(source: .make()))
        report.scenarios[0].seconds = side == long ? 11 : 3
        return report
      })
    let report = try #require(try await comparison.compare())
    #expect(report.verdict == .unchanged && report.baseline?.runs == 5)
  }

  /// Scenarios that count run before the others, two at a time and each on both builds: no turn ends before four have begun.
  @Test func whatCountsRunsSideBySide() async throws {
    let session = Session(noise: .init(turn: 0.001, step: 0.001, change: 0, burst: 0))
    let begun = Locked(["c1": 0, "c2": 0])
    let clock = TurnClock()
    let comparison = InterleavedComparison(
      scenarios: ["a", "c1", "c2"], limit: .seconds(100), now: { clock.now },
      run: { side, scenario in
        clock.pass()
        guard scenario != "a" else {
          #expect(begun.withLock { $0 } == ["c1": 2, "c2": 2])
          return try await session.report(side, scenario)
        }
        begun.withLock { $0[scenario, default: 0] += 1 }
        while begun.withLock({ $0.values.reduce(0, +) }) < 4 { await Task.yield() }
        let counted = Session { side, _ in
          var metric = Measurement.make([side == .new && scenario == "c2" ? 101 : 100], unit: .bytes)
          metric.kind = .exact
          return Observation(metrics: [metric])
        }
        return try await counted.report(side, scenario)
      }, sideBySide: ["c1", "c2"])
    let report = try #require(try await comparison.compare())
    #expect(report.scenarios.map(\.id) == ["a", "c1", "c2"])
    #expect(report.scenarios.map(\.verdict) == [.unchanged, .unchanged, .regressed])
  }

  /// Unless scenarios are named, only metrics with a limit are timed, because others would take their time.
  @Test func whatNoLimitIsOnDecidesOnlyByWhatIsExact() async throws {
    func report(_ bytes: Double, limit: Double? = nil) async throws -> Report? {
      var random = SplitMix64(seed: 7)
      let wild = (0..<200).map { _ in 10 + Double(random.next() % 1000) / 50 }
      let clock = TurnClock()
      return try await InterleavedComparison(
        scenarios: ["a"], limit: .seconds(20), longestTurn: .seconds(5), now: { clock.now },
        run: { side, _ in
          clock.pass()
          var exact = Measurement.make([side == .new ? bytes : 100], id: "bytes", unit: .bytes)
          exact.kind = .exact
          let time = Measurement.make([wild[Int(clock.now.components.seconds)]], id: "a.time")
          var tested = ScriptedScenario { [exact] _ in Observation(metrics: [time, exact]) }
          tested.id = "a"
          let limits = limit.map { [Limit.make(.max, .atMost, $0, metric: "a.time")] } ?? []
          var report = try await Runner.make(.make(limits)).run(
            [tested], context: ScenarioContext(source: .make()))
          // A fixed time instead of the measured one, so that a busy machine does not change the test.
          report.scenarios[0].seconds = 0
          return report
        }
      ).compare()
    }
    let same = try #require(try await report(100))
    #expect(same.verdict == .unchanged && same.baseline?.runs == 1)
    #expect(same.baseline?.reason.contains("no limit is on it; name it with --scenario") == true)
    #expect(try await report(101)?.verdict == .regressed)
    #expect(try await report(100, limit: 90)?.verdict == .inconclusive)
  }

  /// Metrics that are known to be unchanged only within 5 %, rather than within the tolerance, are counted in the headline.
  @Test func whatIsToldOnlyWithinFivePercentIsCounted() async throws {
    func reason(scatter: Double, _ named: Bool) async throws -> String? {
      let clock = TurnClock()
      let wave = [1, -1, 0.5, -0.5, 0.8, -0.8, 0.2, -0.2, 0.9, -0.9]
      return try await InterleavedComparison(
        scenarios: ["a"], limit: .seconds(20), longestTurn: named ? nil : .seconds(5), now: { clock.now },
        run: { side, _ in
          let pair = Int(clock.now.components.seconds) / 2
          clock.pass()
          let time = 10 * (side == .base ? 1 : 1 + scatter * wave[pair])
          var tested = ScriptedScenario { _ in Observation(metrics: [.make([time], id: "a.time")]) }
          tested.id = "a"
          let limit = Limit.make(.max, .atMost, 90, metric: "a.time")
          var profile = Profile.make([limit])
          profile.tolerances = [ToleranceRule(tolerance: Tolerance(relative: 0.02))]
          var report = try await Runner.make(profile).run(
            [tested], context: ScenarioContext(source: .make()))
          // A fixed time instead of the measured one, so that a busy machine does not change the test.
          report.scenarios[0].seconds = 0
          return report
        }
      ).compare()?.baseline?.reason
    }
    #expect(try await reason(scatter: 0.001, false) == "All 1 metrics are unchanged.")
    let coarse = try await reason(scatter: 0.06, false) ?? ""
    #expect(
      coarse.hasPrefix("All 1 metrics are unchanged. 1 of them is unchanged only within 5 %"), "\(coarse)")
    #expect(try await reason(scatter: 0.06, true)?.contains("within 5 %") == false)
  }

  /// Other programs make a random half of each run's samples worse. The other half decides.
  @Test(arguments: [(1.0, Verdict.unchanged), (1.1, .regressed), (0.9, .improved)])
  func halfOfTheSamplesMayBeDisturbed(change: Double, verdict: Verdict) async throws {
    let session = Session { side, turn in
      var machine = SplitMix64(seed: UInt64(turn) &* 7919)
      let samples = (0..<12).map { _ in
        let (noise, chance) = (machine.next() % 1000, machine.next() % 1000)
        let quiet = (side == .new ? change : 1) * (30 + Double(noise) / 2000)
        return chance < 500 ? quiet * (1.2 + Double(chance) / 500) : quiet
      }
      return Observation(metrics: [.make(samples)])
    }
    let report = try #require(try await comparison(session, turns: 60).compare())
    #expect(report.verdict == verdict)
  }

  /// If both builds run at the same time, their times are steadier than the ratios to a routine that ran at another time.
  @Test func buildsThatRunAtOnceAreComparedByTheirTimes() async throws {
    var profile = Profile.make()
    profile.limits = [.make(.p50, .atMost, 9, metric: "a.ratio", unit: .ratio)]
    profile.tolerances = [
      ToleranceRule(
        metric: "a.time", tolerance: Tolerance(relative: 0.02, decides: false, decidesAtOnce: true)),
      ToleranceRule(metric: "a.ratio", tolerance: Tolerance(relative: 0.02)),
    ]
    let clock = TurnClock()
    let comparison = InterleavedComparison(
      scenarios: ["a"], limit: .seconds(100), now: { clock.now },
      run: { _, _ in
        Issue.record("a turn was run alone")
        return nil
      }, atOnce: ["a"],
      runBoth: { [profile] _ in
        clock.pass()
        let number = clock.now.components.seconds
        func report(_ time: Double, _ ratio: Double) async throws -> Report {
          var tested = ScriptedScenario { _ in
            Observation(metrics: [
              .make([ratio, ratio], id: "a.ratio", unit: .ratio), .make([time, time], id: "a.time"),
            ])
          }
          tested.id = "a"
          return try await Runner.make(profile).run([tested], context: ScenarioContext(source: .make()))
        }
        let machine = 100 + Double(number % 7) * 5
        return (
          try await report(machine, 1 + Double(number % 3) / 5), try await report(machine * 1.05, 1)
        )
      })
    let report = try #require(try await comparison.compare())
    #expect(report.verdict == .regressed && report.baseline?.runs == 10)
    let deciding = report.scenarios[0].decidingMetrics.map(\.id)
    #expect(deciding == ["a.time"])
    #expect(abs((report.scenarios[0].metrics[1].baseline?.ratio ?? 0) - 1.05) < 1e-6)
  }

  @Test func exactMetricsAreComparedInTheFirstPair() async throws {
    let session = Session { side, _ in
      var metric = Measurement.make([side == .new ? 101 : 100], unit: .bytes)
      metric.kind = .exact
      return Observation(metrics: [metric])
    }
    let report = try #require(try await comparison(session).compare())
    #expect(report.verdict == .regressed)
    #expect(await session.turns.count == 2)
    #expect(report.baseline?.reason == "1 of 1 metrics regressed: latency.glass-to-glass (1 sample differs).")
  }

  @Test func whatVanishedOrHasNoSamplesNeverPasses() async throws {
    func verdict(_ new: [Measurement]) async throws -> Verdict? {
      let session = Session { side, _ in
        Observation(metrics: side == .base ? [.make([30, 30, 30])] : new)
      }
      return try await comparison(session, turns: 40).compare()?.verdict
    }
    #expect(try await verdict([.make([30, 30, 30])]) == .unchanged)
    #expect(try await verdict([.make([])]) == .incomparable)
    #expect(try await verdict([.make([30, .nan])]) == .incomparable)
    #expect(try await verdict([.make([30], id: "another")]) == .incomparable)
    #expect(try await verdict([]) == .incomparable)
  }

  @Test func samplesThatFailToComeNowAndThenAreNoVerdict() async throws {
    let session = Session { side, turn in
      Observation(metrics: [.make(side == .new && turn > 3 && turn % 3 == 0 ? [] : [30, 30])])
    }
    let report = try #require(try await comparison(session, turns: 60).compare())
    #expect(report.verdict == .inconclusive)
    #expect(report.scenarios[0].reason.contains("had no samples in"))
  }

  @Test func aRuleThatOnlyTheNewBuildBreaksHasRegressed() async throws {
    func report(
      turns: Int = 40, _ passed: @escaping @Sendable (InterleavedComparison.Side, Int) -> Bool
    ) async throws -> Report? {
      let session = Session { side, turn in
        Observation(checks: [
          Check(
            id: "upright", title: "Upright", passed: passed(side, turn), subjects: 4, detail: "270° for 90°")
        ])
      }
      return try await comparison(session, turns: turns).compare()
    }
    let broken = try #require(try await report { side, _ in side == .base })
    #expect(broken.verdict == .regressed && broken.scenarios[0].reason.contains("270° for 90°"))
    #expect(try await report { _, _ in false }?.verdict == .unchanged)
    #expect(try await report { side, turn in side == .base || turn > 2 }?.verdict == .unchanged)
    // One pair shows no regression, and no lack of one either.
    let short = try #require(try await report(turns: 1) { side, _ in side == .base })
    #expect(short.verdict == .inconclusive && short.scenarios[0].reason.contains("270° for 90°"))
    #expect(try await report(turns: 1) { _, _ in true }?.verdict == .unchanged)
  }

  @Test func aTailAloneIsFound() async throws {
    var random = SplitMix64(seed: 3)
    let noise = (0..<400).map { _ in Double(random.next() % 1000) / 1e5 }
    let session = Session { side, turn in
      let samples = (0..<40).map { index -> Double in
        let tail: Double = side == .new && index % 5 == 0 ? 20 : 0
        return 30 + noise[(turn * 40 + index) % 400] + tail
      }
      return Observation(metrics: [.make(samples)])
    }
    let clock = TurnClock()
    let limited = InterleavedComparison(
      scenarios: ["a"], limit: .seconds(200), now: { clock.now },
      run: { side, scenario in
        clock.pass()
        var report = try await session.report(side, scenario)
        report.scenarios[0].metrics[0].limit = .init(
          statistic: .p99, op: .atMost, value: 100, measured: 30, requirement: "LAT-1", source: "test")
        return report
      })
    let report = try #require(try await limited.compare())
    let found = try #require(report.scenarios[0].metrics[0].baseline)
    #expect(found.verdict == .regressed && found.isByTail && found.tail?.percentile == 90)
    #expect(report.baseline?.reason.contains("(p90 +67 %)") == true, "\(report.baseline?.reason ?? "")")
    #expect(ReportFile.validate(try ReportFile.encode(report)) == [])
  }

  @Test func unlikeBuildsAreRefused() async throws {
    let clock = TurnClock()
    let comparison = InterleavedComparison(
      scenarios: ["a"], limit: .seconds(9), now: { clock.now },
      run: { side, _ in
        try await Report.make(
          Observation(metrics: [.make([1])]), environment: .make(cpu: side == .base ? "one" : "two"))
      })
    await #expect(throws: HarnessError.self) { try await comparison.compare() }
  }

  @Test func anInterruptionLeavesWhatIsDone() async throws {
    let session = Session()
    let clock = TurnClock()
    let comparison = InterleavedComparison(
      scenarios: ["a"], limit: .seconds(100), now: { clock.now },
      run: { side, scenario in
        clock.pass()
        return clock.now > .seconds(7) ? nil : try await session.report(side, scenario)
      })
    let report = try #require(try await comparison.compare())
    #expect(!report.complete && report.exitStatus == .interrupted)
    #expect(report.scenarios[0].metrics[0].baseline?.base?.count == 3)
    #expect(ReportFile.validate(try ReportFile.encode(report)) == [])
  }
}

/// A clock that advances by one second for each turn.
final class TurnClock: @unchecked Sendable {
  // The lock protects `turns`.
  private let lock = NSLock()
  private var turns = 0

  var now: Duration { lock.withLock { .seconds(turns) } }
  func pass() { lock.withLock { turns += 1 } }
}
