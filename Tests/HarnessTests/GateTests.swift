import Foundation
import System
import Testing

@testable import Harness

extension Report {
  /// The same report with the samples of one metric changed, and its figures to match.
  func editing(_ metric: String, _ change: ([Double]) -> [Double]) -> Report {
    var report = self
    for (scenario, row) in places(of: metric) {
      var edited = scenarios[scenario].metrics[row]
      edited.samples = change(edited.samples)
      edited.count = edited.samples.count
      let summary = Summary(edited.samples)
      (edited.min, edited.max, edited.mean) = (summary?.min, summary?.max, summary?.mean)
      edited.p50 = summary?.median
      (edited.p90, edited.p99) = (summary?.percentile(90), summary?.percentile(99))
      report.scenarios[scenario].metrics[row] = edited
    }
    return report
  }

  func places(of metric: String) -> [(scenario: Int, row: Int)] {
    scenarios.indices.flatMap { scenario in
      scenarios[scenario].metrics.indices.filter { scenarios[scenario].metrics[$0].id == metric }.map {
        (scenario, $0)
      }
    }
  }
}

/// What an auditor does to a report to see whether the gate notices.
@Suite struct GateTests {
  private let metric = "latency.glass-to-glass"

  private func row(_ comparison: Comparison) throws -> MetricComparison {
    try #require(comparison.rows.first { $0.metric == metric }).baseline
  }

  @Test func twoRunsOfOneBuildAreUnchanged() async throws {
    let comparison = Comparison(
      base: try await SampleReport.sound(), new: try await SampleReport.sound(seed: 3))
    #expect(comparison.verdict == .unchanged, "\(comparison.reason)")
  }

  @Test func aTwentiethOfTheFramesThreeTimesAsLateIsATail() async throws {
    let base = try await SampleReport.sound()
    let new = try await SampleReport.sound(seed: 3).editing(metric) { samples in
      samples.enumerated().map { $0.offset % 20 == 7 ? $0.element * 3 : $0.element }
    }
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.verdict == .regressed && comparison.exitStatus == .failed)
    #expect(
      comparison.reason.contains(" metrics regressed: latency.glass-to-glass (tail: 5.1 % of"),
      "\(comparison.reason)")
    #expect(try row(comparison).cause == .tail)
    #expect(try row(comparison).reason.hasPrefix("tail: 5.1 % of the samples beyond"))
    let table = ComparisonTable(comparison).text.split(separator: "\n")
    #expect(
      table[2].hasSuffix("tail   regressed") && table[3].hasPrefix("  tail: 5.1 % of the samples beyond"))
    #expect(table.dropFirst().allSatisfy { $0.count <= 80 })
  }

  @Test func whereMoreIsBetterTheTailIsBelow() throws {
    var random = SplitMix64(seed: 4)
    func rates(_ slow: Int) -> [Double] { (0..<200).map { ($0 % 20 < slow ? 20 : 60) + random.normal() } }
    let test = TailTest(polarity: .higherIsBetter, tolerance: Tolerance(), noise: 0)
    #expect(try #require(test.compare(rates(0), rates(1))).surprise < TailTest.claim)
    #expect(try #require(test.compare(rates(1), rates(0))).surprise > 0.5)
  }

  @Test func onlyP99WorseIsSeenOnceTheSamplesSuffice() async throws {
    let base = try await SampleReport.sound()
    let new = try await SampleReport.sound(seed: 3).editing(metric) { samples in
      samples.enumerated().map { $0.offset % 24 == 5 ? $0.element * 2 : $0.element }
    }
    #expect(try row(Comparison(base: base, new: new)).cause == .tail)
  }

  @Test func aFigureThatItsSamplesBelieIsRefused() async throws {
    let base = try await SampleReport.sound()
    var new = try await SampleReport.sound(seed: 3)
    let place = try #require(new.places(of: metric).first)
    new.scenarios[place.scenario].metrics[place.row].p99 = 90
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.verdict == .incomparable)
    #expect(comparison.reason.contains("says latency.glass-to-glass has p99 90 ms, and its samples "))
    #expect(new.flawAsBaseline?.contains("p99 90 ms") == true)
  }

  @Test func aRunThatGetsSlowerDoesNotExcuseItself() async throws {
    let base = try await SampleReport.sound()
    func slowing(_ report: Report) -> Report {
      report.editing(metric) { samples in
        samples.enumerated().map { $0.offset < samples.count / 2 ? $0.element : $0.element * 1.3 }
      }
    }
    let new = slowing(try await SampleReport.sound(seed: 3))
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.verdict == .inconclusive)
    #expect(try row(comparison).cause == .drift)
    #expect(comparison.reason.contains("drift: the second half +"))
    // What the baseline did too is nothing new.
    #expect(Comparison(base: slowing(base), new: new).verdict == .unchanged)
  }

  @Test func noiseOfTheNewRunAloneDoesNotWidenItsThreshold() async throws {
    let base = try await SampleReport.sound()
    let new = try await SampleReport.sound(seed: 3).editing(metric) { samples in
      samples.enumerated().map { $0.element * ($0.offset < samples.count / 2 ? 1.7 : 1.25) }
    }
    #expect([.regressed, .inconclusive].contains(Comparison(base: base, new: new).verdict))
  }

  @Test(arguments: [0.7, 1, 1.3])
  func aThirdMoreIsRegressedHoweverFastTheMachineWas(_ yardstick: Double) async throws {
    let base = try await SampleReport.sound()
    var new = try await SampleReport.sound(seed: 3).editing(metric) { $0.map { $0 * 1.3 } }
    new.environment.yardstick = yardstick
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.verdict == .regressed, "\(comparison.reason)")
    #expect(try row(comparison).cause == .median)
  }

  @Test func whatIsNoLongerMeasuredIsNoticed() async throws {
    let base = try await SampleReport.sound()
    var new = try await SampleReport.sound(seed: 3)
    let place = try #require(new.places(of: metric).first)
    new.scenarios[place.scenario].metrics.remove(at: place.row)
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.exitStatus == .inconclusive)
    #expect(comparison.reason.hasSuffix(" metrics incomparable: latency.glass-to-glass."))
    new.scenarios.remove(at: place.scenario)
    #expect(
      Comparison(base: base, new: new).reason.contains(
        "has no latency.glass-to-glass, which the baseline has"))
  }

  @Test func whatOthersMayHaveDoneIsInDoubt() async throws {
    let base = try await SampleReport.sound()
    func verdict(_ factor: Double, others: Double?, was: Double = 0.02) async throws -> Verdict {
      var new = try await SampleReport.sound(seed: 3).editing(metric) { $0.map { $0 * factor } }
      for index in new.scenarios.indices { new.scenarios[index].others = others }
      var before = base
      for index in before.scenarios.indices { before.scenarios[index].others = was }
      return Comparison(base: before, new: new).verdict
    }
    #expect(try await verdict(1.1, others: nil) == .regressed)
    #expect(try await verdict(1.1, others: 0.08) == .regressed)
    #expect(try await verdict(1.1, others: 0.6) == .inconclusive)
    #expect(try await verdict(1.3, others: 0.95) == .regressed)
    #expect(try await verdict(1, others: 0.9) == .unchanged)
    #expect(try await verdict(0.9, others: nil) == .improved)
    #expect(try await verdict(0.9, others: 0.1, was: 0.6) == .unchanged)
    #expect(try await verdict(0.7, others: 0.1, was: 0.6) == .improved)
  }
}

/// The gate as a whole on the noise of shared machines, by seeded draws.
@Suite struct FalseAlarmTests {
  /// Paced frames that resemble their neighbours; now and then another program has the processor for a few of them.
  private struct SharedMachine {
    var random: SplitMix64

    mutating func times(_ count: Int, _ median: Double) -> [Double] {
      var (carried, late) = (0.0, 0)
      // Runs of one build differ from each other by some percent.
      let level = median * exp(0.01 * random.normal())
      return (0..<count).map { _ in
        carried = 0.6 * carried + 0.01 * random.normal()
        if random.uniform() < 0.008 { late = 1 + Int(random.uniform() * 5) }
        late -= 1
        return level * exp(carried) + (late >= 0 ? -3 * log(1 - random.uniform()) : 0)
      }
    }
  }

  /// As a bench has them: counts of samples and medians in ms.
  private static let metrics: [(count: Int, median: Double)] =
    [(235, 33.8), (235, 0.3), (115, 0.45)] + [(Int, Double)](repeating: (30, 38), count: 4)
    + [(Int, Double)](repeating: (30, 4), count: 9) + [(Int, Double)](repeating: (100, 0.2), count: 8)

  private let seed: Profile

  init() throws { seed = try Profile.load("seed") }

  private func row(_ samples: [Double]) -> MetricReport {
    let metric = Measurement.make(samples)
    return MetricJudge(profile: seed, metrics: [metric]).report(metric)
  }

  @Test func fortyBenchesOfOneBuild() {
    var machine = SharedMachine(random: SplitMix64(seed: 2026))
    var found: [Verdict: Int] = [:]
    var confirmed = 0
    for _ in 0..<40 {
      for (count, median) in Self.metrics {
        let base = row(machine.times(count, median))
        let verdict = MetricComparator().compare(base, row(machine.times(count, median))).verdict
        found[verdict, default: 0] += 1
        guard verdict == .regressed else { continue }
        let second = MetricComparator().compare(base, row(machine.times(count, median)))
        confirmed += second.verdict == .regressed ? 1 : 0
      }
    }
    // Of 960 comparisons: what one run says alone, and what a bench says, which measures again.
    #expect(found[.regressed, default: 0] <= 2, "\(found)")
    #expect(found[.inconclusive, default: 0] <= 5, "\(found)")
    #expect(confirmed == 0)
  }

  @Test func thirtyPercentAndATwentiethThreeTimesAsLateAreSeen() {
    var machine = SharedMachine(random: SplitMix64(seed: 30))
    var (slower, tails) = (0, 0)
    for _ in 0..<40 {
      let base = row(machine.times(235, 33.8))
      let slow = machine.times(235, 33.8 * 1.3)
      slower += MetricComparator().compare(base, row(slow)).verdict == .regressed ? 1 : 0
      let late = machine.times(235, 33.8).map { machine.random.uniform() < 0.05 ? $0 * 3 : $0 }
      tails += MetricComparator().compare(base, row(late)).verdict != .unchanged ? 1 : 0
    }
    #expect(slower == 40)
    #expect(tails >= 36, "\(tails) of 40")
  }

  @Test func fishersTea() {
    #expect(abs(FisherExact.more(first: 1, of: 4, second: 3, of: 4) - 17.0 / 70) < 1e-12)
    #expect(FisherExact.more(first: 0, of: 9, second: 0, of: 9) == 1)
    #expect(FisherExact.more(first: 4, of: 4, second: 0, of: 4) > 0.999_999)
  }
}
