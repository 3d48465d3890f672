import Foundation
import Harness
import System

/// Reports of turns as a build leaves them.
enum RecordedTurn {
  /// A scenario that took so long.
  private struct Timed: Scenario {
    let id = "photo.floor"
    let suite = Suite(id: "photo", title: "Photo")
    let title = "Example"
    let purpose = "Shows what is recorded."
    let exampleFailure = "A slower one."
    let requirements: [RequirementID] = ["IMG-5"]
    let ratio: Double

    func selfTest(_ context: ScenarioContext) async throws -> SelfTest { .passed("read as it is") }
    func run(_ context: ScenarioContext) async throws -> Observation {
      Observation(metrics: [
        Harness.Measurement(
          id: "photo.floor.example.ratio", title: "Ratio", unit: .ratio, level: .synthetic, kind: .timed,
          samples: (0..<9).map { ratio * (1 + Double($0 - 4) / 1000) })
      ])
    }
  }

  static func write(_ ratio: Double, to path: String) async throws {
    let runner = Runner(
      profile: try Profile.load("seed"), tool: Report.Tool(version: "1", commit: "abc", build: "release"))
    var report = try await runner.run(
      [Timed(ratio: ratio)],
      context: ScenarioContext(source: SourceDescription(kind: "corpus", name: "pan", digest: "1")))
    report.environment.build = "release"
    report.scenarios[0].seconds = 1
    // A report of the engine passes; this one has one of the limits that it is about only.
    report.scenarios[0].verdict = .pass
    report.scenarios[0].reason = ""
    report.conclude()
    try OutputFile(path: path).write(try ReportFile.encode(report))
  }
}

/// A folder that is gone with its holder.
final class TemporaryFolder: Sendable {
  let path = NSTemporaryDirectory() + "turns-\(UUID().uuidString)"

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
