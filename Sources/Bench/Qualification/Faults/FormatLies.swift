import CVideo4Linux
import Video4Linux

/// `identity-blank`.
struct BlankIdentity: DriverLie {
  func twist(_ call: DriverCall) throws(Errno) {
    guard call.request == .queryCapabilities else { return }
    let raw = call.structure(v4l2_capability.self)
    withUnsafeMutableBytes(of: &raw.pointee.card) { field in for index in field.indices { field[index] = 0 } }
    withUnsafeMutableBytes(of: &raw.pointee.bus_info) { field in
      for index in field.indices { field[index] = 0 }
    }
  }
}

/// `size-not-given`: setting the mode sets another size.
struct SizeNotGiven: DriverLie {
  let victim: CameraMode
  let instead: FrameSize

  func intercept(_ call: DriverCall) throws(Errno) -> Bool {
    guard call.request == .setFormat else { return false }
    let raw = call.structure(v4l2_format.self)
    guard raw.pointee.asks(for: victim) else { return false }
    let (width, height) = (UInt32(clamping: instead.width), UInt32(clamping: instead.height))
    if raw.pointee.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue {
      raw.pointee.fmt.pix_mp.width = width
      raw.pointee.fmt.pix_mp.height = height
    } else {
      raw.pointee.fmt.pix.width = width
      raw.pointee.fmt.pix.height = height
    }
    return false
  }
}

/// `format-refused`.
struct FormatRefused: DriverLie {
  let victim: CameraMode

  func intercept(_ call: DriverCall) throws(Errno) -> Bool {
    guard call.request == .setFormat, call.structure(v4l2_format.self).pointee.asks(for: victim) else {
      return false
    }
    throw .invalidArgument
  }
}

/// `one-buffer`.
struct OneBuffer: DriverLie {
  let victim: CameraMode

  func intercept(_ call: DriverCall) throws(Errno) -> Bool {
    guard call.request == .requestBuffers, call.client.isIn(victim) else { return false }
    let raw = call.structure(v4l2_requestbuffers.self)
    raw.pointee.count = min(raw.pointee.count, 1)
    return false
  }

  func twist(_ call: DriverCall) throws(Errno) {
    guard call.request == .requestBuffers, call.client.isIn(victim) else { return }
    // Some drivers allocate at least two.
    let raw = call.structure(v4l2_requestbuffers.self)
    raw.pointee.count = min(raw.pointee.count, 1)
  }
}

extension v4l2_format {
  func asks(for mode: CameraMode) -> Bool {
    let isMultiplanar = type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    let fourCC = isMultiplanar ? fmt.pix_mp.pixelformat : fmt.pix.pixelformat
    let width = isMultiplanar ? fmt.pix_mp.width : fmt.pix.width
    let height = isMultiplanar ? fmt.pix_mp.height : fmt.pix.height
    return fourCC == mode.fourCC.rawValue && Int(width) == mode.size.width && Int(height) == mode.size.height
  }
}
