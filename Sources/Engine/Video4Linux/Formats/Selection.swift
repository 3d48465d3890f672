import CVideo4Linux

/// A rectangle of pixels; 0, 0 is the top left of the sensor or the buffer.
public struct PixelRectangle: Hashable, Sendable, CustomStringConvertible {
  /// The distance from the left edge, in pixels.
  public var left: Int
  /// The distance from the top edge, in pixels.
  public var top: Int
  /// The size in pixels.
  public var size: FrameSize

  /// - Parameters: all in pixels.
  public init(left: Int, top: Int, size: FrameSize) {
    self.left = left
    self.top = top
    self.size = size
  }

  /// Text such as `1280×720 at 0, 0`.
  public var description: String { "\(size) at \(left), \(top)" }
}

/// The rectangles of the cropping and composing pipeline (kernel documentation, "V4L2 selection API").
public enum SelectionTarget: String, Sendable, CaseIterable {
  /// The part of the source that is captured: its present value, its default value and its largest value.
  case crop, cropDefault, cropBounds
  /// The part of the buffer that is filled: its present value, its default value and its largest value.
  case compose, composeDefault, composeBounds

  var number: UInt32 {
    switch self {
    case .crop: UInt32(V4L2_SEL_TGT_CROP)
    case .cropDefault: UInt32(V4L2_SEL_TGT_CROP_DEFAULT)
    case .cropBounds: UInt32(V4L2_SEL_TGT_CROP_BOUNDS)
    case .compose: UInt32(V4L2_SEL_TGT_COMPOSE)
    case .composeDefault: UInt32(V4L2_SEL_TGT_COMPOSE_DEFAULT)
    case .composeBounds: UInt32(V4L2_SEL_TGT_COMPOSE_BOUNDS)
    }
  }
}

extension VideoDevice {
  /// A present rectangle (`VIDIOC_G_SELECTION`); nil if the device has no such target.
  public func selection(_ target: SelectionTarget) throws(VideoDeviceError) -> PixelRectangle? {
    var raw = v4l2_selection()
    raw.type = try bufferType().singlePlanarNumber
    raw.target = target.number
    let isKnown = try control(.getSelection, &raw, unless: [.notTTY, .invalidArgument, .noData])
    return isKnown ? PixelRectangle(raw.r) : nil
  }

  /// Sets a rectangle (`VIDIOC_S_SELECTION`); the driver chooses the nearest possible one, which is returned.
  /// - Throws: `.unsupported` if the device has no such target, `.busy` while it streams.
  public func setSelection(
    _ target: SelectionTarget, to rectangle: PixelRectangle
  ) throws(VideoDeviceError) -> PixelRectangle {
    var raw = v4l2_selection()
    raw.type = try bufferType().singlePlanarNumber
    raw.target = target.number
    raw.r = rectangle.raw
    try control(.setSelection, &raw, subject: "\(target.rawValue) \(rectangle)")
    return PixelRectangle(raw.r)
  }
}

extension PixelRectangle {
  init(_ raw: v4l2_rect) {
    self.init(
      left: Int(raw.left), top: Int(raw.top), size: FrameSize(width: Int(raw.width), height: Int(raw.height)))
  }

  var raw: v4l2_rect {
    v4l2_rect(
      left: Int32(clamping: left), top: Int32(clamping: top), width: UInt32(clamping: size.width),
      height: UInt32(clamping: size.height))
  }
}
