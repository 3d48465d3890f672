import Capture
import Dock
import Harness
import Imagery
import Probes
import Replay
import System

/// DCK-1: a subject that was hidden is recognised again.
struct DockLoss: Scenario {
  let id = "dock.loss"
  let suite = Suite.dock
  let title = "A subject is lost and found again"
  let purpose = "People walk behind things; the camera must neither follow the thing nor forget the person."
  let exampleFailure = "A tracker that follows anything at the place where the subject was."
  let requirements: [RequirementID] = ["DCK-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// The states before, during and after the loss.
  struct Log: Sendable {
    var before: DockState
    var hidden: DockState
    var after: DockState
    /// Distances since the subject came back.
    var distances: [DockDistance]
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    var tracking = DockState()
    tracking.status = .tracking
    tracking.selected = 1
    var waiting = tracking
    waiting.status = .connected
    var other = tracking
    other.selected = 2
    let near = [DockDistance(milliseconds: 300, across: 0, down: 0)]
    let right = Log(before: tracking, hidden: waiting, after: tracking, distances: near)
    let mistaken = Log(before: tracking, hidden: tracking, after: other, distances: near)
    let (good, bad) = (Self.observation(right).checks, Self.observation(mistaken).checks)
    guard good.allSatisfy(\.passed), bad.count(where: { !$0.passed }) == 2 else {
      return .failed("another subject was accepted as the one that was lost")
    }
    return .passed("the same subject passes; another one, and one that is never lost, do not")
  }

  func run(_ context: ScenarioContext) async throws -> Observation { Self.observation(try await log()) }

  private func log() async throws -> Log {
    var subject = DockScene.Subject(size: 0.15, look: 1) { $0 < 2 ? (0.1, 0) : (-0.2, 0.05) }
    subject.hidden = [1.5..<3]
    let scene = DockScene([.standing(pan: 0.42, tilt: 0.1, size: 0.12, look: 5), subject])
    let play = await DockPlay(rig: rig, kind: .speed, scene: scene)
    return try await play.playing { play in
      _ = await play.tap(1)
      // The camera has been running for 0.3 s already.
      try await play.run(.milliseconds(1100))
      let before = play.dock.state
      try await play.run(.milliseconds(1400))
      let hidden = play.dock.state
      try await play.run(.milliseconds(200))
      let back = play.clock.now()
      try await play.run(.milliseconds(2000))
      return Log(
        before: before, hidden: hidden, after: play.dock.state,
        distances: play.distances(of: 1, from: back, place: 0.5))
    }
  }

  static func observation(_ log: Log) -> Observation {
    func check(_ name: String, _ title: String, passed: Bool, detail: String) -> Check {
      Check(
        id: "dock.loss.\(name)", title: title, passed: passed, subjects: 1, detail: detail,
        requirement: "DCK-1")
    }
    return Observation(
      metrics: [
        Measurement(
          id: "dock.loss.centred", title: "From its return until the subject is at its place",
          unit: .milliseconds,
          level: .synthetic, kind: .exact, samples: DockDistance.centred(log.distances).map { [$0] } ?? [])
      ],
      checks: [
        check(
          "told", "a subject that is hidden is reported as lost, and the camera stops",
          passed: log.before.status == .tracking && log.hidden.status == .connected
            && log.hidden.motion == .zero,
          detail: "\(log.before.status.rawValue), then \(log.hidden.status.rawValue)"),
        check(
          "same", "it is the same subject when it is back",
          passed: log.after.status == .tracking && log.before.selected != nil
            && log.after.selected == log.before.selected,
          detail:
            "subject \(log.before.selected.map { "\($0)" } ?? "none"), then \(log.after.selected.map { "\($0)" } ?? "none")"
        ),
        check(
          "centred", "it is brought to its place again", passed: DockDistance.centred(log.distances) != nil,
          detail: DockDistance.centred(log.distances).map { "after \(Int($0)) ms" } ?? "never"),
      ],
      notes: [
        "Virtual time; the subject is hidden for 1.5 s and comes back at another place, beside another "
          + "subject that looks different."
      ])
  }
}
