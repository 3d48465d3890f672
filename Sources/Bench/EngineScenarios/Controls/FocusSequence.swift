import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// CTL-4: a tap focuses, a long press locks the focus.
struct FocusSequence: Scenario {
  let id = "controls.focus"
  let suite = Suite.controls
  let title = "Focus by a tap, and locked"
  let purpose =
    "A spine is photographed from near: the focus must be where the finger was, and stay there when it is locked."
  let exampleFailure =
    "A session that reports `locked` at once, while the lens is still moving."
  let requirements: [RequirementID] = ["CTL-4"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let sound = try await FocusPlay(rig: Rig(viewfinder: "")).locked()
    let wandering = try await FocusPlay(rig: Rig(fault: .wandersInFocus, viewfinder: "")).locked()
    guard sound.moved == 0, wandering.moved > 0.1 else {
      return .failed(
        "a lens that was locked was read to move by \(sound.moved), and one that was not by \(wandering.moved)"
      )
    }
    return .passed(
      "a locked lens was read to stay, and one that goes on looking to move by \(wandering.moved) of its way")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let play = FocusPlay(rig: rig)
    return Self.observation(
      tap: try await play.tapped(), lock: try await play.locked(), plain: try await play.locked(tells: false),
      dark: try await play.dark())
  }

  static func observation(
    tap: FocusPlay.Log, lock: FocusPlay.Log, plain: FocusPlay.Log, dark: FocusPlay.Log
  ) -> Observation {
    func check(_ name: String, _ title: String, passed: Bool, detail: String) -> Check {
      Check(
        id: "controls.focus.\(name)", title: title, passed: passed, subjects: 1, detail: detail,
        requirement: "CTL-4")
    }
    func told(_ log: FocusPlay.Log) -> String { log.states.map(\.rawValue).joined(separator: ", ") }
    return Observation(checks: [
      check(
        "tap", "A tap focuses and then goes on", passed: tap.states == [.continuous, .focusing, .continuous],
        detail: told(tap)),
      check(
        "place", "What was tapped is sharp", passed: tap.miss < 0.02,
        detail: "the lens is \(tap.miss) of its way off"),
      check(
        "exposure", "A tap leaves the exposure alone", passed: tap.exposureSets == 0,
        detail: "\(tap.exposureSets) values set"
      ),
      check(
        "sequence", "A lock goes through its states", passed: lock.states == [.continuous, .single, .locked],
        detail: told(lock)),
      check(
        "locked-place", "It is locked where it is sharp", passed: lock.miss < 0.02,
        detail: "the lens is \(lock.miss) of its way off"),
      check(
        "plain", "If the camera reports no status, the focus is locked once the lens rests",
        passed: plain.states == [.continuous, .single, .locked] && plain.miss < 0.02,
        detail: "\(told(plain)); the lens misses its position by \(plain.miss) of its range"),
      check(
        "still", "A locked lens stays when the scene changes", passed: lock.moved == 0,
        detail: "it moved by \(lock.moved) of its way"),
      check(
        "unreached", "A lock without a focus says so",
        passed: dark.states == [.continuous, .single, .lockedUnreached], detail: told(dark)
      ),
    ])
  }
}

/// A simulated camera whose focus is operated.
struct FocusPlay: Sendable {
  struct Log: Sendable {
    /// The reported focus states in order, without repetitions.
    var states: [FocusState] = []
    /// Distance of the lens from the position where the subject is sharp, as a share of the lens's travel.
    var miss = 0.0
    /// Distance that the lens moved afterwards, while the scene changed, as a share of its travel.
    var moved = 0.0
    /// Number of commands that set an exposure control.
    var exposureSets = 0
  }

  let rig: Rig

  /// Distances of the scene: near on the left, far on the right.
  private static let distances = (left: 0.15, right: 3.0)

  private func log(
    light: Double = 10, tells: Bool = true, at x: Double,
    _ act: @escaping @Sendable (SensorPlay) async -> Void
  ) async throws -> Log {
    let source = SensorSource(framesPerSecond: 30, light: light) {
      ($0.lensSpeed, $0.tellsFocusStatus) = (1, tells)
      // The range of sensitivities is limited, so that a dark scene stays dark.
      if light < 0 { $0.isos = 50...100 }
    }
    source.scene.setDistances(left: Self.distances.left, right: Self.distances.right)
    let play = await SensorPlay(source, rig: rig)
    let states = Collected<FocusState>()
    let stream = await play.session.controlStates()
    let listener = Task {
      for await state in stream where states.all.last != state.focus { states.add(state.focus) }
    }
    defer { listener.cancel() }
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(.seconds(2))
      let began = play.clock.now()
      await act(play)
      try await play.run(.seconds(4))
      var log = Log()
      let position = play.truth.frames.last?.lensPosition ?? .nan
      let distance = x < 0.5 ? Self.distances.left : Self.distances.right
      log.miss = abs(position - (1 - 1 / distance / source.model.nearest))
      log.exposureSets = play.truth.commands.count {
        $0.time >= began && Self.ofExposure.contains($0.control)
      }
      log.states = await Self.told(states, to: await play.session.controls.focus)
      play.scene.setDistances(left: 1, right: 0.2)
      try await play.run(.seconds(1))
      log.moved = abs((play.truth.frames.last?.lensPosition ?? .nan) - position)
      return log
    }
  }

  /// Returns the reported states once `last` has arrived. Without a camera, the focus is `unsupported`; those states are dropped.
  private static func told(_ states: Collected<FocusState>, to last: FocusState) async -> [FocusState] {
    for _ in 0..<10_000 where states.all.last != last { await Task.yield() }
    return Array(states.all.drop { $0 == .unsupported })
  }

  private static let ofExposure: Set<CameraControl> = [
    .exposureMode, .exposureDuration, .iso, .exposureBias, .exposureLock,
  ]

  func tapped() async throws -> Log {
    try await log(at: 0.2) { _ = await $0.session.focus(x: 0.2, y: 0.5) }
  }

  /// - Parameter tells: whether the camera reports that it has reached the focus.
  func locked(tells: Bool = true) async throws -> Log {
    try await log(tells: tells, at: 0.2) { _ = await $0.session.lockFocus(x: 0.2, y: 0.5) }
  }

  func dark() async throws -> Log {
    try await log(light: -6, at: 0.2) { _ = await $0.session.lockFocus(x: 0.2, y: 0.5) }
  }
}
