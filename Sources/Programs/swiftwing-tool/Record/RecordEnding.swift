import Capture
import Imagery
import System

/// How it was with the camera when a recording was to end.
struct RecordEnding: Sendable {
  let time: MonotonicTime
  /// Why no picture came then; nil where pictures came, or all of them had come.
  let interruption: InterruptionReason?
  /// Why none can come again.
  let failure: CameraError?
  /// ^C ended it.
  var isInterrupted = false

  /// Now.
  init(of session: CaptureSession) async {
    time = SystemClock().now()
    let state = await session.state
    if case .interrupted(let reason) = state { interruption = reason } else { interruption = nil }
    failure = state.failure
  }
}

extension InterruptionReason {
  /// Why no picture came, and what the user can do, as a clause.
  var clause: String {
    switch self {
    case .deviceDisconnected: "the camera is disconnected; plug it in again"
    case .deviceInUse: "the camera is in use by another program; close that program"
    case .signalLost: "the camera input has no signal; check the cable and its source"
    case .streamStalled: "the camera delivers no usable pictures; plug it in again"
    default: "the camera failed; plug it in again"
    }
  }
}
