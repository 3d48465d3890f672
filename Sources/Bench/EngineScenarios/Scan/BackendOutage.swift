import Harness
import Probes
import System

/// QUE-1: the backend goes down and comes back.
struct BackendOutage: Scenario {
  let id = "scan.outage"
  let suite = Suite.scan
  let title = "The backend is down, then up"
  let purpose =
    "Between shelves there is often no network; scans made there must arrive by themselves later."
  let exampleFailure = "A scanner that gives up on a scan after three refused connections."
  let requirements: [RequirementID] = ["QUE-1", "SEC-2"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let losing = try ScanTrialProgram(rig.with(nil), context).runScripted(
      ["--outage", "0.5", "--lose", "2"], seconds: 1)
    guard losing.accepted >= 2, losing.lost == losing.accepted / 2 else {
      return .failed("of \(losing.accepted) scans every second was lost, and \(losing.lost) were missed")
    }
    return .passed("\(losing.lost) scans of \(losing.accepted) that were lost in an outage were missed")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let outcome = try ScanTrialProgram(rig, context).runScripted(["--outage", "2"], seconds: 1)
    return Observation(
      metrics: [
        Measurement(
          id: "scan.drain-time", title: "Backend back → queue empty", unit: .milliseconds, level: .synthetic,
          samples: outcome.drainTime.map { [$0] } ?? [])
      ],
      checks: [
        Check(
          id: "scan.outage.delivered", title: "Every scan arrives once the backend is back",
          passed: outcome.lost == 0, subjects: outcome.accepted,
          detail: "\(outcome.delivered) of \(outcome.accepted)", requirement: "QUE-1"),
        Check(
          id: "scan.outage.once", title: "Each is one job", passed: outcome.jobs == outcome.accepted,
          subjects: outcome.accepted, detail: "\(outcome.jobs) jobs", requirement: "QUE-1"),
        Check(
          id: "scan.outage.images", title: "No image is left", passed: outcome.imagesLeft == 0,
          subjects: outcome.accepted, detail: "\(outcome.imagesLeft) left", requirement: "SEC-2"),
      ],
      notes: [
        "Nothing listened for the first 2 s; the client looks again after 1, 2, 4 and then every 15 s. Photos are taken "
          + "all the while, and for a second more; what is read is scripted."
      ])
  }
}
