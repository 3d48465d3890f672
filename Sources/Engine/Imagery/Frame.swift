public import System

/// Which moment the driver's time stamp marks (V4L2 `V4L2_BUF_FLAG_TSTAMP_SRC_MASK`).
public enum ExposureEdge: String, Sendable, Codable {
  /// When the exposure began.
  case startOfExposure
  /// When the last of the frame had arrived.
  case endOfFrame
}

/// The angles that held when a frame was exposed: stored pixels → upright for each kind of output.
public struct FrameOrientation: Hashable, Sendable, Codable {
  /// For a surface fixed to the device: as the surface is held.
  public var preview: Orientation
  /// For photo, analysis and recording: upright against gravity.
  public var capture: Orientation

  /// The two may differ: a surface that does not turn with the device keeps its angle while a photo is upright.
  public init(preview: Orientation, capture: Orientation) {
    self.preview = preview
    self.capture = capture
  }

  /// Both upright: what a camera has that is held upright and mounted upright.
  public static let upright = FrameOrientation(preview: .upright, capture: .upright)
}

/// A camera frame: a loan of pixels with the time and the angle that held when it was exposed.
public struct Frame: Sendable {
  /// The pixels, on loan: hold the frame only as long as you need them.
  public let image: PixelBuffer
  /// As the device counts; gaps are frames it lost.
  public let sequence: UInt32
  /// When its exposure began, on `CLOCK_MONOTONIC`: the driver's time stamp; where that marks the end of the frame, less one frame
  /// interval, the most that exposure and read-out take.
  public let exposureTime: MonotonicTime
  /// Which end of the frame the driver stamped: `endOfFrame` says that the time of exposure is an estimate, early rather than late.
  public let exposureEdge: ExposureEdge
  /// When the frame was taken from the driver.
  public let arrivalTime: MonotonicTime
  /// How often the device's clock had stepped by then, back or ahead. `exposureTime` is without that; after a step it is as near as can be
  /// known, and need not follow the frame before exactly.
  public let clockSteps: Int
  /// The angles that held at `exposureTime`; use them in place of whatever holds now.
  public let orientation: FrameOrientation
  /// How the camera was set while it was exposed, as far as that is known, and what is left to the outputs (`digitalZoom`).
  public let settings: FrameSettings

  /// A frame of your own, for tests or for a camera of your own.
  public init(
    image: PixelBuffer, sequence: UInt32, exposureTime: MonotonicTime, exposureEdge: ExposureEdge,
    arrivalTime: MonotonicTime, orientation: FrameOrientation, settings: FrameSettings = FrameSettings(),
    clockSteps: Int = 0
  ) {
    self.clockSteps = clockSteps
    self.image = image
    self.sequence = sequence
    self.exposureTime = exposureTime
    self.exposureEdge = exposureEdge
    self.arrivalTime = arrivalTime
    self.orientation = orientation
    self.settings = settings
  }
}
