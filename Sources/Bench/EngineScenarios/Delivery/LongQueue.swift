import Harness
import Probes
import System

/// QUE-1 at scale: a long queue drains as fast at its end as at its beginning.
struct LongQueue: Scenario {
  let id = "delivery.queue"
  let suite = Suite.delivery
  let title = "A long queue drains"
  let purpose =
    "A week without a network ends with thousands of scans to deliver; the last must not take longer than the first."
  let exampleFailure =
    "A queue that sorts all its scans to find the next one: half as fast with every doubling."
  let requirements: [RequirementID] = ["QUE-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let trial = try TrialProgram(rig, context)
    let slowing: DrainOutcome = try trial.run(["drain", "--scans", "60", "--part", "20", "--slowing", "60"])
    guard let ratio = slowing.lastToFirst else { return .failed("nothing was delivered to be timed") }
    guard ratio < 0.8 else {
      return .late(
        "a backend that grew slower was not seen: \(slowing.rates) scans a second", missedBy: ratio - 0.8)
    }
    return .passed("a backend made slower with every scan was seen: \(slowing.rates) scans a second")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (scans, part) = context.duration.queueLength
    let disk = PrivateDisk(megabytes: 1024)
    let outcome: DrainOutcome = try TrialProgram(rig, context).run(
      ["drain", "--scans", "\(scans)", "--part", "\(part)"], on: disk)
    return Observation(
      metrics: [
        Measurement(
          id: "delivery.scan-time", title: "Time a scan, over parts of \(part)", unit: .milliseconds,
          level: .synthetic,
          samples: outcome.rates.map { 1000 / max($0, 0.001) }),
        Measurement(
          id: "delivery.last-to-first", title: "Rate of the last part against the first", unit: .ratio,
          polarity: .higherIsBetter, level: .synthetic, kind: .timed,
          samples: outcome.lastToFirst.map { [$0] } ?? []),
      ],
      checks: checks(outcome, scans),
      notes: [
        "\(scans) scans, each uploaded, followed, stored and cleaned up over loopback; "
          + (disk == nil
            ? "on the disk of the report." : "on a disk in memory, so that the speed of no disk is timed."),
        "`--duration full` has 20,000 scans, `scripts/prove-delivery` 100,000.",
      ])
  }

  private func checks(_ outcome: DrainOutcome, _ scans: Int) -> [Check] {
    let growth = (outcome.memory.max() ?? 0) - (outcome.memory.first ?? 0)
    return [
      Check(
        id: "delivery.queue.delivered", title: "Every scan is delivered", passed: outcome.delivered == scans,
        subjects: scans, detail: "\(outcome.delivered) of \(scans)", requirement: "QUE-1"),
      Check(
        id: "delivery.queue.memory", title: "Memory stays flat: at most 64 MB more than with the full queue",
        passed: growth <= 64 << 20, subjects: outcome.memory.count, detail: "\(growth >> 20) MB more",
        requirement: "QUE-1"),
    ]
  }
}

/// The JSON output of `swiftwing-tool trial drain`.
package struct DrainOutcome: Codable, Sendable {
  package var scans = 0
  package var delivered = 0
  package var queueSeconds = 0.0
  /// The rate of each part of the queue, in scans per second.
  package var rates: [Double] = []
  /// The memory of the process in bytes: with a full queue, the maximum while the queue drained, and with an
  /// empty queue.
  package var memory: [Int] = []

  package init() {}

  /// The rate of the last part divided by that of the first. Nil if there are fewer than two parts.
  var lastToFirst: Double? {
    guard rates.count > 1, let first = rates.first, let last = rates.last, first > 0 else { return nil }
    return last / first
  }
}

extension RunDuration {
  fileprivate var queueLength: (scans: Int, part: Int) {
    switch self {
    case .turn: (500, 100)
    case .short: (1_000, 200)
    case .full: (20_000, 1_000)
    case .soak: (100_000, 1_000)
    }
  }
}
