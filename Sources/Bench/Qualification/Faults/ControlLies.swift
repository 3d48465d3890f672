import CVideo4Linux
import System
import Video4Linux

/// `control-not-obeyed`, `control-without-effect`, `control-default-outside`, `control-takes-outside`, applied to one control with a range.
final class ControlLie: DriverLie {
  private let fault: DeviceFault
  private let victim: ControlID
  private let range: ControlRange
  /// The value that reads return. Nil for the real one.
  private let claimed = Locked<Int32?>(nil)

  init(_ fault: DeviceFault, victim: ControlID, range: ControlRange) {
    self.fault = fault
    self.victim = victim
    self.range = range
  }

  func intercept(_ call: DriverCall) throws(Errno) -> Bool {
    guard call.request == .setControls, let control = find(call) else { return false }
    let value = control.pointee.value
    switch fault {
    case .controlNotObeyed: return true
    case .controlWithoutEffect:
      claimed.withLock { $0 = value }
      return true
    case .controlTakesOutside:
      let isOutside = Int64(value) < range.minimum || Int64(value) > range.maximum
      claimed.withLock { $0 = isOutside ? value : nil }
      return isOutside
    default: return false
    }
  }

  func twist(_ call: DriverCall) throws(Errno) {
    if fault == .controlDefaultOutside, call.request == .queryControl {
      let raw = call.structure(v4l2_query_ext_ctrl.self)
      if raw.pointee.id == victim.rawValue { raw.pointee.default_value = raw.pointee.maximum + 1 }
    }
    if call.request == .getControls, let claimed = claimed.withLock({ $0 }), let control = find(call) {
      control.pointee.value = claimed
    }
  }

  private func find(_ call: DriverCall) -> UnsafeMutablePointer<v4l2_ext_control>? {
    let list = call.structure(v4l2_ext_controls.self).pointee
    for index in 0..<Int(list.count) where list.controls[index].id == victim.rawValue {
      return list.controls + index
    }
    return nil
  }
}
