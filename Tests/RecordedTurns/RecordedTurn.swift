import Foundation
package import Harness
import System

/// Writes reports like those that a build leaves after a turn.
package enum RecordedTurn {
  package static func write(_ ratio: Double, to path: String) async throws {
    let report = try await MadeReport.of(
      "photo.floor", suite: "photo",
      [
        Harness.Measurement(
          id: "photo.floor.example.ratio", title: "Ratio", unit: .ratio, level: .synthetic, kind: .timed,
          samples: (0..<9).map { ratio * (1 + Double($0 - 4) / 1000) })
      ])
    try OutputFile(path: path).write(try ReportFile.encode(report))
  }
}

/// Makes the passed report of one scenario with the given metrics.
package enum MadeReport {
  private struct Made: Scenario {
    let id: String
    let suite: Suite
    let title = "Example"
    let purpose = "Shows what is recorded."
    let exampleFailure = "A slower one."
    let requirements: [RequirementID] = ["IMG-5"]
    let metrics: [Harness.Measurement]

    func selfTest(_ context: ScenarioContext) async throws -> SelfTest { .passed("read as it is") }
    func run(_ context: ScenarioContext) async throws -> Observation { Observation(metrics: metrics) }
  }

  package static func of(_ scenario: String, suite: String, _ metrics: [Harness.Measurement]) async throws
    -> Report
  {
    let runner = Runner(
      profile: try Profile.load("seed"), tool: Report.Tool(version: "1", commit: "abc", build: "release"))
    var report = try await runner.run(
      [Made(id: scenario, suite: Suite(id: suite, title: "Example"), metrics: metrics)],
      context: ScenarioContext(source: SourceDescription(kind: "corpus", name: "pan", digest: "1")))
    report.environment.build = "release"
    report.scenarios[0].seconds = 1
    // The report lacks most metrics that the profile limits, so the verdict of a complete report is set by hand.
    report.scenarios[0].verdict = .pass
    report.scenarios[0].reason = ""
    report.conclude()
    return report
  }
}

/// A temporary folder that is deleted with the object.
package final class TemporaryFolder: Sendable {
  package let path = NSTemporaryDirectory() + "turns-\(UUID().uuidString)"

  package init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
