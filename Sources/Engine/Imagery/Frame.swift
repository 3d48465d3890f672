public import System

/// The moment that the driver's timestamp marks (V4L2 `V4L2_BUF_FLAG_TSTAMP_SRC_MASK`).
public enum ExposureEdge: String, Sendable, Codable {
  /// The start of the exposure.
  case startOfExposure
  /// The arrival of the last data of the frame.
  case endOfFrame
}

/// The orientations of a frame at its exposure: they turn stored pixels upright, for each kind of output.
public struct FrameOrientation: Hashable, Sendable, Codable {
  /// For a surface fixed to the device: upright as the surface is held.
  public var preview: Orientation
  /// For photo, analysis and recording: upright against gravity.
  public var capture: Orientation

  /// Creates a pair of orientations. The two may differ: a surface that does not turn with the device keeps its angle while a photo is upright.
  public init(preview: Orientation, capture: Orientation) {
    self.preview = preview
    self.capture = capture
  }

  /// Both upright, for a camera that is mounted and held upright.
  public static let upright = FrameOrientation(preview: .upright, capture: .upright)
}

/// A camera frame: pixels on loan, with the time and the orientation of their exposure.
public struct Frame: Sendable {
  /// The pixels, on loan: hold the frame only as long as you need them.
  public let image: PixelBuffer
  /// The frame's number in the device's count; a gap means that the device lost frames.
  /// After a session was stopped, its camera counts anew; order such frames by their exposure.
  public let sequence: UInt32
  /// The time when the frame's exposure began, on `CLOCK_MONOTONIC`, from the driver's timestamp. If the stamp marks the end of the frame, one frame
  /// interval is subtracted, the most that exposure and read-out take.
  public let exposureTime: MonotonicTime
  /// The instant that the driver's timestamp marks. With `endOfFrame`, the exposure time is an estimate, early rather than late.
  public let exposureEdge: ExposureEdge
  /// The time when the frame was taken from the driver.
  public let arrivalTime: MonotonicTime
  /// The number of steps of the device's clock so far, back or ahead. `exposureTime` is corrected for these steps. After a step it is the best
  /// estimate, and may not follow exactly from the previous frame.
  public let clockSteps: Int
  /// The orientations at `exposureTime`; use them instead of the present ones.
  public let orientation: FrameOrientation
  /// The camera's settings during the exposure, as far as they are known, and those that the outputs must apply (`digitalZoom`).
  public let settings: FrameSettings

  /// Creates a frame, for tests or for a camera of your own.
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
