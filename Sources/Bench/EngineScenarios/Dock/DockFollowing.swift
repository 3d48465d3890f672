import Capture
import Dock
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// DCK-1: a chosen subject is brought to its place, and kept there while it moves.
struct DockFollowing: Scenario {
  let id = "dock.following"
  let suite = Suite.dock
  let title = "A subject is brought to its place and kept there"
  let purpose = "A person who films alone cannot turn the camera; it must follow smoothly, and fast enough."
  let exampleFailure =
    "A loop that counts with pictures that are older than its last order: it swings about the subject."
  let requirements: [RequirementID] = ["DCK-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  static let framings: [DockFraming] = [.center, .left, .right]

  /// The results of one dock.
  struct Log: Sendable {
    /// Distances of a subject at rest, by framing.
    var still: [DockFraming: [DockDistance]] = [:]
    var moving: [DockDistance] = []
    /// Number of requests with pan but no tilt, or tilt but no pan.
    var halves = 0
    var requests = 0
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let steady = (0..<30).map {
      DockDistance(milliseconds: Double($0) * 100, across: $0 < 4 ? 0.3 : 0.01, down: 0)
    }
    var swinging = steady
    swinging[20].across = 0.2
    guard DockDistance.centred(steady) == 400, DockDistance.centred(swinging) == 2100,
      DockDistance.centred([steady[0]]) == nil
    else { return .failed("a subject that swings out again was judged as staying") }
    return .passed("a subject that stays from 0.4 s on is centred then; one that swings out at 2 s is not")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Observation(notes: [
      "Virtual time; a simulated dock with mass and a delay of 30 ms, held against where its camera has the subject."
    ])
    for kind in DockModel.Kind.allCases {
      let found = Self.observation(try await log(kind), kind)
      observation.metrics += found.metrics
      observation.checks += found.checks
    }
    return observation
  }

  private func log(_ kind: DockModel.Kind) async throws -> Log {
    var log = Log()
    for framing in Self.framings {
      let scene = DockScene([.standing(pan: 0.25, tilt: -0.1)])
      let play = await DockPlay(rig: rig, kind: kind, scene: scene)
      log.still[framing] = try await play.playing { play in
        _ = await play.dock.perform(.framing(framing))
        let began = play.clock.now()
        _ = await play.tap()
        try await play.run(.milliseconds(1500))
        return play.distances(from: began, place: framing.place)
      }
      log.requests += play.truth.requests.count
      log.halves += play.truth.requests.count { request in
        let moves = request.values.keys.filter { [.pan, .tilt, .panSpeed, .tiltSpeed].contains($0) }
        return moves.count == 1
      }
    }
    log.moving = try await moving(kind)
    return log
  }

  private func moving(_ kind: DockModel.Kind) async throws -> [DockDistance] {
    let scene = DockScene([
      DockScene.Subject(size: 0.15, look: 1) { (0.5 * sin(1.2 * $0), 0.08 * sin(2 * $0)) }
    ])
    let play = await DockPlay(rig: rig, kind: kind, scene: scene)
    return try await play.playing { play in
      _ = await play.tap()
      try await play.run(.seconds(1))
      let began = play.clock.now()
      try await play.run(.seconds(5))
      return play.distances(from: began, place: 0.5)
    }
  }

  static func observation(_ log: Log, _ kind: DockModel.Kind) -> Observation {
    let name = kind.rawValue
    let centred = framings.map { DockDistance.centred(log.still[$0] ?? []) }
    let off = log.moving.map { max($0.across, $0.down) * 100 }
    return Observation(
      metrics: [
        Measurement(
          id: "dock.following.\(name).centred",
          title: "Driven by \(word(kind)): from a tap until the subject is at its place",
          unit: .milliseconds, level: .synthetic, kind: .exact, samples: centred.compactMap(\.self)),
        Measurement(
          id: "dock.following.\(name).off",
          title: "Driven by \(word(kind)): how far a moving subject was from its place, of the width",
          unit: .percent, level: .synthetic, kind: .exact, samples: off),
      ],
      checks: [
        Check(
          id: "dock.following.\(name).all",
          title: "Driven by \(word(kind)): every framing is reached and kept",
          passed: !centred.contains(nil), subjects: centred.count,
          detail: zip(framings, centred).map { "\($0.rawValue): \($1.map { "\(Int($0)) ms" } ?? "never")" }
            .joined(separator: ", "), requirement: "DCK-1"),
        Check(
          id: "dock.following.\(name).together",
          title: "Driven by \(word(kind)): pan and tilt come in one request",
          passed: log.halves == 0 && log.requests > 0, subjects: log.requests,
          detail: "\(log.halves) of \(log.requests) came alone", requirement: "DCK-1"),
      ])
  }

  private static func word(_ kind: DockModel.Kind) -> String { kind == .absolute ? "position" : "speed" }
}
