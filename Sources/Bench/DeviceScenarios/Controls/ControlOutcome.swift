import Capture
import Harness

/// One control of a real driver, with what was wrong with it, and what the session made of that.
struct ControlOutcome: Sendable {
  /// How the control is broken: as after `lab-ctl uvcN control NAME`, without numbers.
  enum Fault: String, Sendable, CaseIterable {
    case honest, ignore, clamp, delay, refuse
  }

  let control: CameraControl
  let fault: Fault
  let wanted: CameraControlValue
  /// What the device had before.
  let before: CameraControlValue?
  /// What it must have in the end.
  let expected: CameraControlValue?
  var result: CameraControlResult
  /// By the session's state, a second later.
  var told: CameraControlValue?

  /// Why that was not right; nil when it was.
  var complaint: String? {
    if let absence { return absence }
    guard told == expected else {
      return "the session tells \(Self.text(told)), and the device has \(Self.text(expected))"
    }
    switch fault {
    case .honest:
      return result.took == wanted && result.refusal == nil
        ? nil : "it was answered with \(Self.text(result.took))"
    case .refuse: return result.refusal != nil ? nil : "a refusal was answered as \(result.note.rawValue)"
    case .ignore, .clamp:
      return result.took == expected && result.note != .exact
        ? nil
        : "it was answered with \(Self.text(result.took)) as \(result.note.rawValue)"
    // The answer comes before the value does.
    case .delay: return result.refusal == nil ? nil : "it was refused"
    }
  }

  private var absence: String? {
    before == nil ? "the driver's \(control) is not to be had" : nil
  }

  /// One sentence for the report.
  var detail: String {
    complaint
      ?? "\(wanted) was asked, \(Self.text(result.took)) answered as \(result.note.rawValue), \(Self.text(told)) told"
  }

  private static func text(_ value: CameraControlValue?) -> String { value.map { "\($0)" } ?? "nothing" }

  var check: Check {
    Check(
      id: "device.controls.\(control).\(fault.rawValue)", title: "\(control), \(fault.title)",
      passed: complaint == nil,
      subjects: 1, detail: detail, requirement: "CTL-2")
  }
}

extension ControlOutcome.Fault {
  var title: String {
    switch self {
    case .honest: "honest: set, read back and told"
    case .ignore: "ignored: what it had is told"
    case .clamp: "clamped by the device: what it took is told"
    case .delay: "late: told when it is there"
    case .refuse: "refused: said, and nothing changed"
    }
  }
}
