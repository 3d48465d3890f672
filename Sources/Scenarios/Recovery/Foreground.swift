import Capture
public import Harness
public import Imagery

/// INT-4: away and back.
public struct Foreground: Scenario {
  public let id = "recovery.foreground"
  public let suite = Suite.recovery
  public let title = "Background and back"
  public let purpose =
    "A user who comes back to the scanner wants to scan, not to wait; and away from it, a camera must be off."
  public let exampleFailure = "A session that keeps the device open in the background, and its light on."
  public let requirements: [RequirementID] = ["INT-4", "INT-5"]
  private let rig: Rig
  private let rounds: Int?
  private let surface: PixelSize
  private let device: @Sendable () async throws -> [Double]

  public init(rig: Rig) {
    self.init(rig: rig, rounds: nil, surface: PixelSize(width: 1280, height: 720)) {
      try await DeviceStart(rig: rig, bundled: Self.bundled).samples(count: 20)
    }
  }

  /// - Parameters:
  ///   - rounds: of going and coming back; nil for as many as the duration asks for.
  ///   - surface: the size of what the pictures are drawn on.
  ///   - device: what the device itself takes to its first frame, in milliseconds.
  public init(
    rig: Rig, rounds: Int?, surface: PixelSize, device: @escaping @Sendable () async throws -> [Double]
  ) {
    self.rig = rig
    self.rounds = rounds
    self.surface = surface
    self.device = device
  }

  private static let bundled = "corpus:shelf-pan?loop=1"

  public func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let clock = VirtualClock()
    let simulated = SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 20))
    let play = await Play(
      source: simulated, chart: nil, size: simulated.size, interval: .zero, rig: Rig(viewfinder: ""),
      clock: clock)
    try await play.session.start()
    await clock.run(for: .seconds(1))
    await play.session.background()
    let shown = play.log.count
    await clock.run(for: .seconds(1))
    let isSilent = play.log.count == shown
    try await play.session.foreground()
    let back = clock.now()
    await clock.run(for: .seconds(1))
    await play.session.stop()
    let first = play.log.all.dropFirst(shown).first
    guard isSilent, let first, first.presentedTime - back == .milliseconds(50) else {
      return .failed("in virtual time a 20 fps camera was not back after 50 ms")
    }
    return .passed(
      "in virtual time a 20 fps camera was silent in the background and back after exactly 50 ms")
  }

  public func run(_ context: ScenarioContext) async throws -> Observation {
    let play = await Play(
      source: try rig.source(orBundled: Self.bundled), chart: nil, size: surface, interval: .zero, rig: rig)
    try await play.session.start()
    _ = await play.untilPresented(3, within: .seconds(10))
    var (resumed, shownAway): ([Double], Int) = ([], 0)
    let rounds = self.rounds ?? context.duration.rounds
    for _ in 0..<rounds {
      try Task.checkCancellation()
      await play.session.background()
      let before = play.log.count
      try await Task.sleep(for: .milliseconds(50))
      shownAway += play.log.count - before
      let back = MonotonicTime.now()
      try await play.session.foreground()
      if await play.untilPresented(before + 1, within: .seconds(2)),
        let first = play.log.all.dropFirst(before).first
      {
        resumed.append((first.presentedTime - back).milliseconds)
      }
      _ = await play.untilPresented(before + 3, within: .seconds(1))
    }
    await play.session.stop()
    return observation(resumed, try await device(), shownAway, rounds)
  }

  private func observation(_ resumed: [Double], _ device: [Double], _ away: Int, _ rounds: Int) -> Observation
  {
    Observation(
      metrics: [
        Measurement(
          id: "recovery.foreground.resumed", title: "foreground() → first picture shown", unit: .milliseconds,
          level: rig.evidence, samples: resumed),
        Measurement(
          id: "recovery.foreground.device", title: "The device's own first frame, from open to buffer",
          unit: .milliseconds, level: rig.evidence, samples: device),
      ],
      checks: [
        Check(
          id: "recovery.foreground.all", title: "Comes back every time", passed: resumed.count == rounds,
          subjects: rounds, detail: "\(resumed.count) of \(rounds)", requirement: "INT-4"),
        Check(
          id: "recovery.foreground.silent", title: "Shows nothing in the background", passed: away == 0,
          subjects: rounds, detail: "\(away) pictures in \(rounds) absences", requirement: "INT-4"),
      ])
  }
}

extension RunDuration {
  fileprivate var rounds: Int {
    switch self {
    case .short: 30
    case .full: 50
    case .soak: 1000
    }
  }
}
