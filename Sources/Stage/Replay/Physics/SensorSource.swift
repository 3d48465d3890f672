public import Capture
public import Charts
public import Imagery

/// A simulated camera with physics: light falls through a lens onto a sensor, and its controls act on the picture as a real camera's do.
///
/// Exposure time, gain and aperture make the level, by ISO 12232; photons and read-out make the noise; the colour of the light and the white
/// balance make the colours; the lens's place makes the blur. Rows are exposed one after the other. Commands take effect some frames later,
/// and automatics need frames to settle. Controls can lie as drivers do (``SensorModel/lies``).
///
/// ```swift
/// let scene = SensorScene(lightValue: 7)
/// let session = CaptureSession(source: SensorSource(scene: scene))
/// try await session.start()
/// _ = await session.set([(.exposureDuration, .number(0.01)), (.iso, .number(400))])
/// ```
public struct SensorSource: CameraSource {
  /// What it is called; two lenses of one device have two names.
  public var name = "Simulated sensor"
  /// In pixels; both sides even.
  public var size: PixelSize
  /// Frames a second that it can be asked for, the first of them the one it prefers; 1 to 240 each.
  public var rates: [FrameInterval]
  /// Lens, sensor, motors and honesty.
  public var model: SensorModel
  /// How the sensor sits.
  public var mount = SensorMount()
  /// The camera ends after this many frames; nil for never.
  public var frameLimit: Int?
  /// The number of each frame is drawn into its corner, whatever the exposure; a meter takes it for part of the scene.
  public var drawsTimeCode = true
  /// What it looks at.
  public let scene: SensorScene
  /// Is told what the camera was asked and what it did.
  package var log: SensorLog?

  /// - Parameters:
  ///   - size: both sides even.
  ///   - rates: at least one.
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

  /// As `SourceSpecification` reads it.
  public var specification: String {
    "sensor:\(size.width)x\(size.height)@\((rates.first?.framesPerSecond ?? 30).rounded())"
  }

  /// Where in the stored picture the number of the frame is; it is drawn.
  public var timeCode: ChartRect { SimulatedPainter.timeCode(in: size) }

  /// A camera whose first frame has the number 0.
  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    guard !rates.isEmpty, size.width % 2 == 0, size.height % 2 == 0, size.shortSide >= 32 else {
      throw .invalidSource(
        specification, reason: "a simulated sensor has even sides from 32 pixels and at least one frame rate")
    }
    return SensorCamera(source: self, clock: clock)
  }
}
