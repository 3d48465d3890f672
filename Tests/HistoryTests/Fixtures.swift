import Foundation
import System

@testable import Harness
@testable import History

/// A run with two metrics. Its report is like that of `bench`, but nothing is run.
struct RunFixture {
  var commit = "c0"
  /// The run's time, in days after 1 November 2026.
  var day = 0.0
  var cpu = "Test CPU"
  var build = "release"
  /// The samples of the latency, in milliseconds.
  var latency: [Double] = [10]
  /// The samples of a counted metric, which are equal in all runs of a build; nil for a run without this metric.
  var bytes: [Double]? = [100, 101]
  var isComplete = true
  var fault: String?

  static let epoch = Date(timeIntervalSince1970: 1_793_491_200)
  static let now = epoch.addingTimeInterval(1000 * 86_400)

  var report: Report {
    let environment = RunEnvironment(
      fingerprint: "x86_64 · \(cpu) · \(build)", architecture: "x86_64", cpu: cpu, cores: 2, kernel: "6.1",
      memoryGiB: 8, isolation: "none", build: build, governor: nil, load: 0.1, yardstick: 1, warnings: [])
    var report = Report(
      tool: Report.Tool(version: "0.1.0", commit: commit, build: build),
      started: Self.epoch.addingTimeInterval(day * 86_400).formatted(.iso8601), environment: environment,
      source: SourceDescription(kind: "corpus", name: "pan", format: "MJPG", digest: "abc"), profile: "seed",
      duration: .short, complete: isComplete, scenarios: [scenario])
    report.fault = fault
    return report
  }

  private var scenario: ScenarioReport {
    ScenarioReport(
      id: "latency.example", suite: .latency, title: "Example", purpose: "p", exampleFailure: "e",
      requirements: ["LAT-1"], verdict: .pass, reason: "", selfTest: "zero read as zero", seconds: 1,
      metrics: metrics,
      checks: [], evidence: [], notes: [], reproduce: "swiftwing bench")
  }

  private var metrics: [MetricReport] {
    let time = Self.metric("latency.time", latency, .milliseconds, .timed, limit: 50)
    let size = bytes.map { Self.metric("photo.bytes", $0, .bytes, .exact, limit: 500) }
    return [time, size].compactMap { $0 }
  }

  private static func metric(
    _ id: String, _ samples: [Double], _ unit: MeasurementUnit, _ kind: MetricKind, limit: Double
  ) -> MetricReport {
    let summary = Summary(samples)
    return MetricReport(
      id: id, title: "Title of \(id)", unit: unit, polarity: .lowerIsBetter, evidence: .synthetic, kind: kind,
      count: samples.count, min: summary?.min, p50: summary?.median, p90: summary?.percentile(90),
      p99: summary?.percentile(99), max: summary?.max, mean: summary?.mean, histogram: [], samples: samples,
      limit: .init(
        statistic: .p50, op: .atMost, value: limit, measured: summary?.median, requirement: "LAT-1",
        source: "test"),
      verdict: summary == nil ? .fail : .pass, reason: "", tolerance: Tolerance(relative: 0.05), baseline: nil
    )
  }
}

/// A temporary folder that is deleted with the object.
final class TemporaryFolder {
  let path = NSTemporaryDirectory() + "history-\(UUID().uuidString)"
  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
  var history: String { "\(path)/history.sqlite" }
}

extension SplitMix64 {
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a standard normal number, by the Box–Muller transform.
  mutating func normal() -> Double {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    return radius * cos(2 * .pi * uniform())
  }
}

/// The noise of one build on one machine, as factors of a figure.
enum Noise: CaseIterable {
  /// The noise is log-normal.
  case even
  /// One run in ten is up to four times as slow, because of another program.
  case farOut
  /// The machine is fast or slow for whole runs.
  case twoStates

  func factor(_ random: inout SplitMix64, spread: Double) -> Double {
    let even = exp(spread * random.normal())
    return switch self {
    case .even: even
    case .farOut: random.uniform() < 0.1 ? even * (1 + 3 * random.uniform()) : even
    case .twoStates: random.uniform() < 0.5 ? even : even * (1 + 3 * spread)
    }
  }
}

extension History {
  /// Adds a run for each figure, one day apart, each with its own commit.
  func add(_ figures: [Double], from day: Double = 0, cpu: String = "Test CPU", commit: String = "c") throws {
    for (index, figure) in figures.enumerated() {
      let run = RunFixture(commit: "\(commit)\(index)", day: day + Double(index), cpu: cpu, latency: [figure])
      _ = try add(run.report, named: "run \(index)", now: RunFixture.now)
    }
  }
}

extension Trend {
  func series(_ metric: String, setting: Int = 0) -> Series? {
    settings[setting].series.first { $0.metric == metric }
  }
}
