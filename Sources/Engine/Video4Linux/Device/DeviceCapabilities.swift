import CVideo4Linux

/// Which way pictures go through a device, and how its buffers are addressed (`enum v4l2_buf_type`).
public enum BufferType: String, Sendable, CaseIterable {
  /// Frames from the device, all planes in one memory.
  case capture
  /// Frames to the device, all planes in one memory.
  case output
  /// Frames from the device, a memory for each plane.
  case captureMultiplanar
  /// Frames to the device, a memory for each plane.
  case outputMultiplanar

  /// Pictures go to the device.
  public var isOutput: Bool { self == .output || self == .outputMultiplanar }
  /// Each plane of a picture may have memory of its own.
  public var isMultiplanar: Bool { self == .captureMultiplanar || self == .outputMultiplanar }

  var number: UInt32 {
    switch self {
    case .capture: V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    case .output: V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    case .captureMultiplanar: V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    case .outputMultiplanar: V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE.rawValue
    }
  }

  /// The type that `G_SELECTION`, `G_PARM` and friends want on every kernel: without the multi-planar flavour.
  var singlePlanarNumber: UInt32 {
    (isOutput ? V4L2_BUF_TYPE_VIDEO_OUTPUT : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
  }
}

/// What a device says it is (`VIDIOC_QUERYCAP`).
public struct DeviceCapabilities: Hashable, Sendable {
  /// The kernel driver, for example "uvcvideo".
  public let driver: String
  /// The device by the name its maker gave it.
  public let card: String
  /// Where it sits, for example "usb-0000:00:14.0-1"; not stable over re-plugging into another port.
  public let bus: String
  /// The kernel's V4L2 version as major.minor.patch.
  public let version: String
  /// What this node (not its siblings) can do: nil when it neither takes nor gives pictures, such as metadata, radio,
  /// or a codec that does both.
  public let bufferType: BufferType?
  /// It exchanges pictures through buffers (`V4L2_CAP_STREAMING`); without that this engine cannot use it.
  public let canStream: Bool

  /// A camera or grabber that this engine can use.
  public var isCapture: Bool { canStream && bufferType.map { !$0.isOutput } ?? false }
}

extension DeviceCapabilities {
  /// Of a camera that is only spoken of.
  package init(driver: String, card: String, bus: String) {
    self.driver = driver
    self.card = card
    self.bus = bus
    version = ""
    bufferType = .capture
    canStream = true
  }

  init(_ raw: v4l2_capability) {
    driver = String(deviceText: raw.driver)
    card = String(deviceText: raw.card)
    bus = String(deviceText: raw.bus_info)
    version = "\(raw.version >> 16).\(raw.version >> 8 & 0xFF).\(raw.version & 0xFF)"
    let ofNode = raw.capabilities & 0x8000_0000 != 0  // V4L2_CAP_DEVICE_CAPS
    let flags = ofNode ? raw.device_caps : raw.capabilities
    func has(_ flag: Int32) -> Bool { flags & UInt32(bitPattern: flag) != 0 }
    canStream = has(V4L2_CAP_STREAMING)
    bufferType =
      if has(V4L2_CAP_VIDEO_M2M) || has(V4L2_CAP_VIDEO_M2M_MPLANE) {
        nil
      } else if has(V4L2_CAP_VIDEO_CAPTURE) {
        .capture
      } else if has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) {
        .captureMultiplanar
      } else if has(V4L2_CAP_VIDEO_OUTPUT) {
        .output
      } else if has(V4L2_CAP_VIDEO_OUTPUT_MPLANE) {
        .outputMultiplanar
      } else {
        nil
      }
  }
}
