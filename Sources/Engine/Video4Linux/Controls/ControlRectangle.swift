import CVideo4Linux

extension ControlList {
  /// Whether the device has a control of this number that is a rectangle (`V4L2_CTRL_TYPE_RECT`).
  public func hasRectangle(_ id: ControlID) -> Bool {
    skipped.contains { $0.id == id && $0.type == CV4L2_CTRL_TYPE_RECT }
  }
}

/// One of the rectangles of a control.
public enum ControlBound: Sendable {
  /// The present value.
  case present
  /// The smallest allowed rectangle (`V4L2_CTRL_WHICH_MIN_VAL`).
  case least
  /// The largest allowed rectangle (`V4L2_CTRL_WHICH_MAX_VAL`).
  case greatest

  fileprivate var which: UInt32 {
    switch self {
    case .present: 0
    case .least: CV4L2_CTRL_WHICH_MIN_VAL
    case .greatest: CV4L2_CTRL_WHICH_MAX_VAL
    }
  }
}

extension VideoDevice {
  /// A rectangle of a control (`VIDIOC_G_EXT_CTRLS`).
  /// - Throws: `.refused` if the control is no rectangle, or if the kernel does not know minimum and maximum values.
  public func rectangle(
    of id: ControlID, _ bound: ControlBound = .present
  ) throws(VideoDeviceError) -> PixelRectangle {
    var raw = v4l2_rect()
    try exchange(.getControls, id, rectangle: &raw, which: bound.which)
    return PixelRectangle(raw)
  }

  /// Sets a control that is a rectangle (`VIDIOC_S_EXT_CTRLS`).
  /// - Throws: `.refused` for a rectangle that the device does not support.
  public func setRectangle(_ id: ControlID, to rectangle: PixelRectangle) throws(VideoDeviceError) {
    var raw = rectangle.raw
    try exchange(.setControls, id, rectangle: &raw, which: ControlBound.present.which)
  }

  private func exchange(
    _ request: Request, _ id: ControlID, rectangle: inout v4l2_rect, which: UInt32
  ) throws(VideoDeviceError) {
    var control = v4l2_ext_control()
    var list = v4l2_ext_controls()
    (list.count, list.which) = (1, which)
    let result = withUnsafeMutablePointer(to: &rectangle) { rectangle in
      withUnsafeMutablePointer(to: &control) { control in
        cv4l2_control_set_pointer(control, id.rawValue, rectangle, UInt32(MemoryLayout<v4l2_rect>.size))
        list.controls = control
        return Result { () throws(VideoDeviceError) in try outcome(of: request, &list) }
      }
    }
    guard let errno = try result.get() else { return }
    throw VideoDeviceError(errno, .control(request), path: path, subject: "control \(id)")
  }
}
