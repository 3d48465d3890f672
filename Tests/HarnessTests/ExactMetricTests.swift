import Foundation
import Testing

@testable import Harness

/// Metrics that are equal in every run of a build, and are compared exactly.
@Suite struct ExactMetricTests {
  private func row(
    _ samples: [Double], _ polarity: Polarity = .lowerIsBetter, kind: MetricKind? = .exact
  ) -> MetricReport {
    var metric = Measurement.make(samples, id: "photo.nv12.bytes", unit: .bytes, polarity: polarity)
    metric.kind = kind ?? metric.kind
    var report = MetricJudge(profile: .make(), metrics: [metric]).report(metric)
    report.tolerance = Tolerance(relative: 0.02, absolute: 512)
    if kind == nil { report.kind = nil }
    return report
  }

  @Test func theSameIsUnchangedAndAByteIsAChange() {
    let comparator = MetricComparator()
    let was = [142_000.0, 143_000, 141_000]
    #expect(comparator.compare(row(was), row(was)).verdict == .unchanged)
    let more = comparator.compare(row(was), row([142_000, 143_001, 141_000]))
    #expect(more.verdict == .regressed && more.method == .exact && more.differing == 1)
    #expect(more.change(.bytes) == "1 sample differs")
    #expect(comparator.compare(row(was), row([142_000, 142_999, 141_000])).verdict == .improved)
    #expect(
      comparator.compare(row(was, .higherIsBetter), row([142_000, 143_001, 141_000], .higherIsBetter)).verdict
        == .improved)
    #expect(
      comparator.compare(row(was, .exact), row([142_000, 142_999, 141_000], .exact)).verdict == .regressed)
  }

  @Test func oneSampleIsEnough() {
    #expect(MetricComparator().compare(row([0]), row([0])).verdict == .unchanged)
    #expect(MetricComparator().compare(row([0]), row([1])).verdict == .regressed)
    #expect(MetricComparator().compare(row([1]), row([0])).verdict == .improved)
  }

  /// Of 20,000 samples a report keeps every other one.
  @Test func aSampleThatWasNotKeptCountsToo() {
    let was = (0..<20_000).map(Double.init)
    var now = was
    now[1] = 2
    #expect(MetricComparator().compare(row(was), row(was)).verdict == .unchanged)
    #expect(MetricComparator().compare(row(was), row(now)).verdict == .regressed)
  }

  @Test func whatIsMissingOrOnlyMovedIsForTheWorse() {
    #expect(MetricComparator().compare(row([1, 2, 3]), row([1, 2])).verdict == .regressed)
    #expect(MetricComparator().compare(row([1, 2, 3]), row([1, 3, 2])).verdict == .regressed)
  }

  @Test func noToleranceAndNoSecondRunExcusesIt() {
    var loose = row([2])
    loose.tolerance = Tolerance(relative: 9, absolute: 9, detectable: 9)
    let found = MetricComparator().compare([row([1])], loose, again: row([1]))
    #expect(
      found.verdict == .regressed && found.otherwise?.contains("only if all samples were the same") == true)
  }

  /// A report from before the field `kind` existed is compared by the tolerance.
  @Test func anOlderReportIsComparedByToleranceAsBefore() {
    #expect(MetricComparator().compare(row([142_000], kind: nil), row([142_100])).verdict == .unchanged)
    let unlike = MetricComparator().compare(row([1], kind: .observed), row([1]))
    #expect(unlike.verdict == .incomparable && unlike.reason == "it is exact, was observed")
  }

  @Test func itIsNotMeasuredAgain() async throws {
    @Sendable func observation(_ bytes: Double) -> Observation {
      var metric = Measurement.make([bytes], unit: .bytes)
      metric.kind = .exact
      return Observation(metrics: [metric])
    }
    let baseline = try await Report.make(observation(1000))
    let scenario = ScriptedScenario { _ in observation(1001) }
    let report = try await Runner.make(baseline: baseline).run(
      [scenario], context: ScenarioContext(source: .make()))
    #expect(report.verdict == .regressed)
    #expect(report.baseline?.reason == "1 of 1 metrics regressed: latency.glass-to-glass (1 sample differs).")
    #expect(await scenario.runs.next() == 2)
  }

  @Test func whatAMetricIsFollowsFromItsUnitUnlessItSays() {
    func kind(_ unit: MeasurementUnit, _ polarity: Polarity, _ level: EvidenceLevel) -> MetricKind {
      Measurement.make([1], unit: unit, polarity: polarity, level: level).kind
    }
    #expect(kind(.milliseconds, .lowerIsBetter, .synthetic) == .timed)
    #expect(kind(.framesPerSecond, .higherIsBetter, .buffer) == .timed)
    #expect(kind(.milliseconds, .exact, .synthetic) == .exact)
    #expect(kind(.tokens, .exact, .buffer) == .observed)
    #expect(kind(.count, .lowerIsBetter, .synthetic) == .observed)
  }
}
