import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay

/// CTL-1, CTL-2, CTL-3, CTL-6: the camera follows each setting, or the engine reports that it does not.
struct HonestControls: Scenario {
  let id = "controls.values"
  let suite = Suite.controls
  let title = "Values set, read back and reported"
  let purpose =
    "A user who sets 1/100 s trusts the number that is shown; some drivers show it and do something else."
  let exampleFailure =
    "A session that answers with the requested value, although the driver took another."
  let requirements: [RequirementID] = ["CTL-1", "CTL-2", "CTL-3", "CTL-6"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let right = ValueTrial(
      name: "right", wanted: 400, took: 400, truth: 400, note: .exact, told: 400, isRefused: false)
    var untold = right
    untold.truth = 100
    untold.took = 400
    var lost = right
    lost.told = nil
    guard right.complaint == nil, untold.complaint != nil, lost.complaint != nil else {
      return .failed("a value that the camera did not take was accepted as taken")
    }
    return .passed(
      "a value that was taken passes; one that was not taken, and one that is not reported, do not")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let trials = try await ValuePlay(rig: rig).trials()
    var observation = Self.observation(trials)
    observation.checks += try await ValuePlay(rig: rig).exposure()
    return observation
  }

  static func observation(_ trials: [ValueTrial]) -> Observation {
    Observation(
      checks: trials.map { trial in
        Check(
          id: "controls.values.\(trial.name)",
          title: "The result of setting a value is reported: \(trial.name)",
          passed: trial.complaint == nil, subjects: 1, detail: trial.complaint ?? trial.line,
          requirement: "CTL-2")
      },
      notes: [
        "Virtual time; a camera whose controls lie one after another, compared with what its sensor did."
      ])
  }
}

/// The result of setting a single value.
struct ValueTrial: Sendable {
  /// The behaviour of the control.
  var name: String
  var wanted: Double
  /// The value in the answer.
  var took: Double?
  /// The value in the camera's own log, a second after the answer.
  var truth: Double?
  var note: CameraControlResult.Note
  /// The value in the session's state, a second after the answer.
  var told: Double?
  var isRefused: Bool
  /// Whether the value may take effect only after the answer.
  var isLate = false
  /// Whether the device reads back a value that it did not apply. Only the picture could show such a fault.
  var isHidden = false

  /// Why the engine's reports were false. Nil if they were true.
  var complaint: String? {
    func near(_ left: Double?, _ right: Double?) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      return abs(left - right) <= max(abs(right) / 50, 1e-6)
    }
    if isHidden { return nil }
    guard near(told, truth) else {
      return "the state reports \(text(told)), and the camera has \(text(truth)) (\(line))"
    }
    if isLate { return nil }
    if isRefused { return near(truth, wanted) ? "it was refused and taken (\(line))" : nil }
    guard near(took, truth) else {
      return "the answer was \(text(took)), and the camera has \(text(truth)) (\(line))"
    }
    let isAsAsked = near(took, wanted)
    return isAsAsked == (note == .exact || note == .rounded) ? nil : "\(note.rawValue) was reported (\(line))"
  }

  var line: String {
    "\(wanted) was requested, \(text(took)) answered as \(isRefused ? "refused" : note.rawValue), \(text(told)) reported, \(text(truth)) used"
  }

  private func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "nothing" }
}
