import Capture
import Harness

/// The result of setting one control of a real driver that may have a fault.
struct ControlOutcome: Sendable {
  /// The fault of the control. Its raw value is the word after `lab-ctl uvcN control NAME`, without the numbers that follow.
  enum Fault: String, Sendable, CaseIterable {
    case honest, ignore, clamp, delay, refuse
  }

  let control: CameraControl
  let fault: Fault
  let wanted: CameraControlValue
  /// The value that the control had before the test. Nil if that value could not be set.
  let before: CameraControlValue?
  /// The value that the device must have at the end.
  let expected: CameraControlValue?
  var result: CameraControlResult
  /// The value in the session's state, a second after the answer.
  var told: CameraControlValue?

  /// Why the result is wrong. Nil if it is right.
  var complaint: String? {
    if let absence { return absence }
    guard told == expected else {
      return "the session reports \(Self.text(told)), and the device has \(Self.text(expected))"
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
    // The answer comes before the value takes effect.
    case .delay: return result.refusal == nil ? nil : "it was refused"
    }
  }

  private var absence: String? {
    before == nil ? "the driver does not report \(control)" : nil
  }

  /// The result in one sentence, for the report.
  var detail: String {
    complaint
      ?? "\(wanted) was requested, \(Self.text(result.took)) answered as \(result.note.rawValue), \(Self.text(told)) reported"
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
    case .honest: "honest: set, read back and reported"
    case .ignore: "ignored: the value that the device keeps is reported"
    case .clamp: "clamped by the device: the value that it took is reported"
    case .delay: "late: reported once the device has it"
    case .refuse: "refused: reported, and nothing changed"
    }
  }
}
