import CVideo4Linux

/// The direction of pictures through a device, and the layout of its buffers (`enum v4l2_buf_type`).
public enum BufferType: String, Sendable, CaseIterable {
  /// Frames from the device, all planes in one buffer memory.
  case capture
  /// Frames to the device, all planes in one buffer memory.
  case output
  /// Frames from the device, with separate memory for each plane.
  case captureMultiplanar
  /// Frames to the device, with separate memory for each plane.
  case outputMultiplanar

  /// Whether pictures go to the device.
  public var isOutput: Bool { self == .output || self == .outputMultiplanar }
  /// Whether each plane of a picture may have memory of its own.
  public var isMultiplanar: Bool { self == .captureMultiplanar || self == .outputMultiplanar }

  var number: UInt32 {
    switch self {
    case .capture: V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    case .output: V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    case .captureMultiplanar: V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    case .outputMultiplanar: V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE.rawValue
    }
  }

  /// The type that `G_SELECTION`, `G_PARM` and the like accept on every kernel: the single-planar one.
  var singlePlanarNumber: UInt32 {
    (isOutput ? V4L2_BUF_TYPE_VIDEO_OUTPUT : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
  }
}

/// The identity and the capabilities that a device reports (`VIDIOC_QUERYCAP`).
public struct DeviceCapabilities: Hashable, Sendable {
  /// The kernel driver, for example "uvcvideo".
  public let driver: String
  /// The name of the device from its maker.
  public let card: String
  /// The place of the device, for example "usb-0000:00:14.0-1"; it changes if the device is plugged into another port.
  public let bus: String
  /// The kernel's V4L2 version as major.minor.patch.
  public let version: String
  /// The direction of pictures at this node (not its siblings); nil if the node neither takes nor delivers pictures, such as metadata or radio,
  /// or does both, such as a codec.
  public let bufferType: BufferType?
  /// Whether the device exchanges pictures through buffers (`V4L2_CAP_STREAMING`); the engine can use no other.
  public let canStream: Bool

  /// Whether the device is a camera or grabber that the engine can use.
  public var isCapture: Bool { canStream && bufferType.map { !$0.isOutput } ?? false }
}

extension DeviceCapabilities {
  /// Creates the capabilities of an imaginary camera, for code that needs capabilities without a device.
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
