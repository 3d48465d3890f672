import Capture
import Glibc
import Harness
import Imagery
import Probes
import System

/// CTL-7: settings survive changes of lens.
struct LensSwitch: Scenario {
  let id = "controls.lenses"
  let suite = Suite.controls
  let title = "Twenty changes of lens in two seconds"
  let purpose =
    "A user who looks for the right lens passes others on the way; a photo taken then must not be "
    + "exposed for a lens that is gone."
  let exampleFailure =
    "A session that reports the first frames of a new lens as exposed with the set values, while the "
    + "device still exposes automatically."
  let requirements: [RequirementID] = ["CTL-3", "CTL-6", "CTL-7"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let sound = try await LensPlay(rig: Rig(viewfinder: "")).log(switches: 3)
    let forgetful = try await LensPlay(rig: Rig(fault: .forgetsControls, viewfinder: "")).log(switches: 3)
    guard sound.settled > 0, sound.foreign == 0, forgetful.foreign > 0 else {
      return .failed(
        "of frames with a foreign exposure \(sound.foreign) and, injected, \(forgetful.foreign) were read")
    }
    return .passed(
      "no frame with a foreign exposure was read, and \(forgetful.foreign) of a camera that forgot its settings"
    )
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Self.observation(try await LensPlay(rig: rig).log(switches: 20))
    let plain = Self.observation(try await LensPlay(rig: rig, tells: false).log(switches: 20))
    observation.checks += plain.checks.map { $0.onPlainCamera }
    observation.checks += try await LensPlay(rig: rig).survivals()
    return observation
  }

  static func observation(_ log: LensPlay.Log) -> Observation {
    func check(_ name: String, _ title: String, passed: Bool, subjects: Int, detail: String) -> Check {
      Check(
        id: "controls.lenses.\(name)", title: title, passed: passed, subjects: subjects, detail: detail,
        requirement: "CTL-7")
    }
    return Observation(
      metrics: [
        Measurement(
          id: "controls.lenses.settled", title: "Last change of lens → first frame that is settled",
          unit: .milliseconds,
          level: .synthetic, kind: .exact, samples: log.settledAfter.map { [$0] } ?? [])
      ],
      checks: [
        check(
          "once", "The settings are applied once for all changes", passed: log.reapplications == 1,
          subjects: log.switches,
          detail: "\(log.reapplications) times for \(log.switches) changes"),
        check(
          "foreign", "No frame is settled with a foreign exposure", passed: log.foreign == 0,
          subjects: log.settled,
          detail: "\(log.foreign) of \(log.settled) frames that were reported as settled"),
        check(
          "sensitivity", "The sensitivity is as before", passed: abs(log2(log.after / log.before)) < 0.15,
          subjects: 1,
          detail: "ISO \(log.before) before, \(log.after) after"),
      ],
      notes: ["Virtual time; two lenses, a change every 100 ms, shutter priority on."])
  }
}
