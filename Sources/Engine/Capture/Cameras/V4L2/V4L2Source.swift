public import Imagery
public import Video4Linux

/// A camera behind a `/dev/video…` node.
///
/// ```swift
/// var request = V4L2Request()
/// request.size = PixelSize(width: 1280, height: 720)
/// let session = CaptureSession(source: V4L2Source(path: "/dev/video0", request: request))
/// ```
public struct V4L2Source: CameraSource {
  /// A node such as `/dev/video0`, or a stable link to it under `/dev/v4l`.
  public var path: String
  /// The requirements that the camera must meet. By default none.
  public var request: V4L2Request
  /// The name of the camera in errors, and its identity among other cameras. By default the path, plus the input if one is requested.
  public var specification: String
  package let kernel: any Kernel
  /// The number of buffers to request from the driver. The default is enough for any outputs; a program that needs fewer may lower the number.
  /// A driver fills each buffer with zeroes before the stream begins.
  package var bufferCount = V4L2Stream.bufferCount
  /// Enough buffers for a preview alone: two for the driver, one that is drawn and one that waits.
  package static let bufferCountOfPreview = 4
  /// Whether the error for a node that delivers no pictures names nodes that do.
  var namesOthers = true

  /// - Parameters:
  ///   - path: a node such as `/dev/video0`, or a stable link to it under `/dev/v4l`; it is opened when the session needs it.
  ///   - kernel: the real kernel, except in tests.
  public init(path: String, request: V4L2Request = V4L2Request(), kernel: any Kernel = LinuxKernel()) {
    self.path = path
    self.request = request
    self.kernel = kernel
    specification = path + (request.input.map { "?input=\($0)" } ?? "")
  }

  /// Makes a camera that opens the node when the session needs it.
  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    V4L2Camera(source: self, clock: clock)
  }
}

/// Requirements on a V4L2 camera beyond its path; nil leaves the choice to the session.
public struct V4L2Request: Hashable, Sendable, CustomStringConvertible {
  /// The V4L2 code of the format. It distinguishes codes for which the engine has only one format (`NV12`, `NM12`).
  public var fourCC: FourCC?
  /// Size in stored pixels. A device that cannot deliver exactly this size is refused.
  public var size: PixelSize?
  /// Frames a second. A rate that differs by less than 2 % is accepted, so 30 also means 29.97. If the device has both, the nearer one is used.
  public var framesPerSecond: Double?
  /// The number of the device's input, for a grabber with several. It is selected when the device is opened. Nil, the default, keeps
  /// the selected input.
  public var input: Int?
  /// The orientation that turns stored pixels upright while the device is held upright. Nil, the default, uses the
  /// driver's report (`V4L2_CID_CAMERA_SENSOR_ROTATION`), or upright if the driver reports nothing.
  public var orientation: Orientation?
  /// Whether the camera faces its user. Nil, the default, uses the driver's report
  /// (`V4L2_CID_CAMERA_ORIENTATION`), or false if it reports nothing.
  public var isFrontFacing: Bool?

  /// The number that a sensor's samples have in the dark, in the numbers of the format (64 is usual for 10 bits). Nil, the default, is 0.
  public var blackLevel: Int?

  /// Creates a request without requirements: every choice is left to the session and the driver.
  public init() {}

  /// The requirements as text for a person, such as `NV12 1280×720 30 fps`.
  public var description: String {
    let parts = [
      fourCC?.description, size?.description,
      framesPerSecond.map { "\($0 == $0.rounded() ? "\(Int($0))" : "\($0)") fps" },
    ].compactMap { $0 }
    return parts.isEmpty ? "a format that the engine can read" : parts.joined(separator: " ")
  }

  /// The interval of the requested rate; nil if no rate is requested, or an impossible one.
  var interval: FrameInterval? { framesPerSecond.flatMap { FrameInterval(rate: $0) } }

  func isMet(by size: PixelSize) -> Bool { self.size.map { $0 == size } ?? true }

  /// Whether the interval is exactly the requested rate, not only close to it.
  func isExactly(_ interval: FrameInterval) -> Bool {
    framesPerSecond.map { abs(interval.framesPerSecond - $0) <= FormatFinder.rateTolerance } ?? true
  }

  func isMet(by interval: FrameInterval) -> Bool {
    framesPerSecond.map { abs(interval.framesPerSecond - $0) < 0.02 * $0 } ?? true
  }

  /// Whether the driver's answer meets the request. Without an interval it does not meet a requested rate.
  func isMet(by given: VideoFormat, _ interval: FrameInterval?) -> Bool {
    isMet(by: PixelSize(width: given.size.width, height: given.size.height))
      && fourCC ?? given.fourCC == given.fourCC
      && (interval.map(isMet(by:)) ?? (framesPerSecond == nil))
  }
}
