import Testing

@testable import Harness

@Suite struct MetricJudgeTests {
  private func report(_ metric: Measurement, _ limits: [Limit], others: [Measurement] = []) -> MetricReport {
    MetricJudge(profile: .make(limits), metrics: [metric] + others).report(metric)
  }

  @Test func aLimitHoldsOrDoesNot() {
    let samples = (1...100).map(Double.init)
    #expect(report(.make(samples), [.make(.p99, .below, 99)]).verdict == .fail)
    #expect(report(.make(samples), [.make(.p99, .atMost, 99)]).verdict == .pass)
    #expect(report(.make(samples), [.make(.each, .atMost, 99)]).verdict == .fail)
    #expect(report(.make(samples), [.make(.each, .atLeast, 1)]).verdict == .pass)
    #expect(report(.make(samples), [.make(.each, .equal, 50)]).limit?.measured == 100)
    #expect(report(.make(samples), [.make(.count, .atLeast, 100)]).verdict == .pass)
  }

  /// The interval is 40 ms. The sample of 40 ms is farther from 0 than the one of 30 ms, which is not the interval.
  @Test func eachSampleMustEqualTheBoundWithItsReference() {
    let limit = Limit.make(.each, .equal, 0, reference: .init(metric: "interval"))
    let interval = Measurement.make([40], id: "interval")
    #expect(report(.make([40, 40]), [limit], others: [interval]).verdict == .pass)
    let row = report(.make([40, 30, 40]), [limit], others: [interval])
    #expect(row.verdict == .fail && row.limit?.measured == 30)
  }

  @Test func theReasonNamesFigureAndLimit() {
    let row = report(.make([52.1, 60]), [.make(.max, .below, 50)])
    #expect(row.reason == "max is 60 ms, the limit is < 50 ms")
  }

  @Test func noSamplesFailEvenWithoutALimit() {
    let row = report(.make([]), [])
    #expect(row.verdict == .fail)
    #expect(row.p50 == nil && row.count == 0)
  }

  @Test func whatCannotBeMeasuredHereIsUnsupportedAndDecidesNothing() {
    var absent = Measurement.make([])
    absent.lack = "fswebcam is not installed"
    let row = report(absent, [.make(.p50, .atMost, 5)])
    #expect(row.verdict == .unsupported && row.reason == "fswebcam is not installed")
  }

  @Test func samplesThatAreNotNumbersFail() {
    let row = report(.make([1, .nan, .infinity]), [.make(.p50, .atMost, 5)])
    #expect(row.verdict == .fail)
    #expect(row.reason == "2 of 3 samples are not finite numbers")
    #expect(row.samples == [1])
  }

  @Test func aWrongUnitFails() {
    #expect(report(.make([1], unit: .count), [.make(.p50, .atMost, 5)]).verdict == .fail)
  }

  @Test func tooFewSamplesAreInconclusive() {
    #expect(report(.make([1, 2]), [.make(.p99, .atMost, 5, minimumCount: 3)]).verdict == .inconclusive)
  }

  /// In the third turn the machine is slow for both metrics, which is no failure. The late engine is slow in a turn in which the
  /// other metric is not.
  @Test func aLimitOnPairsIsHeldAgainstTheirDifferences() {
    let device = Measurement.make([30, 31, 90, 29], id: "device")
    let limit = Limit.make(.max, .atMost, 30, reference: .init(metric: "device", paired: true))
    let median = Limit.make(.max, .atMost, 30, reference: .init(metric: "device"))
    let sound = Measurement.make([50, 52, 110, 50])
    #expect(report(sound, [limit], others: [device]).verdict == .pass)
    #expect(report(sound, [median], others: [device]).verdict == .fail)
    // The limit is shown in the magnitude of the samples, because both are drawn in one picture.
    let applied = report(sound, [limit], others: [device]).limit
    #expect(applied?.measured == 51 && applied?.value == 60 && applied?.pairedWith == "device")
    let late = report(.make([50, 75, 110, 50]), [limit], others: [device])
    #expect(late.verdict == .fail)
    #expect(
      late.reason == "max of the difference to device, pair by pair, is 44 ms, the limit is ≤ 30 ms")
    let ratio = Limit.make(.p50, .atMost, 0, reference: .init(metric: "device", factor: 2, paired: true))
    #expect(report(sound, [ratio], others: [device]).verdict == .pass)
    #expect(report(.make([70, 70, 190, 70]), [ratio], others: [device]).verdict == .fail)
  }

  /// Samples that form no pairs are inconclusive, and never pass.
  @Test func aLimitOnPairsNeedsAsManyOfBoth() {
    let limit = Limit.make(.max, .atMost, 30, reference: .init(metric: "device", paired: true))
    let interval = Measurement.make([33], id: "device")
    #expect(report(.make([60, 40]), [limit], others: [interval]).verdict == .pass)
    #expect(report(.make([60, 64]), [limit], others: [interval]).verdict == .fail)
    let few = report(.make([60, 40, 50]), [limit], others: [.make([30, 30], id: "device")])
    #expect(few.verdict == .inconclusive)
    #expect(few.reason == "the limit is on pairs, and there are 3 samples and 2 of device")
    #expect(report(.make([1]), [limit]).verdict == .inconclusive)
  }

  @Test func aLimitMayFollowAnotherMetric() {
    let interval = Measurement.make([33, 33.3, 34], id: "interval")
    let limit = Limit.make(.p99, .atMost, 2, reference: .init(metric: "interval"))
    #expect(report(.make([35]), [limit], others: [interval]).verdict == .pass)
    #expect(report(.make([35]), [limit], others: [interval]).limit?.value == 35.3)
    #expect(report(.make([36]), [limit], others: [interval]).verdict == .fail)
    #expect(report(.make([35]), [limit]).verdict == .inconclusive)
  }

  @Test func whatItFollowsMayBeAPattern() {
    let metric = Measurement.make([60], id: "recovery.replug.detected")
    let interval = Measurement.make([33], id: "recovery.replug.interval")
    let limit = Limit.make(
      .max, .atMost, 0, metric: "recovery.*.detected",
      reference: .init(metric: "recovery.*.interval", factor: 2))
    #expect(report(metric, [limit], others: [interval]).limit?.value == 66)
    #expect(report(metric, [limit], others: [interval]).verdict == .pass)
  }

  @Test func withoutALimitItIsRecorded() { #expect(report(.make([1]), []).verdict == .recorded) }

  @Test func longRunsKeepEveryKthSample() {
    let row = report(.make((0..<25_000).map(Double.init)), [])
    #expect(row.count == 25_000)
    #expect(row.samples.count == 8334)
    #expect(row.samples[1] == 3)
    #expect(row.max == 24_999)
  }
}
