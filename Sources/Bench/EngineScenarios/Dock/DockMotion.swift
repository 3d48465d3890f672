import Capture
import Dock
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// DCK-1: motors stop when nobody controls them, and return after an animation.
struct DockMotion: Scenario {
  let id = "dock.motion"
  let suite = Suite.dock
  let title = "Moves by hand end, and movements come back"
  let purpose = "A camera that turns on after its remote is gone winds up its cable."
  let exampleFailure =
    "A speed that is sent once: when the page is closed, the motor turns until it is at its end."
  let requirements: [RequirementID] = ["DCK-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// The ways in which a manual move can end.
  enum End: String, CaseIterable, Sendable {
    case unrenewed, gone, stopped, mode
  }

  /// The response to one end of a move.
  struct Stop: Sendable {
    /// Milliseconds from the time when the motion had to end until the command to stop. Nil if no command came.
    var overrun: Double?
    /// Speed in radians per second, some tenths of a second later.
    var speed: Double
    /// Angle that the camera had turned, in radians.
    var turned: Double
  }

  /// The course of an animation.
  struct Movement: Sendable {
    var first: DockAnswer
    var second: DockAnswer
    var during: DockState
    var after: DockState
    /// The largest distance from the start, in radians.
    var farthest: Double
    /// The distance from the start at the end, in radians.
    var left: Double
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let right = Self.checks([.gone: Stop(overrun: 0, speed: 0, turned: 0.1)])
    let wrong = Self.checks([.gone: Stop(overrun: 0, speed: 0.2, turned: 0.1)])
    guard right.allSatisfy(\.passed), wrong.contains(where: { !$0.passed }) else {
      return .failed("a motor that goes on turning was judged as standing")
    }
    return .passed("a motor that stands passes; one that turns on does not")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var stops: [End: Stop] = [:]
    for end in End.allCases { stops[end] = try await stop(end) }
    return Observation(
      metrics: [
        Measurement(
          id: "dock.motion.overrun",
          title: "From the time at which a move must end until the motors are ordered to stop",
          unit: .milliseconds, level: .synthetic, kind: .exact,
          samples: End.allCases.compactMap { stops[$0]?.overrun })
      ], checks: Self.checks(stops) + Self.checks(try await movement()),
      notes: ["Virtual time; a simulated dock that is driven by speed."])
  }

  private func stop(_ end: End) async throws -> Stop {
    let play = await DockPlay(rig: rig, kind: .speed, scene: DockScene([]))
    return try await play.playing { play in
      _ = await play.dock.perform(.mode(.manual))
      var ends = play.clock.now()
      for _ in 0..<5 {
        _ = await play.dock.perform(.move(DockAngles(pan: 0.2, tilt: 0)), client: 7)
        ends = play.clock.now() + .milliseconds(250)
        try await play.run(.milliseconds(100))
      }
      if end != .unrenewed { ends = play.clock.now() }
      switch end {
      case .unrenewed: break
      case .gone: play.dock.lost(client: 7)
      case .stopped: _ = await play.dock.perform(.stop)
      case .mode: _ = await play.dock.perform(.mode(.custom))
      }
      try await play.run(.milliseconds(400))
      let told = play.truth.requests.last { $0.values[.panSpeed] == .number(0) }
      return Stop(
        overrun: told.map { max(0, ($0.time - ends).milliseconds) },
        speed: play.truth.frames.last?.panSpeed ?? .nan, turned: play.truth.frames.last?.pan ?? 0)
    }
  }

  private func movement() async throws -> Movement {
    let play = await DockPlay(rig: rig, kind: .absolute, scene: DockScene([.standing(pan: 0.1)]))
    return try await play.playing { play in
      _ = await play.tap()
      try await play.run(.seconds(1))
      let origin = play.truth.frames.last
      let first = await play.dock.perform(.animate("yes"))
      try await play.run(.milliseconds(200))
      let during = play.dock.state
      let second = await play.dock.perform(.animate("no"))
      try await play.run(.milliseconds(3500))
      let (frames, from) = (play.truth.frames, origin?.tilt ?? 0)
      return Movement(
        first: first, second: second, during: during, after: play.dock.state,
        farthest: frames.map { abs($0.tilt - from) }.max() ?? 0, left: abs((frames.last?.tilt ?? 9) - from))
    }
  }

  static func checks(_ stops: [End: Stop]) -> [Check] {
    End.allCases.compactMap { end in
      stops[end].map { stop in
        Check(
          id: "dock.motion.\(end.rawValue)", title: "The motors stand after: \(end.rawValue)",
          passed: stop.overrun != nil && abs(stop.speed) < 0.01 && stop.turned > 0.05, subjects: 1,
          detail: "turned by \((stop.turned * 100).rounded() / 100) rad, then \(stop.speed) rad/s",
          requirement: "DCK-1")
      }
    }
  }

  static func checks(_ movement: Movement) -> [Check] {
    func check(_ name: String, _ title: String, passed: Bool, detail: String) -> Check {
      Check(
        id: "dock.motion.\(name)", title: title, passed: passed, subjects: 1, detail: detail,
        requirement: "DCK-1")
    }
    let (during, after) = (movement.during, movement.after)
    return [
      check(
        "played", "a movement moves the motors, and no subject is followed during it",
        passed: movement.first.isAccepted && movement.farthest > 0.1 && during.animation == "yes"
          && during.status == .connected,
        detail: "\(movement.farthest) rad"),
      check(
        "alone", "a second movement is refused", passed: !movement.second.isAccepted,
        detail: "\(movement.second)"),
      check(
        "restored", "place, mode and subject are as before",
        passed: movement.left < 0.02 && after.animation == nil && after.mode == during.mode
          && after.selected == during.selected
          && after.status == .tracking,
        detail: "\(movement.left) rad from where it was, \(after.status.rawValue)"),
    ]
  }
}
