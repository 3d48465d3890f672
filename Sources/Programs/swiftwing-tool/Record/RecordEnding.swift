import Capture
import System

/// The state of the camera at the end of a recording.
struct RecordEnding: Sendable {
  let time: MonotonicTime
  /// The reason why no picture arrived at the end of the recording; nil if pictures arrived, or if the source had ended.
  let interruption: InterruptionReason?
  /// The reason why no picture can arrive again; nil if there is none.
  let failure: CameraError?
  /// Whether ^C ended the recording.
  var isInterrupted = false

  /// Records the present state of a session.
  init(of session: CaptureSession) async {
    time = SystemClock().now()
    let state = await session.state
    if case .interrupted(let reason) = state { interruption = reason } else { interruption = nil }
    failure = state.failure
  }
}

extension InterruptionReason {
  /// The reason why no picture arrived, and the remedy, as a clause.
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
