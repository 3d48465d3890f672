import Capture
import Imagery
import Probes
import System

/// One thing that the lab does to a device, and what the session must make of it.
struct LabFault: Sendable {
  /// When it is done.
  enum Moment: Sendable { case streaming, beforeStart }

  /// As after `lab-ctl NAME`.
  var command: String
  var moment = Moment.streaming
  /// What must be published; nil when the pictures go on as if nothing were.
  var reason: InterruptionReason?
  /// The command that takes the cause away; nil when it goes by itself.
  var remedy: String?

  /// The pictures that must come before it counts as survived.
  static let pictures = 15
}

/// What became of one fault.
struct FaultOutcome: Sendable {
  let fault: LabFault
  /// When it took effect, and when its cause was gone.
  var given: MonotonicTime
  var mended: MonotonicTime?
  var published: StateMark?
  /// When the first picture after it was shown.
  var shown: MonotonicTime?
  /// The pictures shown after it, at most `LabFault.pictures`.
  var pictures = 0

  /// Fault → published, in ms. The command may return after the session has noticed.
  var detected: Double? {
    fault.reason == nil ? nil : published.map { max(0, ($0.time - given).milliseconds) }
  }

  /// Cause gone → first picture shown, in ms; from the interruption where the cause goes by itself.
  var resumed: Double? {
    guard fault.reason != nil, let shown else { return nil }
    return (mended ?? published?.time).map { (shown - $0).milliseconds }
  }

  /// Why the session did not do as it must; nil when it did.
  var complaint: String? {
    if let reason = fault.reason {
      guard let published else { return "no interruption was published" }
      guard published.state == .interrupted(reason) else {
        return "published as \(published.state), not \(reason.rawValue)"
      }
      return shown == nil ? "no picture was shown after its cause was gone" : nil
    }
    if let published { return "taken for an interruption: \(published.state)" }
    return pictures < LabFault.pictures ? "only \(pictures) pictures were shown after it" : nil
  }

  /// One sentence for the report.
  var detail: String {
    if let complaint { return complaint }
    guard let detected, let resumed else { return "\(pictures) pictures were shown after it" }
    return "published after \(Int(detected)) ms, a picture \(Int(resumed)) ms after "
      + (mended == nil ? "that" : "its cause was gone")
  }
}
