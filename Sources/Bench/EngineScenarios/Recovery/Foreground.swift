import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// INT-4: to the background and back.
struct Foreground: Scenario {
  let id = "recovery.foreground"
  let suite = Suite.recovery
  let title = "Background and back"
  let purpose =
    "A user who comes back wants to scan, not to wait; while the program is in the background, its camera must be off."
  let exampleFailure = "A session that keeps the device open in the background, and its light on."
  let requirements: [RequirementID] = ["INT-4"]
  private let rig: Rig
  private let rounds: Int?
  private let surface: PixelSize
  /// A function that starts the device without the engine, once, after a rest, and returns the milliseconds to its first frame. Nil to use
  /// the rig's device.
  private let device: (@Sendable () async throws -> Double)?

  init(rig: Rig) {
    self.rig = rig
    rounds = nil
    surface = PixelSize(width: 1280, height: 720)
    device = nil
  }

  /// - Parameters:
  ///   - rounds: the number of rounds; nil for the number of the duration class.
  ///   - surface: the size of the surface on which the preview is presented, in pixels.
  ///   - device: starts the device itself; returns the milliseconds to its first frame.
  init(
    rig: Rig, rounds: Int?, surface: PixelSize, device: @escaping @Sendable () async throws -> Double
  ) {
    self.rig = rig
    self.rounds = rounds
    self.surface = surface
    self.device = device
  }

  private static let bundled = "corpus:shelf-pan?loop=1"
  /// The time that a played camera is made to take to its first exposure: less than a webcam takes, but not zero.
  static let opening = Duration.milliseconds(150)

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let simulated = SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 20))
    func seen(_ fault: InjectedFault?) async throws -> ForegroundPlay.Log {
      var rig = Rig(fault: fault, viewfinder: "")
      rig.camera = simulated
      return try await ForegroundPlay(rig: rig, bundled: "", surface: simulated.size, clock: VirtualClock())
        .log(rounds: 2)
    }
    let (sound, late) = (try await seen(nil), try await seen(.slowsForeground))
    let expected = (Self.opening + .milliseconds(50)).milliseconds
    let lateness = InjectedFault.lateForeground.milliseconds
    guard sound.resumed == [expected, expected], sound.shownAway == 0, sound.openAway == 0 else {
      return .failed("in virtual time \(expected) ms of a 20 fps camera were read as \(sound)")
    }
    guard late.resumed == sound.resumed.map({ $0 + lateness }) else {
      return .failed("\(lateness) ms were injected and \(late.resumed) read")
    }
    return .passed(
      "in virtual time a camera that needs \(Int(expected)) ms was silent and closed in the background and back after exactly "
        + "that, and one made \(Int(lateness)) ms slower after that")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var play = ForegroundPlay(rig: rig, bundled: Self.bundled, surface: surface, clock: SystemClock())
    let rounds = self.rounds ?? context.duration.rounds
    let known =
      try play.isPlayed
      ? DeviceStart(rig: rig, bundled: Self.bundled).turns().samples.map { $0 + Self.opening.milliseconds }
      : []
    if known.isEmpty { play.device = device ?? started }
    let log = try await play.log(rounds: rounds)
    return observation(log, rounds, device: reference(known.isEmpty ? log.device : known))
  }

  /// Starts the rig's device without the engine. Returns the milliseconds to its first frame.
  @Sendable private func started() async throws -> Double {
    try await DeviceStart(rig: rig, bundled: Self.bundled).samples(count: 1).first ?? .nan
  }

  private func reference(_ samples: [Double]) -> Measurement {
    Measurement(
      id: "recovery.foreground.device", title: DeviceStart.title, unit: .milliseconds, level: rig.evidence,
      samples: samples)
  }

  func observation(_ log: ForegroundPlay.Log, _ rounds: Int, device: Measurement) -> Observation {
    func check(_ name: String, _ title: String, passed: Bool, detail: String, count: Int) -> Check {
      Check(
        id: "recovery.foreground.\(name)", title: title, passed: passed, subjects: count, detail: detail,
        requirement: "INT-4")
    }
    return Observation(
      metrics: [
        Measurement(
          id: "recovery.foreground.resumed", title: "foreground() → first picture shown", unit: .milliseconds,
          level: rig.evidence, samples: log.resumed), device,
      ],
      checks: [
        check(
          "all", "Comes back every time", passed: log.resumed.count == rounds,
          detail: "\(log.resumed.count) of \(rounds)",
          count: rounds),
        check(
          "silent", "Shows nothing in the background", passed: log.shownAway == 0,
          detail: "\(log.shownAway) pictures in \(rounds) absences", count: rounds),
        check(
          "closed", "The device is closed in the background", passed: log.openAway == 0,
          detail: "open in \(log.openAway) of \(rounds) absences", count: rounds),
      ],
      notes: (try? ForegroundPlay.isPlayed(rig, Self.bundled)) == true
        ? [
          "A recording opens at once; this one was made to take \(Int(Self.opening.milliseconds)) ms more."
        ]
        : [])
  }
}

extension RunDuration {
  fileprivate var rounds: Int {
    switch self {
    case .turn: 5
    case .short: 20
    case .full: 50
    case .soak: 1000
    }
  }
}
