import Capture
import Probes
import System

/// A fault that the lab applies to a device, and the expected reaction of the session.
struct LabFault: Sendable {
  /// The time at which a fault is applied: while the session streams, or before it starts.
  enum Moment: Sendable { case streaming, beforeStart }

  /// The words after `lab-ctl NAME`.
  var command: String
  var moment = Moment.streaming
  /// The reason that must be published. Nil if the pictures must go on undisturbed.
  var reason: InterruptionReason?
  /// The command that removes the cause. Nil if it disappears by itself.
  var remedy: String?

  /// Number of pictures that must follow a fault without a reason.
  static let pictures = 15
}

/// The reaction to one fault.
struct FaultOutcome: Sendable {
  let fault: LabFault
  /// The time when the fault took effect.
  var given: MonotonicTime
  /// The time when the cause of the fault was removed. Nil if the cause disappears by itself.
  var mended: MonotonicTime?
  /// The first interruption published after the fault. Nil if none was published.
  var published: StateMark?
  /// The time when the first picture after the removal of the cause was shown; if the cause disappears by itself, the first picture after
  /// the interruption. Nil for a fault without a reason, and if no picture came.
  var shown: MonotonicTime?
  /// Number of pictures shown after a fault without a reason. The trial waits for `LabFault.pictures`.
  var pictures = 0

  /// Milliseconds from the fault to its publication. 0 if the session noticed the fault before the command returned.
  var detected: Double? {
    fault.reason == nil ? nil : published.map { max(0, ($0.time - given).milliseconds) }
  }

  /// Milliseconds to the first picture, from the removal of the cause, or from the interruption if the cause disappears by itself.
  var resumed: Double? {
    guard fault.reason != nil, let shown else { return nil }
    return (mended ?? published?.time).map { (shown - $0).milliseconds }
  }

  /// Why the reaction was wrong. Nil if it was right.
  var complaint: String? {
    if let reason = fault.reason {
      guard let published else { return "no interruption was published" }
      guard published.state == .interrupted(reason) else {
        return "published as \(published.state), not \(reason.rawValue)"
      }
      return shown == nil ? "no picture was shown after its cause was gone" : nil
    }
    if let published { return "reported as an interruption: \(published.state)" }
    return pictures < LabFault.pictures ? "only \(pictures) pictures were shown after it" : nil
  }

  /// The result in one sentence, for the report.
  var detail: String {
    if let complaint { return complaint }
    guard let detected, let resumed else { return "\(pictures) pictures were shown after it" }
    return "published after \(Int(detected)) ms, a picture \(Int(resumed)) ms after "
      + (mended == nil ? "that" : "its cause was gone")
  }
}
