import CVideo4Linux

/// The timings of a digital video signal, such as HDMI (`struct v4l2_dv_timings`, BT.656/1120 type).
public struct DVTimings: Sendable, CustomStringConvertible {
  /// The size of the visible part, in pixels.
  public let size: FrameSize
  /// Whether each frame comes as two fields.
  public let isInterlaced: Bool
  /// The pixel clock in hertz.
  public let pixelClock: UInt64
  /// The size including blanking, in pixels and lines.
  public let total: FrameSize
  let raw: v4l2_dv_timings

  init(_ raw: v4l2_dv_timings) {
    self.raw = raw
    let (timings, clock) = withUnsafePointer(to: raw) { (cv4l2_bt_timings($0), cv4l2_pixel_clock($0)) }
    size = FrameSize(width: Int(timings.width), height: Int(timings.height))
    isInterlaced = timings.interlaced != 0
    pixelClock = clock
    let horizontal = Int(timings.hfrontporch) + Int(timings.hsync) + Int(timings.hbackporch)
    let vertical = Int(timings.vfrontporch) + Int(timings.vsync) + Int(timings.vbackporch)
    let secondField = Int(timings.il_vfrontporch) + Int(timings.il_vsync) + Int(timings.il_vbackporch)
    total = FrameSize(
      width: size.width + horizontal, height: size.height + vertical + (isInterlaced ? secondField : 0))
  }

  /// Frames a second; a frame of an interlaced signal is two fields. Nil if the timings give no rate.
  public var framesPerSecond: Double? {
    guard total.width > 0, total.height > 0, pixelClock > 0 else { return nil }
    return Double(pixelClock) / (Double(total.width) * Double(total.height))
  }

  /// Text for a person, such as `1920×1080 at 60.0 Hz`.
  public var description: String {
    let rate = framesPerSecond.map { " at \(($0 * 100).rounded() / 100) Hz" } ?? ""
    return "\(size)\(isInterlaced ? " interlaced" : "")\(rate)"
  }
}

/// The state of the signal on a digital input.
public enum DVSignal: Sendable {
  /// A signal that can be captured with these timings.
  case locked(DVTimings)
  /// No cable, or the source is off (`ENOLINK`).
  case none
  /// An unstable signal (`ENOLCK`).
  case unstable
  /// A signal that the receiver cannot process (`ERANGE`).
  case outOfRange
}

extension VideoDevice {
  /// The timings that the device supports (`VIDIOC_ENUM_DV_TIMINGS`), in its order, at most 512; empty for a camera.
  public func timings() throws(VideoDeviceError) -> [DVTimings] {
    try enumerate(.enumerateTimings, limit: 512) { index in
      var raw = v4l2_enum_dv_timings()
      raw.index = index
      return raw
    } _: { raw in
      DVTimings(raw.timings)
    }
  }

  /// The signal on the current input (`VIDIOC_QUERY_DV_TIMINGS`).
  /// - Throws: `.unsupported` if the input is not digital.
  public func signal() throws(VideoDeviceError) -> DVSignal {
    var raw = v4l2_dv_timings()
    switch try outcome(of: .queryTimings, &raw) {
    case nil: return .locked(DVTimings(raw))
    case .some(.noLink): return .none
    case .some(.noLock): return .unstable
    case .some(.outOfRange): return .outOfRange
    case .some(.noData):
      throw VideoDeviceError(.unsupported, .control(.queryTimings), path: path, errno: .noData)
    case .some(let errno): throw VideoDeviceError(errno, .control(.queryTimings), path: path)
    }
  }

  /// The present timings (`VIDIOC_G_DV_TIMINGS`); nil if the current input is not digital.
  public func currentTimings() throws(VideoDeviceError) -> DVTimings? {
    var raw = v4l2_dv_timings()
    let isDigital = try control(.getTimings, &raw, unless: [.notTTY, .noData, .invalidArgument])
    return isDigital ? DVTimings(raw) : nil
  }

  /// Sets the timings (`VIDIOC_S_DV_TIMINGS`); the format follows them.
  /// - Throws: `.busy` while buffers are allocated, `.refused` for timings that the device does not support.
  public func setTimings(_ timings: DVTimings) throws(VideoDeviceError) {
    var raw = timings.raw
    try control(.setTimings, &raw, subject: timings.description)
  }
}
