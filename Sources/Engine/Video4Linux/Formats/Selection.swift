import CVideo4Linux

/// A rectangle of pixels; top left is 0, 0 of the sensor or the buffer.
public struct PixelRectangle: Hashable, Sendable, CustomStringConvertible {
  /// In pixels from the left edge.
  public var left: Int
  /// In pixels from the top edge.
  public var top: Int
  /// In pixels.
  public var size: FrameSize

  /// - Parameters: all in pixels.
  public init(left: Int, top: Int, size: FrameSize) {
    self.left = left
    self.top = top
    self.size = size
  }

  /// Such as `1280×720 at 0, 0`.
  public var description: String { "\(size) at \(left), \(top)" }
}

/// The rectangles of the cropping and composing pipeline (kernel documentation, "V4L2 selection API").
public enum SelectionTarget: String, Sendable, CaseIterable {
  /// What part of the source is taken, by default, at most.
  case crop, cropDefault, cropBounds
  /// Where in the buffer it goes, by default, at most.
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
  /// A rectangle in force (`VIDIOC_G_SELECTION`); nil when the device has no such target.
  public func selection(_ target: SelectionTarget) throws(VideoDeviceError) -> PixelRectangle? {
    var raw = v4l2_selection()
    raw.type = try bufferType().singlePlanarNumber
    raw.target = target.number
    let isKnown = try control(.getSelection, &raw, unless: [.notTTY, .invalidArgument, .noData])
    return isKnown ? PixelRectangle(raw.r) : nil
  }

  /// Asks for a rectangle (`VIDIOC_S_SELECTION`); the driver takes the nearest it can, which is returned.
  /// - Throws: `.unsupported` when the device cannot, `.busy` while it streams.
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
