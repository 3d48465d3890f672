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
  /// A node such as `/dev/video0`, or a stable name of it under `/dev/v4l`.
  public var path: String
  /// Wishes that the camera must meet. Default is none.
  public var request: V4L2Request
  /// How errors name the camera, and what tells it from others. Default is the path, with the input where one is asked for.
  public var specification: String
  package let kernel: any Kernel
  /// How many buffers the driver is asked for: what any outputs may need, unless a program has less use for them. A driver fills each of
  /// them with zeroes before the stream begins.
  package var bufferCount = V4L2Stream.bufferCount
  /// Enough for a preview alone: two are the driver's, one is drawn and one waits.
  package static let bufferCountOfPreview = 4
  /// Whether the error of a node that gives no pictures names those that do.
  var namesOthers = true

  /// - Parameters:
  ///   - path: a node such as `/dev/video0`, or a stable name of it under `/dev/v4l`; it is opened when the session needs it.
  ///   - kernel: the system's own, unless it is a test.
  public init(path: String, request: V4L2Request = V4L2Request(), kernel: any Kernel = LinuxKernel()) {
    self.path = path
    self.request = request
    self.kernel = kernel
    specification = path + (request.input.map { "?input=\($0)" } ?? "")
  }

  /// A camera that opens the node when the session needs it.
  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    V4L2Camera(source: self, clock: clock)
  }
}

/// What a user asks of a V4L2 camera beyond its path; nil leaves the choice to the session.
public struct V4L2Request: Hashable, Sendable, CustomStringConvertible {
  /// As V4L2 calls it: of two formats that are one to the engine (`NV12`, `NM12`) this one.
  public var fourCC: FourCC?
  /// Size in stored pixels. A device that cannot deliver exactly this size is refused.
  public var size: PixelSize?
  /// Frames a second. A rate that differs by less than 2 % will do, so that 30 also means 29.97; where the device has both, it is the nearer.
  public var framesPerSecond: Double?
  /// Which of the device's inputs, as a grabber has several: its number. It is chosen when the device is opened. Nil, the default, leaves
  /// the one that is chosen.
  public var input: Int?
  /// Stored pixels → upright while the device is held upright. Nil, the default, is what the driver says
  /// (`V4L2_CID_CAMERA_SENSOR_ROTATION`), and upright where it says nothing.
  public var orientation: Orientation?
  /// The camera faces its user. Nil, the default, is what the driver says (`V4L2_CID_CAMERA_ORIENTATION`), and false where it says nothing.
  public var isFrontFacing: Bool?

  /// Leaves every choice to the session and the driver.
  public init() {}

  /// What is asked, for a person: `NV12 1280×720 30 fps` and the like.
  public var description: String {
    let parts = [
      fourCC?.description, size?.description,
      framesPerSecond.map { "\($0 == $0.rounded() ? "\(Int($0))" : "\($0)") fps" },
    ].compactMap { $0 }
    return parts.isEmpty ? "a format that the engine can read" : parts.joined(separator: " ")
  }

  /// The rate asked for; nil where none is, or none that can be.
  var interval: FrameInterval? { framesPerSecond.flatMap { FrameInterval(rate: $0) } }

  func isMet(by size: PixelSize) -> Bool { self.size.map { $0 == size } ?? true }

  /// Whether it is the rate that was asked for, and not only near it.
  func isExactly(_ interval: FrameInterval) -> Bool {
    framesPerSecond.map { abs(interval.framesPerSecond - $0) <= FormatFinder.rateTolerance } ?? true
  }

  func isMet(by interval: FrameInterval) -> Bool {
    framesPerSecond.map { abs(interval.framesPerSecond - $0) < 0.02 * $0 } ?? true
  }
}
