import Capture
import Imagery
import Probes
import System

/// One time that the cable was pulled and put back.
struct UnplugRound: Sendable {
  /// When the command was given to the lab, and when the kernel hung up another client of the device.
  var commanded: MonotonicTime
  var hungUp: MonotonicTime?
  /// When the session said so, and what.
  var published: MonotonicTime?
  var reason: InterruptionReason?
  /// When the kernel made the node anew, and when the first picture after it was shown.
  var returned: MonotonicTime?
  var shown: MonotonicTime?
  /// When the engine had it open and ready, and when its stream ran.
  var prepared: MonotonicTime?
  var started: MonotonicTime?
  /// The nodes before and after; another client held the old one meanwhile.
  var nodeBefore: String
  var nodeAfter: String?
  var isHeld: Bool
  var presses: [ShutterPress]
  /// Presses that were not answered at all.
  var unanswered: Int
  /// Once everything runs again.
  var footprint = ProcessFootprint()

  /// From the kernel's signal to the published interruption, in milliseconds. The session may be told before the witness is.
  var detected: Double? {
    guard let hungUp, let published else { return nil }
    return max(0, (published - hungUp).milliseconds)
  }

  /// From the node to the first picture, in milliseconds.
  var resumed: Double? {
    guard let returned, let shown else { return nil }
    return (shown - returned).milliseconds
  }

  /// The way from the node to the first picture, in milliseconds.
  var stages: [Double?] {
    [prepared, started, shown].map { time in
      guard let returned, let time else { return nil }
      return (time - returned).milliseconds
    }
  }

  /// Photos asked for before the interruption was published, and not taken.
  var pending: [ShutterPress] { presses.filter { $0.state == .running && $0.error != nil } }

  /// Presses that were answered with anything but a photo, or that the camera is gone.
  var wrongAnswers: [ShutterPress] {
    presses.filter { press in
      switch press.error {
      case nil, .captureInterrupted(.deviceDisconnected), .captureRefused(.interrupted(.deviceDisconnected)):
        false
      default: true
      }
    }
  }

  var isUnderAnotherNumber: Bool { nodeAfter.map { $0 != nodeBefore } ?? false }
}
