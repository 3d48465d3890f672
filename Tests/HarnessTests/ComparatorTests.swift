import Foundation
import System
import Testing

@testable import Harness

/// The comparison of a metric with the runs of a stored baseline.
@Suite struct ComparatorTests {
  private func row(
    _ samples: [Double], unit: MeasurementUnit = .milliseconds, polarity: Polarity = .lowerIsBetter,
    tolerance: Tolerance = Tolerance()
  ) -> MetricReport {
    let metric = Measurement.make(samples, unit: unit, polarity: polarity)
    var row = MetricJudge(profile: .make(), metrics: [metric]).report(metric)
    row.tolerance = tolerance
    return row
  }

  /// Returns a metric whose samples lie around a median.
  private func run(_ median: Double, tolerance: Tolerance = Tolerance()) -> MetricReport {
    row((0..<21).map { median * (0.9 + Double($0) / 100) }, tolerance: tolerance)
  }

  @Test func againstOneRunWhatIsDetectableDecides() {
    let comparator = MetricComparator()
    #expect(comparator.compare(run(30), run(30)).verdict == .unchanged)
    #expect(comparator.compare(run(30), run(38)).verdict == .unchanged)
    let slower = comparator.compare(run(30), run(40))
    #expect(slower.verdict == .regressed && slower.method == .runs && slower.interval == nil)
    #expect(slower.reason == "40 ms, was 30 ms: +33 % (against one run); a change counts beyond +30 %")
    #expect(slower.otherwise == "It is at least 33 % worse.")
    #expect(comparator.compare(run(40), run(30)).verdict == .improved)
  }

  @Test func againstSeveralRunsTheirSpreadDecides() {
    let comparator = MetricComparator()
    let alike = [run(30), run(30.5), run(29.5)]
    let slower = comparator.compare(alike, [run(42)])
    #expect(slower.verdict == .regressed && slower.base?.count == 3)
    #expect(slower.interval.map { $0.map { ($0 * 100).rounded() } } == [138, 142])
    // The new run is slower than two of the runs, but close to the third, so the machine alone may explain it.
    let wide = comparator.compare([run(30), run(31), run(41)], [run(42)])
    #expect(wide.verdict == .inconclusive)
    #expect(wide.otherwise?.contains("--against") == true)
  }

  @Test func theNearerOfTwoNewRunsCounts() {
    let comparator = MetricComparator()
    #expect(comparator.compare([run(30)], run(60), again: run(30)).verdict == .unchanged)
    let twice = comparator.compare([run(30)], run(60), again: run(45))
    #expect(twice.verdict == .regressed && twice.ratio == 1.5 && twice.new == [60, 45])
    // An unchanged run is not repeated.
    #expect(comparator.compare([run(30)], run(31), again: run(90)).new == [31])
  }

  @Test func whereMoreIsBetterLessIsWorse() {
    func rate(_ value: Double) -> MetricReport {
      row([Double](repeating: value, count: 6), unit: .framesPerSecond, polarity: .higherIsBetter)
    }
    let slower = MetricComparator().compare(rate(60), rate(30))
    #expect(slower.verdict == .regressed && slower.ratio == 0.5)
    #expect(slower.reason.contains("−50 %"))
    #expect(MetricComparator().compare(rate(30), rate(60)).verdict == .improved)
  }

  @Test func lessThanTheAbsoluteToleranceIsNoChange() {
    let half = Tolerance(relative: 0.05, absolute: 0.5, detectable: 0.05)
    func compare(_ was: Double, _ now: Double) -> Verdict {
      MetricComparator().compare(run(was, tolerance: half), run(now, tolerance: half)).verdict
    }
    #expect(compare(0.6, 0.2) == .unchanged)
    #expect(compare(0.2, 0.6) == .unchanged)
    #expect(compare(0.8, 0.2) == .improved)
    #expect(compare(0.2, 0.8) == .regressed)
  }

  @Test func countsAreComparedAsTheyAre() {
    func count(_ value: Double) -> MetricReport {
      row([value], unit: .count, tolerance: Tolerance(relative: 0, absolute: 1, detectable: 0.1))
    }
    let comparator = MetricComparator()
    #expect(comparator.compare(count(0), count(0)).verdict == .unchanged)
    #expect(comparator.compare(count(0), count(1)).verdict == .unchanged)
    let more = comparator.compare(count(0), count(3))
    #expect(more.verdict == .regressed && more.method == .counted && more.difference == 3)
    #expect(more.change(.count) == "+3")
    #expect(comparator.compare(count(3), count(0)).verdict == .improved)
    let exact = comparator.compare(
      row([516], unit: .tokens, polarity: .exact), row([258], unit: .tokens, polarity: .exact))
    #expect(exact.verdict == .regressed)
  }

  @Test func tooLittleDecidesNothing() {
    let (few, many) = (row([30, 31]), row((1...20).map(Double.init)))
    #expect(MetricComparator().compare(few, few).verdict == .recorded)
    #expect(MetricComparator().compare(many, few).verdict == .inconclusive)
    #expect(MetricComparator().compare(few, row([])).verdict == .inconclusive)
    #expect(MetricComparator().compare(many, row([.nan, 3, 4, 5, 6, 7])).verdict == .inconclusive)
    #expect(MetricComparator().compare([], [many]).verdict == .incomparable)
  }

  @Test func anotherUnitOrEvidenceIsIncomparable() {
    var seen = row([30])
    seen.evidence = .photon
    #expect(MetricComparator().compare(row([30]), seen).verdict == .incomparable)
    #expect(MetricComparator().compare(row([30]), row([30], unit: .count)).verdict == .incomparable)
  }
}

@Suite struct ComparisonTests {
  private func report(_ samples: [Double], environment: RunEnvironment = .make(), digest: String = "abc")
    async throws
    -> Report
  {
    try await .make(Observation(metrics: [.make(samples)]), environment: environment, digest: digest)
  }

  @Test func unlikeRunsAreRefusedWithTheDifference() async throws {
    let base = try await report([30, 31, 32, 33, 34])
    let elsewhere = try await report([30], environment: .make(cpu: "Other CPU"))
    let comparison = Comparison(base: base, new: elsewhere)
    #expect(comparison.verdict == .incomparable)
    #expect(comparison.exitStatus == .inconclusive)
    #expect(comparison.rows.isEmpty)
    #expect(comparison.reason == "The runs cannot be compared: cpu is Other CPU, was Test CPU.")
    let otherCorpus = Comparison(base: base, new: try await report([30], digest: "def"))
    #expect(otherCorpus.reason.contains("the source is pan (def), was pan (abc)"))
  }

  @Test func theSameRunIsUnchanged() async throws {
    let run = try await report([30, 31, 32, 33, 34, 30, 31, 32])
    let comparison = Comparison(base: run, new: run)
    #expect(comparison.verdict == .unchanged)
    #expect(comparison.exitStatus == .success)
  }

  @Test func whatHasTooFewSamplesIsToldBesideTheRest() async throws {
    let steady = Measurement.make([30, 31, 32, 33, 34, 30, 31, 32])
    let once = Measurement.make([5], id: "once")
    let run = try await Report.make(Observation(metrics: [steady, once]))
    let comparison = Comparison(base: run, new: run)
    #expect(comparison.verdict == .unchanged)
    #expect(comparison.reason == "All 1 metrics with enough samples are unchanged, 1 has too few.")
    let alone = try await Report.make(Observation(metrics: [once]))
    #expect(Comparison(base: alone, new: alone).exitStatus == .inconclusive)
  }

  @Test func aRegressionNamesTheMetric() async throws {
    let base = try await report((0..<50).map { 30 + Double($0 % 5) / 10 })
    let new = try await report((0..<50).map { 40 + Double($0 % 5) / 10 })
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.exitStatus == .failed)
    #expect(comparison.reason == "1 of 1 metrics regressed: latency.glass-to-glass +33 %.")
  }

  @Test func aMetricThatDisappearedIsIncomparable() async throws {
    let base = try await report([30, 31, 32, 33, 34])
    let new = try await Report.make(Observation(metrics: [.make([1], id: "another")]))
    #expect(Comparison(base: base, new: new).verdict == .incomparable)
  }
}
