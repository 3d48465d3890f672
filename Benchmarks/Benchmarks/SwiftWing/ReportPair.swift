import Foundation
import Harness

/// Two reports of the same scenario whose samples differ a little.
struct ReportPair: Sendable {
  let base: Report
  let new: Report

  init() async throws {
    base = try await Self.report(seed: 1)
    new = try await Self.report(seed: 2)
  }

  private static func report(seed: UInt64) async throws -> Report {
    let tool = Report.Tool(version: "benchmark", commit: "none", build: "release")
    let runner = Runner(profile: try Profile.load("seed"), tool: tool)
    let source = SourceDescription(kind: "simulated", name: "numbers")
    return try await runner.run([Numbers(seed: seed)], context: ScenarioContext(source: source))
  }
}

/// A scenario of twelve metrics with 300 samples each, which wander around 16 ms.
private struct Numbers: Scenario {
  let seed: UInt64
  let id = "numbers"
  let suite = Suite.latency
  let title = "Numbers"
  let purpose = "Gives the report writer and the comparison something to do."
  let exampleFailure = "None: nothing is judged."
  let requirements: [RequirementID] = []

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest { .passed("nothing to prove") }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var state = seed
    let metrics = (0..<12).map { index in
      Measurement(
        id: "numbers.\(index)", title: "Number \(index)", unit: .milliseconds, level: .synthetic,
        samples: (0..<300).map { _ in 14 + 4 * Self.next(&state) })
    }
    return Observation(metrics: metrics)
  }

  /// Returns a uniform number in 0 ..< 1, from the upper bits of Knuth's 64-bit linear congruential generator (*The Art of Computer
  /// Programming*, 3.3.4).
  private static func next(_ state: inout UInt64) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }
}
