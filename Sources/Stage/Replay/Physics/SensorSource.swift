public import Capture
public import Charts
public import Imagery

/// A simulated camera with physics: light falls through a lens onto a sensor, and its controls affect the picture as those of a real camera do.
///
/// Exposure time, gain and aperture determine the level, by ISO 12232. Photons and readout determine the
/// noise, the colour of the light and the white balance determine the colours, and the position of the lens
/// determines the blur. Rows are exposed one after the other. Commands take effect some frames later, and
/// automatics need frames to settle. Controls can have the faults of drivers (``SensorModel/lies``).
///
/// ```swift
/// let scene = SensorScene(lightValue: 7)
/// let session = CaptureSession(source: SensorSource(scene: scene))
/// try await session.start()
/// _ = await session.set([(.exposureDuration, .number(0.01)), (.iso, .number(400))])
/// ```
public struct SensorSource: CameraSource {
  /// The name. Two lenses of one device have different names.
  public var name = "Simulated sensor"
  /// Size in pixels; both sides are even.
  public var size: PixelSize
  /// Supported frame rates as intervals, the preferred one first; 1 to 240 frames per second each.
  public var rates: [FrameInterval]
  /// The model of lens, sensor, motors and faults.
  public var model: SensorModel
  /// The mounting of the sensor.
  public var mount = SensorMount()
  /// Number of frames after which the camera ends. Nil for no end.
  public var frameLimit: Int?
  /// Whether the number of each frame is drawn into its corner, independent of the exposure. An engine that meters the picture takes it for part of
  /// the scene.
  public var drawsTimeCode = true
  /// The world in front of the camera.
  public let scene: SensorScene
  /// Log of the camera's commands and exposures. Nil for none.
  package var log: SensorLog?

  /// - Parameters:
  ///   - size: the size of the camera's pictures, in pixels; both sides must be even.
  ///   - rates: the frame intervals that the camera offers, at least one.
  public init(
    size: PixelSize = PixelSize(width: 640, height: 360),
    rates: [FrameInterval] = [30, 60, 25, 24].map { FrameInterval(framesPerSecond: $0) },
    model: SensorModel = SensorModel(), scene: SensorScene = SensorScene()
  ) {
    self.size = size
    self.rates = rates
    self.model = model
    self.scene = scene
  }

  /// The specification in the syntax of `SourceSpecification`.
  public var specification: String {
    "sensor:\(size.width)x\(size.height)@\((rates.first?.framesPerSecond ?? 30).rounded())"
  }

  /// The place of the frame's number in the stored picture.
  public var timeCode: ChartRect { SimulatedPainter.timeCode(in: size) }

  /// Creates a camera whose first frame has the number 0.
  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    guard !rates.isEmpty, size.width % 2 == 0, size.height % 2 == 0, size.shortSide >= 32 else {
      throw .invalidSource(
        specification,
        reason: "a simulated sensor must have even sides of at least 32 pixels and one or more frame rates")
    }
    return SensorCamera(source: self, clock: clock)
  }
}
