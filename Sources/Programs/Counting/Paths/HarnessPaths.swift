import Harness
import JSON
import Probes
import RemoteControl
import System

extension CountedPath {
  /// Reports, comparisons, and the messages of a page.
  static let harness: [CountedPath] = [
    CountedPath(id: "report.write", title: "A report of twelve metrics", unit: "report", group: .harness) {
      rig, counter in
      let report = try await report(seed: 1)
      try counter.count(1) { _ = try ReportFile.encode(report) }
    },
    CountedPath(id: "report.page", title: "Its page", unit: "page", group: .harness) { rig, counter in
      let report = try await report(seed: 1)
      counter.count(1) { _ = HTMLReport(report).html }
    },
    CountedPath(
      id: "report.compare", title: "A comparison of two such reports", unit: "comparison", group: .harness
    ) { rig, counter in
      let (base, new) = (try await report(seed: 1), try await report(seed: 2))
      counter.count(8) { for _ in 0..<8 { _ = Comparison(base: base, new: new) } }
    },
    CountedPath(
      id: "control.message", title: "A message of a page that is read", unit: "message", group: .harness
    ) { rig, counter in
      let text = Array(#"{"type":"command","id":"17","command":"setZoom","arguments":{"zoom":2.5}}"#.utf8)
      try counter.count(2000) { for _ in 0..<2000 { _ = try ClientMessage(text) } }
    },
    CountedPath(
      id: "control.state", title: "A change of the state, sent to a page", unit: "change", group: .harness
    ) { rig, counter in
      let (old, new) = (document(zoom: 1), document(zoom: 2))
      counter.count(400) {
        for _ in 0..<400 { _ = MergePatch.difference(from: old, to: new).map { JSONSerializer.line($0) } }
      }
    },
  ]

  private static func document(zoom: Int) -> JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: (0..<60).map { ("member\($0)", JSONValue.integer(Int64($0 == 30 ? zoom : $0))) }
      ))
  }

  private static func report(seed: UInt64) async throws -> Report {
    let runner = Runner(
      profile: try Profile.load("seed"), tool: .init(version: "counted", commit: "none", build: "release"))
    let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "numbers"))
    return try await runner.run([DrawnNumbers(seed: seed)], context: context)
  }
}

/// Twelve metrics of 300 samples each, around 16 ms.
private struct DrawnNumbers: Scenario {
  let seed: UInt64
  let id = "numbers"
  let suite = Suite.latency
  let title = "Numbers"
  let purpose = "Gives the report writer and the comparison something to do."
  let exampleFailure = "None: nothing is judged."
  let requirements: [RequirementID] = []

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest { .passed("nothing to prove") }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var random = SplitMix64(seed: seed)
    return Observation(
      metrics: (0..<12).map { index in
        Measurement(
          id: "numbers.\(index)", title: "Number \(index)", unit: .milliseconds, level: .synthetic,
          samples: (0..<300).map { _ in 14 + Double(random.next() % 4000) / 1000 })
      })
  }
}
