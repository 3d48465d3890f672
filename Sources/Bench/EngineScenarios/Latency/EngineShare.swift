import Capture
import Charts
import Harness
import Imagery
import Probes
import System

import class FoundationEssentials.FileManager

/// LAT-1: the engine's own share of the latency, on frames of television size.
struct EngineShare: Scenario {
  var id: String { "latency.engine-\(signal.name)" }
  let suite = Suite.latency
  var title: String { "The engine's own share at \(signal.name)" }
  let purpose =
    "Exposure and transfer take the camera's time; from a frame in memory to its picture on the surface takes the engine's."
  let exampleFailure =
    "An engine that copies each frame before it draws it: 2 ms more of 1080p, 8 of 4K, on every frame."
  let requirements: [RequirementID] = ["LAT-1"]
  private let rig: Rig
  private let signal: TelevisionSignal

  init(rig: Rig, signal: TelevisionSignal = .high) { (self.rig, self.signal) = (rig, signal) }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let origin = MonotonicTime(nanoseconds: 1_000_000_000)
    let shares = LatencyProbe(
      [Duration.zero, .milliseconds(2)].map {
        Presentation.example(exposure: origin, arrival: origin, presented: origin + $0, code: 0)
      },
      chart: TimeCodeChart(rect: ChartRect(x: 0, y: 0, width: 8, height: 8), period: nil),
      interval: .milliseconds(33)
    ).engine
    guard shares == [0, 2] else { return .failed("made-up shares of 0 and 2 ms were read as \(shares)") }
    return .passed("invented shares of 0 and 2 ms were read as 0 and 2 ms")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil else {
      throw Unsupported("this scenario plays its own recording; on other sources run `latency.engine`")
    }
    let recording = TelevisionRecording(
      folder: "\(context.scratchDirectory)/engine-\(signal.name)", signal: signal)
    try recording.write()
    defer { try? FileManager.default.removeItem(atPath: recording.folder) }
    var playing = rig
    playing.specification = "corpus:\(recording.folder)?loop=1"
    let subject = try MovingSubject(playing)
    let play = try await MovingPlay(subject: subject, rig: playing).watch(for: context.duration.watching / 2)
    return observation(LatencyProbe(play.warm, of: subject), play, subject: subject)
  }

  func observation(_ probe: LatencyProbe, _ play: WatchedPlay, subject: MovingSubject) -> Observation {
    let findings = MovingFindings(name: id, play: play, subject: subject, level: .synthetic)
    return Observation(
      metrics: [
        Measurement(
          id: id, title: "Frame taken from the driver → presented, \(signal.size) on a surface of that size",
          unit: .milliseconds, level: .synthetic, samples: probe.engine),
        findings.gap, findings.interval,
      ],
      checks: [findings.readable(probe.unreadable, "LAT-1")])
  }
}
