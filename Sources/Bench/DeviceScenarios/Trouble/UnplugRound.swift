import Capture
import Probes
import System

struct UnplugRound: Sendable {
  /// The time of the command to unplug the camera.
  var commanded: MonotonicTime
  /// The time when the kernel hung up another client of the device. Nil if it did not.
  var hungUp: MonotonicTime?
  /// The time of the published interruption. Nil if none was published.
  var published: MonotonicTime?
  /// The reason of the published interruption.
  var reason: InterruptionReason?
  /// The time when the kernel created the new node.
  var returned: MonotonicTime?
  /// The time when the first picture after the replug was shown. Nil if none was shown.
  var shown: MonotonicTime?
  /// The time when the engine had the device ready.
  var prepared: MonotonicTime?
  /// The time when the stream of the device ran.
  var started: MonotonicTime?
  /// The node before the camera was unplugged.
  var nodeBefore: String
  /// The node after it was plugged in again.
  var nodeAfter: String?
  /// Whether another client kept the old node open.
  var isHeld: Bool
  var presses: [ShutterPress]
  /// Number of requests that were never answered.
  var unanswered: Int
  /// The footprint once everything runs again.
  var footprint = ProcessFootprint()

  /// Milliseconds from the kernel's hang-up to the published interruption. 0 if the session noticed before the witness did.
  var detected: Double? {
    guard let hungUp, let published else { return nil }
    return max(0, (published - hungUp).milliseconds)
  }

  /// Milliseconds from the node's creation to the first picture.
  var resumed: Double? {
    guard let returned, let shown else { return nil }
    return (shown - returned).milliseconds
  }

  /// Milliseconds from the node's creation until the device was ready, until its stream ran, and until the first picture was shown.
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
