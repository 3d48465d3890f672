import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// CTL-5: the zoom is immediate and even, first by the lens and then by the crop.
struct ZoomTrace: Scenario {
  let id = "controls.zoom"
  let suite = Suite.controls
  let title = "Zoom, at once and evenly"
  let purpose = "A zoom that jumps where the lens ends and the crop begins is seen in every film."
  let exampleFailure =
    "A ramp that crops what the lens has magnified already: for some frames the picture is twice as large."
  let requirements: [RequirementID] = ["CTL-5"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// The rate of a zoom ramp, in doublings per second.
  static let rate = 2.0

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let even = (0...60).map {
      ZoomPlay.Sample(time: Double($0) / 30, zoom: min(exp2(2 * Double($0) / 30), 4))
    }
    let quick = even.map { ZoomPlay.Sample(time: $0.time * 0.9, zoom: $0.zoom) }
    guard let right = ZoomPlay.Log.rate(of: even), let wrong = ZoomPlay.Log.rate(of: quick),
      abs(right - 2) < 0.01,
      abs(wrong / right - 1 / 0.9) < 0.01, ZoomPlay.Log.rate(of: []) == nil
    else { return .failed("2 doublings a second and a tenth less time were read otherwise") }
    return .passed("2 doublings a second were read as \(right), and in nine tenths of the time as \(wrong)")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Observation(notes: [
      "Virtual time; what the lens magnified and what is left to crop, frame by frame."
    ])
    for lens in ZoomPlay.lenses {
      let found = Self.observation(try await ZoomPlay(rig: rig, lens: lens).log(), lens)
      observation.metrics += found.metrics
      observation.checks += found.checks
    }
    return observation
  }

  static func observation(_ log: ZoomPlay.Log, _ lens: ZoomPlay.Lens) -> Observation {
    func check(_ name: String, _ title: String, passed: Bool, subjects: Int, detail: String) -> Check {
      Check(
        id: "controls.zoom.\(lens.name).\(name)", title: "\(lens.title): \(title)", passed: passed,
        subjects: subjects,
        detail: detail, requirement: "CTL-5")
    }
    let rising = zip(log.ramp, log.ramp.dropFirst()).allSatisfy { $0.zoom <= $1.zoom + 1e-9 }
    let last = log.ramp.last?.zoom ?? .nan
    return Observation(
      metrics: [
        Measurement(
          id: "controls.zoom.\(lens.name).rate",
          title: "\(lens.title): how far a ramp is from the requested rate", unit: .percent,
          level: .synthetic, kind: .exact,
          samples: Log.rate(of: log.ramp).map { [abs($0 / rate - 1) * 100] } ?? [])
      ],
      checks: [
        check(
          "monotone", "a ramp never goes back", passed: rising, subjects: log.ramp.count,
          detail: "\(log.ramp.count) frames"),
        check(
          "end", "a ramp ends where it was to end", passed: abs(last - 4) < 1e-6, subjects: log.ramp.count,
          detail: "at \(last)"),
        check(
          "instant", "a zoom takes effect with the first frame", passed: abs(log.instant - 2.5) < 1e-6,
          subjects: 1,
          detail: "\(log.instant) for 2.5"),
        check(
          "cancel", "a ramp that is cancelled stops within a frame", passed: log.drift < 1e-6, subjects: 1,
          detail: "it went on by \(log.drift)"),
        check(
          "clamp", "a factor beyond the range is clamped, and this is reported",
          passed: log.clamped?.note == .clamped && log.clamped?.took?.number.map { $0 < 1000 } == true,
          subjects: 1,
          detail: log.clamped.map {
            "\($0.took.map { "\($0)" } ?? "nothing") for \($0.wanted), \($0.note.rawValue)"
          }
            ?? "no answer"),
      ])
  }

  private typealias Log = ZoomPlay.Log
}
