import Foundation
import System
import Testing

@testable import Harness

extension Report {
  /// Returns the report with changed samples of one metric and the statistics that follow from them.
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

/// Changes by which an auditor tests whether the gate notices a regression.
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

  @Test(arguments: [0.7, 1, 1.3])
  func aThirdMoreIsRegressedHoweverFastTheMachineWas(_ yardstick: Double) async throws {
    let base = try await SampleReport.sound()
    var new = try await SampleReport.sound(seed: 3).editing(metric) { $0.map { $0 * 1.3 } }
    new.environment.yardstick = yardstick
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.verdict == .regressed, "\(comparison.reason)")
    #expect(try row(comparison).method == .runs)
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

  @Test func anEmptySampleOrOneThatIsNoNumberNeverPasses() async throws {
    let base = try await SampleReport.sound()
    let empty = try await SampleReport.sound(seed: 3).editing(metric) { _ in [] }
    #expect(Comparison(base: base, new: empty).exitStatus == .inconclusive)
    let broken = try await Report.make(Observation(metrics: [.make([30, .nan, 31, 30, 30, 31])]))
    let whole = try await Report.make(Observation(metrics: [.make([30, 30, 31, 30, 30, 31])]))
    #expect(broken.verdict == .fail)
    #expect(Comparison(base: whole, new: broken).exitStatus == .inconclusive)
    #expect(broken.flawAsBaseline?.hasPrefix("failed") == true)
  }

  @Test func aTruncatedReportIsRefusedWhateverItsLength() async throws {
    let whole = try ReportFile.encode(try await SampleReport.sound())
    for length in stride(from: 0, to: whole.count - 2, by: whole.count / 40) {
      #expect(throws: HarnessError.self) { try ReportFile.decode(whole.prefix(length)) }
    }
  }
}

/// Baselines of several runs.
@Suite struct BaselineFolderTests {
  @Test func aFolderHoldsRunsOfOneBuild() async throws {
    let directory = try TemporaryDirectory()
    for run in 1...3 {
      try ReportFile(directory: "\(directory.path)/\(run)").write(
        try await SampleReport.sound(seed: UInt64(run)))
    }
    let baseline = try Baseline.load([directory.path])
    #expect(baseline.runs.count == 3)
    let comparison = Comparison(baseline: baseline, new: try await SampleReport.sound(seed: 9))
    #expect(comparison.verdict == .unchanged && comparison.base.runs == 3, "\(comparison.reason)")
    let slow = try await SampleReport.sound(seed: 9).editing("latency.glass-to-glass") { $0.map { $0 * 1.4 } }
    #expect(Comparison(baseline: baseline, new: slow).verdict == .regressed)
    #expect(try Baseline.load(["\(directory.path)/1", "\(directory.path)/2/report.json"]).runs.count == 2)
  }

  @Test func whatIsNoBaselineIsRefused() async throws {
    let directory = try TemporaryDirectory()
    #expect(throws: HarnessError.self) { try Baseline.load([directory.path]) }
    #expect(throws: HarnessError.self) { try Baseline.load([]) }
    let sound = try await SampleReport.sound()
    var other = sound
    other.tool.commit = "0123456789ab"
    let builds = #expect(throws: HarnessError.self) { try Baseline([sound, other]) }
    #expect(builds?.description.contains("two builds") == true)
    other = sound
    other.environment.cpu = "Another CPU"
    #expect(throws: HarnessError.self) { try Baseline([sound, other]) }
    try ReportFile(directory: "\(directory.path)/1").write(sound)
    try OutputFile(path: "\(directory.path)/2/report.json").write("{\"schema\":")
    #expect(throws: HarnessError.self) { try Baseline.load([directory.path]) }
  }
}
