import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// LAT-2: the smoothness of a pan.
struct Pan: Scenario {
  let id = "latency.pan"
  let suite = Suite.latency
  let title = "Drops and jitter under a pan"
  let purpose =
    "A dropped, repeated or late picture is what the eye sees first when a camera is moved along a shelf."
  let exampleFailure =
    "A preview that shows every tenth picture twice and skips the next one: 30 fps, and it stutters."
  let requirements: [RequirementID] = ["LAT-2"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let simulated = SimulatedSource(
      size: PixelSize(width: 320, height: 240), frameInterval: FrameInterval(framesPerSecond: 50),
      frameLimit: 40)
    let good = try await Self.probe(MovingPlay(simulated: simulated))
    let bad = try await Self.probe(MovingPlay(simulated: simulated, fault: .repeatsFrames))
    let unsteady = try await Self.probe(MovingPlay(simulated: simulated, fault: .jitters))
    guard good.dropped == 0, good.repeated == 0, good.reordered == 0, (good.jitter.max() ?? 1) < 0.001 else {
      return .failed("a smooth pan in virtual time was read as \(good)")
    }
    guard bad.repeated == 4 else {
      return .failed("4 repeated pictures were injected and \(bad.repeated) read")
    }
    if let mistake = try await Self.freezeMistake(simulated) { return .failed(mistake) }
    guard unsteady.dropped == 0, Set(unsteady.jitter.map { ($0 * 1000).rounded() }) == [0, 6000] else {
      return .failed("6 ms of delay in one picture of two were injected and \(unsteady.jitter) read")
    }
    return .passed(
      "a smooth pan read as smooth, 4 injected repeats as 4, pictures 6 ms late now and then as that, and one that ended after "
        + "0.8 s of 2 as 1200 ms without a picture")
  }

  /// Returns the mistake in reading a pan that ends early. Nil if there is none.
  private static func freezeMistake(_ simulated: SimulatedSource) async throws -> String? {
    for (watched, expected) in [(800, 20.0), (2000, 1200.0)] {
      let play = MovingPlay(simulated: simulated)
      let seen = try await play.virtualWatch(for: .milliseconds(watched)).longestGap(
        chart: play.subject.chart)
      guard abs(seen - expected) < 0.001 else {
        return "0.8 s of pictures in \(watched) ms were read as \(seen) ms without one, not \(expected)"
      }
    }
    return nil
  }

  private static func probe(_ play: MovingPlay) async throws -> PanProbe {
    PanProbe(try await play.virtualLog(for: .seconds(2)), of: play.subject)
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let subject = try MovingSubject(rig, bundled: "corpus:shelf-pan?loop=1")
    let play = try await MovingPlay(subject: subject, rig: rig).watch(for: context.duration.watching)
    return observation(PanProbe(play.warm, of: subject), play, subject: subject)
  }

  func observation(_ probe: PanProbe, _ play: WatchedPlay, subject: MovingSubject) -> Observation {
    let (count, interval) = (play.warm.count, subject.interval)
    let findings = MovingFindings(name: "pan", play: play, subject: subject, level: rig.evidence)
    func counted(
      _ id: String, _ title: String, value: Int, kind: MetricKind = .observed
    ) -> Measurement {
      Measurement(
        id: "pan.\(id)", title: title, unit: .count, level: rig.evidence, kind: kind,
        samples: count > 1 ? [Double(value)] : [])
    }
    let metrics = [
      // If the next picture arrives before a picture is drawn, the older picture is dropped.
      counted("dropped", "Pictures never shown", value: probe.dropped, kind: .timed),
      counted("repeated", "Pictures shown again in place of the next", value: probe.repeated),
      counted("reordered", "Pictures shown after a later one", value: probe.reordered),
      Measurement(
        id: "pan.jitter",
        title: "Jitter: interval between pictures shown against interval between their frames",
        unit: .milliseconds,
        level: rig.evidence, samples: probe.jitter),
      findings.interval,
      Measurement(
        id: "pan.frame-rate", title: "Pictures a second", unit: .framesPerSecond, polarity: .higherIsBetter,
        level: rig.evidence, samples: count > 1 ? [probe.framesPerSecond] : []),
      Measurement(
        id: "pan.source-rate", title: "Frames a second of the source", unit: .framesPerSecond,
        polarity: .exact,
        level: rig.evidence, samples: [1000 / interval.milliseconds]),
      findings.gap,
    ]
    return Observation(metrics: metrics, checks: [findings.readable(probe.unreadable, "LAT-2")])
  }
}
