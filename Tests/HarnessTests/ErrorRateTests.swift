import Foundation
import System
import Testing

@testable import Harness

/// The error rates of comparisons on a simulated machine, without reports.
@Suite struct ErrorRateTests {
  /// Returns the verdict that a comparison gives. It looks at the pairs by the plan until it is decided, or until 80 pairs are
  /// made.
  private func verdict(
    _ change: Double, seed: UInt64, noise: SimulatedMachine.Noise, tests: Int = 3, pairs: Int = 80
  ) -> Verdict {
    var machine = SimulatedMachine(seed: seed, noise: noise)
    let plan = PairedPlan(tests: tests)
    let metric = Measurement.make([1])
    var row = MetricJudge(profile: .make(), metrics: [metric]).report(metric)
    row.tolerance = Tolerance(relative: 0.02)
    var figure = PairedFigure(margin: 1)
    for pair in 0..<pairs where !figure.isDecided {
      let first = machine.turn(pair % 2 == 0 ? 10 : 10 * change)
      let second = machine.turn(pair % 2 == 0 ? 10 * change : 10)
      figure.add(pair % 2 == 0 ? first : second, pair % 2 == 0 ? second : first)
      figure.look(row, plan)
    }
    return figure.result(row, plan).verdict
  }

  private func count(_ wanted: Verdict, _ change: Double, _ noise: SimulatedMachine.Noise, of runs: UInt64)
    -> Int
  {
    (1...runs).count { verdict(change, seed: $0 &* 7919, noise: noise) == wanted }
  }

  /// The noise of a ratio to a routine that takes turns in the same process: one percent from turn to turn, or two percent beside
  /// busy cores.
  private static let ratio = SimulatedMachine.Noise(turn: 0.01, step: 0.004, change: 0, burst: 0.05)
  private static let busy = SimulatedMachine.Noise(turn: 0.02, step: 0.01, change: 0, burst: 0.03)

  @Test func oneBuildIsHardlyEverCalledRegressedOrInconclusive() {
    for noise in [Self.ratio, Self.busy] {
      #expect(count(.regressed, 1, noise, of: 300) <= 1)
      #expect(count(.improved, 1, noise, of: 300) <= 1)
      #expect(count(.inconclusive, 1, noise, of: 300) <= 6)
    }
  }

  @Test func fivePercentAreFound() {
    #expect(count(.regressed, 1.05, Self.ratio, of: 200) >= 196)
    #expect(count(.unchanged, 1.05, Self.busy, of: 200) <= 2)
    #expect(count(.regressed, 1.05, Self.busy, of: 200) >= 192)
  }

  /// If the machine's speed changes wildly, a comparison may take long, but must not raise a false alarm.
  @Test func aWildMachineIsNoFalseAlarm() {
    let wild = SimulatedMachine.Noise(turn: 0.03, step: 0.03, change: 0.1, burst: 0.1)
    #expect(count(.regressed, 1, wild, of: 300) <= 1)
    #expect(count(.improved, 1, wild, of: 300) <= 1)
    #expect(count(.regressed, 1.2, wild, of: 100) >= 90)
  }

  /// A change that equals the tolerance is reported with a probability of at most 1 %, over all looks together.
  @Test func aChangeOfTheToleranceIsRarelyClaimed() {
    #expect(count(.regressed, 1.02, Self.ratio, of: 400) <= 6)
  }
}
