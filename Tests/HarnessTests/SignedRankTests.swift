import Foundation
import System
import Testing

@testable import Harness

@Suite struct SignedRankTests {
  /// Example 3.1 of Hollander, Wolfe and Chicken (depression scale, nine patients): estimate −0.46, 96.1 % interval −0.786 to
  /// −0.010.
  @Test func theTextbookIsReproduced() throws {
    let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    let ranks = try #require(SignedRank(zip(before, after).map { $1 - $0 }))
    #expect(abs(ranks.estimate - -0.46) < 0.001)
    let interval = try #require(ranks.interval(error: 0.0196))
    #expect(abs(interval.low - -0.786) < 0.001 && abs(interval.high - -0.010) < 0.001)
  }

  @Test func theDistributionIsThatOfAllSigns() {
    for count in 1...10 {
      var counted = [Double](repeating: 0, count: count * (count + 1) / 2 + 1)
      for signs in 0..<(1 << count) {
        counted[(0..<count).reduce(0) { $0 + (signs >> $1 & 1 == 1 ? $1 + 1 : 0) }] += 1
      }
      let chances = SignedRank.distribution(count)
      for (chance, often) in zip(chances, counted) {
        #expect(abs(chance - often / Double(1 << count)) < 1e-12)
      }
    }
  }

  @Test func tooFewPairsHaveNoInterval() throws {
    #expect(SignedRank.fewestPairs(error: 0.05) == 5)
    #expect(try #require(SignedRank([1, 2, 3, 4])).interval(error: 0.05) == nil)
    let five = try #require(SignedRank([1, 2, 3, 4, 5])).interval(error: 0.05)
    #expect(five == Interval(low: 1, high: 5))
    #expect(SignedRank([]) == nil && SignedRank([.nan]) == nil && SignedRank([.infinity]) == nil)
  }

  @Test func onePairFarOffMovesNothingMuch() throws {
    let quiet = (0..<20).map { Double($0 % 5) / 100 }
    let all = try #require(SignedRank(quiet + [9]))
    #expect(abs(all.estimate - 0.02) < 0.006)
    #expect(try #require(all.interval(error: 0.001)).high < 0.05)
  }
}

@Suite struct PairedTestTests {
  private func test(_ change: Double, _ count: Int, scatter: Double = 0.004, tests: Int = 3) -> PairedTest {
    let base = (0..<count).map { 10 + Double($0 % 3) }
    let new = base.enumerated().map { $1 * change * (1 + scatter * Double($0 * 7 % 5 - 2)) }
    return PairedTest(
      base: base, new: new, unit: .milliseconds, polarity: .lowerIsBetter,
      tolerance: Tolerance(relative: 0.02), plan: PairedPlan(tests: tests))
  }

  @Test func anIntervalBeyondWithinOrAcrossDecides() {
    #expect(test(1.05, 20).result.verdict == .regressed)
    #expect(test(0.95, 20).result.verdict == .improved)
    #expect(test(1, 20).result.verdict == .unchanged)
    #expect(test(1.02, 20).result.verdict == .inconclusive)
  }

  /// A comparison of all scenarios is conclusive if the change is certainly below 5 %, and inconclusive if it may be larger.
  @Test func aComparisonOfEverythingTellsFivePercent() {
    func verdict(_ change: Double, scatter: Double, isOfEverything: Bool = true) -> Verdict {
      var test = test(change, 10, scatter: scatter)
      test = PairedTest(
        base: test.base, new: test.new, unit: .ratio, polarity: .lowerIsBetter,
        tolerance: Tolerance(relative: 0.02), plan: PairedPlan(tests: 40, isOfEverything: isOfEverything))
      #expect(test.result.verdict == .inconclusive)
      return test.last.verdict
    }
    #expect(verdict(1.01, scatter: 0.015) == .unchanged)
    #expect(verdict(1.01, scatter: 0.015, isOfEverything: false) == .inconclusive)
    #expect(verdict(1.01, scatter: 0.06) == .inconclusive)
    #expect(verdict(1.03, scatter: 0.01) == .inconclusive)
    #expect(verdict(1.05, scatter: 0.01) == .inconclusive)
  }

  @Test func everyVerdictSaysWhatWouldHaveChangedIt() {
    #expect(test(1.05, 20).result.otherwise.hasPrefix("It is at least 4."))
    #expect(test(0.95, 20).result.otherwise.hasPrefix("It is at least "))
    #expect(test(1, 20).result.otherwise.hasPrefix("It would have been inconclusive at a tolerance below 0."))
    #expect(test(1.01, 7, scatter: 0.01).result.otherwise.contains("more pair"))
    #expect(test(1, 20, scatter: 0.5).result.otherwise.hasPrefix("The pairs scatter too much"))
    #expect(test(1, 3).result.otherwise == "It takes at least 5 pairs.")
    #expect(test(1.05, 7).result.otherwise == "It takes at least 12 pairs.")
  }

  /// The probability of error is divided among tests and looks, so more of them need more pairs.
  @Test func moreTestsNeedMorePairs() {
    #expect(test(1.05, 12, tests: 1).result.verdict == .regressed)
    #expect(test(1.05, 12, tests: 40).result.verdict == .inconclusive)
    #expect(test(1.05, 20, tests: 40).result.verdict == .regressed)
    let plan = PairedPlan(tests: 10)
    #expect(abs(plan.error * 10 * 8 - 0.01) < 1e-12)
  }

  @Test func countsArePairedByTheirDifference() {
    func verdict(_ new: [Double]) -> Verdict {
      PairedTest(
        base: new.map { _ in 0 }, new: new, unit: .count, polarity: .lowerIsBetter,
        tolerance: Tolerance(relative: 0, absolute: 1), plan: PairedPlan(tests: 1)
      ).result.verdict
    }
    #expect(verdict([Double](repeating: 0, count: 12)) == .unchanged)
    #expect(verdict([Double](repeating: 3, count: 12)) == .regressed)
    #expect(verdict([0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0]) == .unchanged)
  }

  @Test func whereMoreIsBetterLessIsWorse() {
    let base = (0..<20).map { 60 + Double($0 % 3) / 10 }
    let test = PairedTest(
      base: base, new: base.map { $0 * 0.9 }, unit: .framesPerSecond, polarity: .higherIsBetter,
      tolerance: Tolerance(relative: 0.03), plan: PairedPlan(tests: 1))
    #expect(test.result.verdict == .regressed)
    let words = MetricComparison(test, test.result)
    #expect(words.reason.contains("−10") && (words.ratio ?? 1) < 1 && words.tolerance?.last ?? 0 > 1)
  }
}
