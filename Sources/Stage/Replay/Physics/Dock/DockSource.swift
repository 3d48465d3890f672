public import Capture
public import Imagery

/// A simulated camera with motors: its picture is a part of a larger world, and pan and tilt move it truly. Virtual time makes it the same
/// every time.
public struct DockSource: CameraSource {
  /// In pixels; both sides even.
  public var size: PixelSize
  /// The time from one frame to the next.
  public var frameInterval: FrameInterval
  /// Its motors.
  public var model: DockModel
  /// The camera ends after this many frames; nil for never.
  public var frameLimit: Int?
  /// What is around it.
  public let scene: DockScene
  /// Is told what the camera was asked and where it looked.
  package var log: DockLog?

  /// - Parameter size: both sides even.
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

  /// As `SourceSpecification` reads it.
  public var specification: String {
    "simulated:\(size.width)x\(size.height)@\(frameInterval.framesPerSecond.rounded())?dock=\(model.kind.rawValue)"
  }

  /// A camera whose first frame has the number 0.
  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    guard size.width % 2 == 0, size.height % 2 == 0, size.shortSide >= 32 else {
      throw .invalidSource(specification, reason: "a simulated dock has even sides from 32 pixels")
    }
    return DockCamera(source: self, clock: clock)
  }
}
