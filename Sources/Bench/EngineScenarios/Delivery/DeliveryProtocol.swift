import Harness
import Probes
import System

/// UPL-1 to UPL-5: the client's traffic, compared with the published protocol.
struct DeliveryProtocol: Scenario {
  let id = "delivery.protocol"
  let suite = Suite.delivery
  let title = "The Talaria protocol"
  let purpose =
    "A backend accepts only what the protocol allows; a client that tries again at once brings an overloaded backend down."
  let exampleFailure =
    "A client that opens a connection for every request, and asks again every 10 ms while the server answers 503."
  let requirements: [RequirementID] = ["UPL-1", "UPL-2", "UPL-3", "UPL-4", "UPL-5"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let sound = ProtocolLog.sample
    let complaints = ProtocolRules(log: sound).checks.filter { !$0.passed }
    guard complaints.isEmpty else { return .failed("a log without a fault was refused: \(complaints)") }
    for (name, log) in ProtocolLog.spoiledSamples {
      let red = ProtocolRules(log: log).checks.filter { !$0.passed }.map(\.id)
      guard red == ["delivery.protocol.\(name)"] else {
        return .failed("what breaks the rule \(name) alone broke \(red)")
      }
    }
    return .passed(
      "a log without a fault was right, and \(ProtocolLog.spoiledSamples.count) broke one rule each")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let log: ProtocolLog = try TrialProgram(rig, context).run(["protocol"])
    return Observation(
      checks: ProtocolRules(log: log).checks,
      evidence: [.text("What the backend saw of the scans in trouble", text(log))],
      notes: [
        "The reference backend on this machine notes every request: of \(log.row.imageSizes.count) scans in a row, of one "
          + "refused twice by 503, of one whose stream breaks off, and of one that meets a limit (429)."
      ])
  }

  private func text(_ log: ProtocolLog) -> String {
    [("refused", log.refused), ("broken off", log.broken), ("limited", log.limited)].flatMap { name, play in
      play.requests.map { request in
        let time = Int((request.time - (play.requests.first?.time ?? 0)) * 1000)
        let place = request.headers["last-event-id"].map { ", Last-Event-ID \($0)" } ?? ""
        return "\(name): \(time) ms \(request.method) \(request.path)\(place)"
      }
    }.joined(separator: "\n")
  }
}
