import Foundation
import System
import Testing

@testable import Harness

/// Samples with the noise that shared machines have.
enum SimulatedNoise: CaseIterable {
  case lognormal, heavyTail, autocorrelated, drift, quantised

  /// Times around `median` ms.
  func samples(_ count: Int, median: Double, _ random: inout SplitMix64) -> [Double] {
    var carried = 0.0
    return (0..<count).map { index in
      let normal = random.normal()
      switch self {
      case .lognormal: return median * exp(0.15 * normal)
      case .heavyTail: return median * (1 + 0.05 * abs(normal) / max(0.02, random.uniform()))
      case .autocorrelated:
        carried = 0.9 * carried + 0.05 * normal
        return median * exp(carried)
      case .drift: return median * (1 + 0.12 * Double(index) / Double(count)) * exp(0.05 * normal)
      case .quantised: return (median * exp(0.2 * normal) / 4).rounded() * 4
      }
    }
  }
}

@Suite struct ComparatorTests {
  private func row(
    _ samples: [Double], unit: MeasurementUnit = .milliseconds, polarity: Polarity = .lowerIsBetter
  )
    -> MetricReport
  {
    let metric = Measurement.make(samples, unit: unit, polarity: polarity)
    return MetricJudge(profile: .make(), metrics: [metric]).report(metric)
  }

  private func verdicts(_ noise: SimulatedNoise, change: Double, count: Int, trials: Int = 60) -> [Verdict:
    Int]
  {
    var random = SplitMix64(seed: 42)
    var found: [Verdict: Int] = [:]
    for _ in 0..<trials {
      let base = noise.samples(count, median: 33, &random)
      let new = noise.samples(count, median: 33 * change, &random)
      found[MetricComparator().compare(row(base), row(new)).verdict, default: 0] += 1
    }
    return found
  }

  @Test(arguments: SimulatedNoise.allCases)
  func theSameBuildIsNeverCalledRegressed(_ noise: SimulatedNoise) {
    let found = verdicts(noise, change: 1, count: 300)
    #expect(found[.regressed, default: 0] == 0)
    #expect(found[.unchanged, default: 0] >= 59, "\(noise): \(found)")
  }

  @Test(arguments: SimulatedNoise.allCases)
  func thirtyPercentMoreIsCalledRegressed(_ noise: SimulatedNoise) {
    let found = verdicts(noise, change: 1.3, count: 300)
    #expect(found[.regressed, default: 0] >= 50, "\(noise): \(found)")
    #expect(found[.unchanged, default: 0] == 0)
  }

  @Test func fewSamplesAreNeverCalledUnchangedWhenTheyChanged() {
    let found = verdicts(.lognormal, change: 1.4, count: 8)
    #expect(found[.unchanged, default: 0] <= 3, "\(found)")
  }

  @Test func betterIsCalledImprovedAndFpsGoesTheOtherWay() {
    var random = SplitMix64(seed: 7)
    let slow = SimulatedNoise.lognormal.samples(300, median: 40, &random)
    let fast = SimulatedNoise.lognormal.samples(300, median: 30, &random)
    let comparator = MetricComparator()
    #expect(comparator.compare(row(slow), row(fast)).verdict == .improved)
    #expect(comparator.compare(row(fast), row(slow)).verdict == .regressed)
    func rate(_ samples: [Double]) -> MetricReport {
      row(samples.map { 1000 / $0 }, unit: .framesPerSecond, polarity: .higherIsBetter)
    }
    #expect(comparator.compare(rate(fast), rate(slow)).verdict == .regressed)
    #expect(comparator.compare(rate(slow), rate(fast)).verdict == .improved)
  }

  @Test func aSlowMachineIsNotARegression() {
    var random = SplitMix64(seed: 8)
    let base = row(SimulatedNoise.lognormal.samples(300, median: 30, &random))
    let new = row(SimulatedNoise.lognormal.samples(300, median: 34, &random))
    #expect(MetricComparator().compare(base, new).verdict == .regressed)
    #expect(MetricComparator(yardsticks: (10, 11.5)).compare(base, new).verdict == .unchanged)
    #expect(
      MetricComparator(calibration: ["latency.glass-to-glass": 0.2]).compare(base, new).verdict == .unchanged)
  }

  @Test func noiseExcusesUpToACapAndNeverItsOwnDrift() {
    let steady = [Double](repeating: 30, count: 50)
    let (rising, falling) = (steady + steady.map { $0 * 1.1 }, steady.map { $0 * 1.1 } + steady)
    func noise(_ base: [Double], _ new: [Double]) -> NoiseFloor {
      NoiseFloor(row(base), row(new), yardsticks: (1, 1))
    }
    #expect(abs(noise(rising, steady).worse - 0.1) < 1e-9)
    #expect(abs(noise(steady, falling).worse - 0.1) < 1e-9)
    #expect(noise(steady, rising).worse == 0)
    #expect(abs(noise(steady, rising).better - 0.1) < 1e-9)
    #expect(noise(steady + steady.map { $0 * 2 }, steady).worse == 0.15)
  }

  @Test func onlyASlowerMachineExcusesWhatIsSlower() {
    let steady = row([Double](repeating: 30, count: 50))
    func noise(_ base: Double, _ new: Double) -> [Double] {
      let floor = NoiseFloor(steady, steady, yardsticks: (base, new))
      return [floor.worse, floor.better]
    }
    #expect(noise(1, 1) == [0, 0])
    #expect(noise(1, 9) == [0.15, 0])
    #expect(noise(9, 1) == [0, 0.15])
    #expect(noise(0, 1) == [0, 0])
    let counts = row([Double](repeating: 30, count: 50), unit: .count)
    #expect(NoiseFloor(counts, counts, yardsticks: (1, 9)).worse == 0)
  }

  @Test func lessThanTheAbsoluteToleranceIsNoImprovement() {
    var (base, new) = (row([Double](repeating: 0.6, count: 50)), row([Double](repeating: 0.2, count: 50)))
    new.tolerance = Tolerance(relative: 0.05, absolute: 0.5)
    #expect(MetricComparator().compare(base, new).verdict == .unchanged)
    base = row([Double](repeating: 0.8, count: 50))
    #expect(MetricComparator().compare(base, new).verdict == .improved)
  }

  @Test func countsAreComparedAsTheyAre() {
    func count(_ value: Double) -> MetricReport { row([value], unit: .count) }
    let comparator = MetricComparator()
    #expect(comparator.compare(count(0), count(0)).verdict == .unchanged)
    #expect(comparator.compare(count(0), count(3)).verdict == .regressed)
    #expect(comparator.compare(count(3), count(0)).verdict == .improved)
    let exact = comparator.compare(
      row([516], unit: .tokens, polarity: .exact), row([258], unit: .tokens, polarity: .exact))
    #expect(exact.verdict == .regressed)
  }

  @Test func tooLittleDecidesNothing() {
    let (few, many) = (row([30, 31]), row((0..<20).map(Double.init)))
    #expect(MetricComparator().compare(few, few).verdict == .recorded)
    #expect(MetricComparator().compare(many, few).verdict == .inconclusive)
    #expect(MetricComparator().compare(few, row([])).verdict == .inconclusive)
  }

  @Test func anotherUnitOrEvidenceIsIncomparable() {
    var seen = row([30])
    seen.evidence = .photon
    #expect(MetricComparator().compare(row([30]), seen).verdict == .incomparable)
    #expect(MetricComparator().compare(row([30]), row([30], unit: .count)).verdict == .incomparable)
  }

  @Test func theMedianBootstrapMatchesResamplingByHand() {
    var random = SplitMix64(seed: 3)
    let samples = (0..<101).map { _ in random.uniform() }
    let bootstrap = MedianBootstrap(samples)
    let sorted = samples.sorted()
    let quick = (0..<4000).map { _ in bootstrap.draw(&random) }
    let slow = (0..<4000).map { _ in
      (0..<101).map { _ in sorted[Int(random.next() % 101)] }.sorted()[50]
    }
    for percent in [2.5, 25, 50, 75, 97.5] {
      let difference = (Summary(quick)?.percentile(percent) ?? 0) - (Summary(slow)?.percentile(percent) ?? 1)
      #expect(abs(difference) < 0.03)
    }
  }

  @Test func neighboursThatResembleEachOtherCountForLess() {
    var random = SplitMix64(seed: 5)
    let independent = (0..<500).map { _ in random.normal() }
    let alike = SimulatedNoise.autocorrelated.samples(500, median: 33, &random)
    #expect(MedianBootstrap(independent).independent > 250)
    #expect(MedianBootstrap(alike).independent < 100)
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

  @Test func calibrationIsTheWidestDifference() async throws {
    let runs = [try await report([30]), try await report([33]), try await report([31])]
    #expect(abs((Comparison.calibration(from: runs)["latency.glass-to-glass"] ?? 0) - 0.1) < 1e-9)
    #expect(Comparison.calibration(from: [runs[0]]).isEmpty)
  }
}
