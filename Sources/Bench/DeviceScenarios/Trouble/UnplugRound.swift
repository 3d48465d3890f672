import Capture
import Probes
import System

struct UnplugRound: Sendable {
  /// The time of the command to the lab, and the time when the kernel hung up another client of the device.
  var commanded: MonotonicTime
  var hungUp: MonotonicTime?
  /// The time and the reason of the published interruption.
  var published: MonotonicTime?
  var reason: InterruptionReason?
  /// The time when the kernel created the new node, and the time when the first picture after it was shown.
  var returned: MonotonicTime?
  var shown: MonotonicTime?
  /// The time when the engine had the device ready, and the time when its stream ran.
  var prepared: MonotonicTime?
  var started: MonotonicTime?
  /// The nodes before and after, and whether another client kept the old one open.
  var nodeBefore: String
  var nodeAfter: String?
  var isHeld: Bool
  var presses: [ShutterPress]
  /// Number of requests that were never answered.
  var unanswered: Int
  /// The footprint once everything runs again.
  var footprint = ProcessFootprint()

  /// Milliseconds from the kernel's hang-up to the published interruption. The session may notice before the witness does.
  var detected: Double? {
    guard let hungUp, let published else { return nil }
    return max(0, (published - hungUp).milliseconds)
  }

  /// Milliseconds from the node's creation to the first picture.
  var resumed: Double? {
    guard let returned, let shown else { return nil }
    return (shown - returned).milliseconds
  }

  /// The steps from the node's creation to the first picture, in milliseconds.
  var stages: [Double?] {
    [prepared, started, shown].map { time in
      guard let returned, let time else { return nil }
      return (time - returned).milliseconds
    }
  }

  /// Photos that were requested before the interruption was published, and not taken.
  var pending: [ShutterPress] { presses.filter { $0.state == .running && $0.error != nil } }

  /// Requests that were answered neither with a photo nor with the camera's disconnection.
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
