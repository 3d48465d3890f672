import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay

/// CTL-3: the exposure time is held, and the sensitivity follows the light.
struct ShutterPriority: Scenario {
  let id = "controls.shutter-priority"
  let suite = Suite.controls
  let title = "Shutter priority in changing light"
  let purpose =
    "A person who films at half the frame interval wants the picture as bright as before when a cloud "
    + "passes: soon, and without pumping."
  let exampleFailure =
    "A loop that takes a frame from before its last change for one after it: the picture swings between too dark and too bright."
  let requirements: [RequirementID] = ["CTL-3"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// Properties of the camera: frames per second, frames until a command takes effect, and whether it meters by itself.
  struct Camera: Hashable, Sendable {
    var rate: Int
    var delay: Int
    var meters: Bool

    var name: String {
      "\(rate) fps, delay \(delay), \(meters ? "metered by the camera" : "metered by the engine")"
    }
  }

  static let cameras = [24, 30, 60].flatMap { rate in
    [1, 2, 3].flatMap { delay in [true, false].map { Camera(rate: rate, delay: delay, meters: $0) } }
  }
  private static let steps = [-3.0, 3, 1, -1, 0]

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let camera = Camera(rate: 30, delay: 2, meters: true)
    let sound = try await PriorityPlay(rig: Rig(viewfinder: ""), camera: camera).steps([3])
    let swinging = try await PriorityPlay(rig: Rig(fault: .exaggeratesISO, viewfinder: ""), camera: camera)
      .steps([3])
    guard let right = sound.first, let wrong = swinging.first, right.overshoot < right.tolerance,
      wrong.overshoot > 0.5
    else {
      return .failed(
        "a sensitivity that moves twice as far as requested was not distinguished from a right one")
    }
    return .passed(
      "three stops went \(Self.rounded(right.overshoot)) EV too far, and \(Self.rounded(wrong.overshoot)) EV with a sensitivity that moves twice as far as requested"
    )
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var found: [LightStep] = []
    let cameras = context.duration == .turn ? [Self.cameras[8]] : Self.cameras
    for camera in cameras {
      try Task.checkCancellation()
      found += try await PriorityPlay(rig: rig, camera: camera).steps(Self.steps)
    }
    var observation = Self.observation(found)
    observation.checks += try await PriorityPlay(rig: rig, camera: Camera(rate: 30, delay: 2, meters: true))
      .life()
    let plain = try await PriorityPlay(rig: rig, camera: Camera(rate: 30, delay: 2, meters: false)).life()
    observation.checks += plain.map { $0.onPlainCamera }
    return observation
  }

  static func observation(_ steps: [LightStep]) -> Observation {
    func check(_ name: String, _ title: String, wrong: [LightStep], detail: (LightStep) -> String)
      -> Check
    {
      Check(
        id: "controls.shutter-priority.\(name)", title: title, passed: wrong.isEmpty, subjects: steps.count,
        detail: wrong.isEmpty
          ? "\(steps.count) steps of the light"
          : wrong.prefix(6).map { "\($0.name): \(detail($0))" }.joined(separator: "; "),
        requirement: "CTL-3")
    }
    return Observation(
      metrics: [
        settled(
          "settled", "Frames until the picture is as bright as before", steps: steps.filter(\.isMetered)),
        settled(
          "unmetered",
          "The same if the engine meters, which cannot measure how much brighter than white a picture is",
          steps: steps.filter { !$0.isMetered }),
        Measurement(
          id: "controls.shutter-priority.sets", title: "Most changes of the sensitivity in any second",
          unit: .count,
          level: .synthetic, kind: .exact, samples: steps.map { Double($0.mostSets) }),
      ],
      checks: [
        check("rests", "It comes to rest", wrong: steps.filter { $0.settled == nil }) {
          "still \($0.offsets.last ?? .nan) EV off"
        },
        check(
          "steady", "It does not swing past the right exposure",
          wrong: steps.filter { $0.overshoot > $0.tolerance }
        ) {
          "\(rounded($0.overshoot)) EV too far"
        },
        check(
          "dead-band", "It changes nothing while the exposure is nearly right",
          wrong: steps.filter { $0.needless > 0 }
        ) {
          "\($0.needless) needless changes"
        },
        check(
          "range", "It asks for no sensitivity that the sensor does not have",
          wrong: steps.filter { step in !step.sensitivities.allSatisfy { step.range.contains($0) } }
        ) { "\($0.sensitivities)" },
        check("time", "The exposure time stays", wrong: steps.filter { !$0.holdsTime }) {
          "\($0.durations.last ?? .nan) s for \($0.wanted) s"
        },
      ],
      evidence: [.text("Every step", steps.map(line).joined(separator: "\n"))],
      notes: ["Virtual time; frames count from the first that was exposed wholly in the new light."])
  }

  private static func settled(_ id: String, _ title: String, steps: [LightStep]) -> Measurement {
    Measurement(
      id: "controls.shutter-priority.\(id)", title: title, unit: .count, level: .synthetic, kind: .exact,
      samples: steps.compactMap { $0.settled.map(Double.init) })
  }

  private static func line(_ step: LightStep) -> String {
    "\(step.name): settled after \(step.settled.map(String.init) ?? "never"), \(step.sets.count) sets, "
      + step.offsets.prefix(14).map { String(rounded($0)) }.joined(separator: " ")
  }
}
