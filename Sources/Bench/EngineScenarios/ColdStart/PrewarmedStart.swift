import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// COLD-2: the time from a pre-warmed start to the first picture.
struct PrewarmedStart: Scenario {
  let id = "cold-start.prewarmed"
  let suite = Suite.coldStart
  let title = "Pre-warmed start to first picture"
  let purpose =
    "When device and buffers are ready, the first picture should take one frame interval and no more."
  let exampleFailure =
    "A `prewarm()` that opens the device but leaves its buffers to `start()`."
  let requirements: [RequirementID] = ["COLD-2"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let simulated = SimulatedSource(
      size: PixelSize(width: 320, height: 240), frameInterval: FrameInterval(framesPerSecond: 20))
    let clock = VirtualClock()
    let play = await Play(
      source: simulated, chart: nil, size: simulated.size, interval: simulated.frameInterval.duration,
      rig: Rig(viewfinder: ""), clock: clock)
    try await play.session.prewarm()
    let began = clock.now()
    try await play.session.start()
    await clock.run(for: .milliseconds(200))
    await play.session.stop()
    guard let first = play.log.all.first, first.presentedTime - began == .milliseconds(50) else {
      return .failed("in virtual time the first picture of a 20 fps camera did not come after 50 ms")
    }
    return .passed("in virtual time the first picture of a 20 fps camera came after exactly 50 ms")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let bundled = "corpus:shelf-pan"
    var (samples, interval): ([Double], Duration) = ([], .zero)
    let starts = context.duration.prewarmedStarts
    for _ in 0..<starts {
      try Task.checkCancellation()
      let play = await Play(
        source: try rig.source(orBundled: bundled), chart: nil, size: PixelSize(width: 1280, height: 720),
        interval: .zero, rig: rig)
      try await play.session.prewarm()
      let began = MonotonicTime.now()
      try await play.session.start()
      let isShown = await play.untilPresented(1, within: .seconds(10))
      interval = await play.session.format?.frameInterval.duration ?? interval
      await play.session.stop()
      guard isShown, let first = play.log.all.first else { continue }
      samples.append((first.presentedTime - began).milliseconds)
    }
    return observation(samples, of: starts, interval)
  }

  func observation(_ samples: [Double], of starts: Int, _ interval: Duration) -> Observation {
    let metrics = [
      Measurement(
        id: "cold-start.prewarmed", title: "start() of a pre-warmed session → first picture shown",
        unit: .milliseconds, level: rig.evidence, samples: samples),
      Measurement(
        id: "cold-start.frame-interval", title: "Frame interval of the source", unit: .milliseconds,
        polarity: .exact, level: rig.evidence, samples: [interval.milliseconds]),
    ]
    let all = Check(
      id: "cold-start.prewarmed.all", title: "Every start shows a picture", passed: samples.count == starts,
      subjects: starts, detail: "\(samples.count) of \(starts)", requirement: "COLD-2")
    return Observation(metrics: metrics, checks: [all])
  }
}

extension RunDuration {
  fileprivate var prewarmedStarts: Int {
    switch self {
    case .turn: 10
    case .short: 30
    case .full: 60
    case .soak: 1000
    }
  }
}
