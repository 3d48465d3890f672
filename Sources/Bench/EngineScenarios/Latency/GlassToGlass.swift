import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// LAT-1: the delay from an event in front of the camera to its picture.
struct GlassToGlass: Scenario {
  let id = "latency.glass-to-glass"
  let suite = Suite.latency
  let title = "Glass to glass"
  let purpose =
    "A viewfinder that lags behind the hand makes people overshoot; the delay from scene to surface is what they feel."
  let exampleFailure =
    "An engine that queues two frames before the preview: every picture is right and 67 ms late at 30 fps."
  let requirements: [RequirementID] = ["LAT-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let interval = FrameInterval(framesPerSecond: 50)
    for delay in [Duration.zero, .milliseconds(40)] {
      let simulated = SimulatedSource(
        size: PixelSize(width: 320, height: 240), frameInterval: interval, frameLimit: 12)
      let play = MovingPlay(simulated: simulated, fault: .delaysFrames(delay))
      let probe = LatencyProbe(try await play.virtualLog(for: .seconds(1)), of: play.subject)
      let expected = (interval.duration + delay).milliseconds
      guard probe.glassToGlass.count == 12, probe.glassToGlass.allSatisfy({ abs($0 - expected) < 0.001 })
      else {
        return .failed(
          "with \(delay.milliseconds) ms injected \(expected) ms was expected and \(probe.glassToGlass) read")
      }
    }
    return .passed(
      "in virtual time no delay was read as one 20 ms frame interval, and an injected 40 ms as 60 ms")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let subject = try MovingSubject(rig)
    let play = try await MovingPlay(subject: subject, rig: rig).watch(for: context.duration.watching)
    return observation(LatencyProbe(play.warm, of: subject), play, subject: subject)
  }

  func observation(_ probe: LatencyProbe, _ play: WatchedPlay, subject: MovingSubject) -> Observation {
    let findings = MovingFindings(name: "latency", play: play, subject: subject, level: rig.evidence)
    return Observation(
      metrics: [
        Measurement(
          id: "latency.glass-to-glass", title: "Scene change → presented", unit: .milliseconds,
          level: rig.evidence, samples: probe.glassToGlass),
        Measurement(
          id: "latency.engine", title: "Frame taken from the driver → presented", unit: .milliseconds,
          level: rig.evidence, samples: probe.engine),
        findings.interval, findings.gap,
      ],
      checks: [
        findings.readable(probe.unreadable, "LAT-1")
      ],
      evidence: [.timeline("The last pictures shown", Timeline(tail: play.warm, interval: subject.interval))],
      notes: [
        "Every figure contains one frame interval of exposure and transfer, which no engine can avoid."
      ])
  }
}

extension RunDuration {
  /// Duration for which a moving picture is watched.
  var watching: Duration {
    switch self {
    case .turn: .seconds(2)
    case .short: .seconds(8)
    case .full: .seconds(30)
    case .soak: .seconds(600)
    }
  }
}
