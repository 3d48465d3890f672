import CVideo4Linux
import System
import Video4Linux

/// `no-busy`: a second client's requests are reported as successful.
struct NoBusy: DriverLie {
  func intercept(_ call: DriverCall) throws(Errno) -> Bool {
    guard call.anotherHasBuffers else { return false }
    switch call.request {
    case .setFormat, .requestBuffers, .streamOn, .streamOff: return true
    default: return false
    }
  }
}

/// `forgets-state`: after the device was closed, the frame interval is doubled until it is set again.
final class ForgetsState: DriverLie {
  private let hasForgotten = Locked(false)

  func twist(_ call: DriverCall) throws(Errno) {
    switch call.request {
    case .setParameters: hasForgotten.withLock { $0 = false }
    case .getParameters where hasForgotten.withLock { $0 }:
      call.structure(v4l2_streamparm.self).pointee.parm.capture.timeperframe.numerator *= 2
    default: break
    }
  }

  func forget(_ descriptor: Int32) { hasForgotten.withLock { $0 = true } }
}
