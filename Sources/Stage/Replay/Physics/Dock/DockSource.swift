public import Capture
public import Imagery

/// A simulated camera with motors. Its picture is a part of a larger world, and pan and tilt
/// really move that part. In virtual time, every run gives the same pictures.
public struct DockSource: CameraSource {
  /// Size in pixels; both sides are even.
  public var size: PixelSize
  /// The time between the starts of two frames.
  public var frameInterval: FrameInterval
  /// The motors.
  public var model: DockModel
  /// Number of frames after which the camera ends. Nil for no end.
  public var frameLimit: Int?
  /// The world around it.
  public let scene: DockScene
  /// Log of the camera's requests and movements. Nil for none.
  package var log: DockLog?

  /// - Parameter size: the size of the camera's pictures, in pixels; both sides must be even.
  public init(
    size: PixelSize = PixelSize(width: 640, height: 360),
    frameInterval: FrameInterval = FrameInterval(framesPerSecond: 30), model: DockModel = DockModel(),
    scene: DockScene = .wandering()
  ) {
    self.size = size
    self.frameInterval = frameInterval
    self.model = model
    self.scene = scene
  }

  /// The specification in the syntax of `SourceSpecification`.
  public var specification: String {
    "simulated:\(size.width)x\(size.height)@\(frameInterval.framesPerSecond.rounded())?dock=\(model.kind.rawValue)"
  }

  /// Creates a camera whose first frame has the number 0.
  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    guard size.width % 2 == 0, size.height % 2 == 0, size.shortSide >= 32 else {
      throw .invalidSource(
        specification, reason: "the picture of a simulated dock must have even sides of at least 32 pixels")
    }
    return DockCamera(source: self, clock: clock)
  }
}
