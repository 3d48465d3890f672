public import Capture
public import Charts
public import Imagery
import System

/// The world in front of a simulated camera, and the angle of the camera in it. It may change while the camera runs.
public final class SimulatedScene: Sendable {
  private let degrees = Locked(0.0)

  /// Creates a scene with the device held upright.
  public init() {}

  /// The angle at which the device is held, in clockwise degrees from upright. The scene stays where it is.
  public var attitude: Double {
    get { degrees.withLock { $0 } }
    set { degrees.withLock { $0 = newValue } }
  }
}

/// A camera that draws its own pictures: a grey ramp with a `Fiducial` that stays upright in the world, and a `TimeCode` of the sequence number in
/// the stored picture.
///
/// ```swift
/// let scene = SimulatedScene()
/// let session = CaptureSession(source: SimulatedSource(scene: scene))
/// scene.attitude = 90
/// ```
public struct SimulatedSource: CameraSource {
  /// Size in pixels; both sides are even.
  public var size: PixelSize
  /// The time between the starts of two frames.
  public var frameInterval: FrameInterval
  /// Pixel format: `.nv12`, `.i420`, `.yuyv`, `.bgra` or `.rgba`.
  public var pixelFormat: PixelFormat
  /// The mounting of the sensor. The pictures are drawn accordingly.
  public var mount: SensorMount
  /// Number of frames after which the camera ends. Nil for no end.
  public var frameLimit: Int?
  /// The world in front of the camera, and the angle of the device.
  public let scene: SimulatedScene

  /// - Parameter pixelFormat: `.nv12`, `.i420`, `.yuyv`, `.bgra` or `.rgba`.
  public init(
    size: PixelSize = PixelSize(width: 1280, height: 720),
    frameInterval: FrameInterval = FrameInterval(framesPerSecond: 60), pixelFormat: PixelFormat = .nv12,
    mount: SensorMount = SensorMount(), frameLimit: Int? = nil, scene: SimulatedScene = SimulatedScene()
  ) {
    self.size = size
    self.frameInterval = frameInterval
    self.pixelFormat = pixelFormat
    self.mount = mount
    self.frameLimit = frameLimit
    self.scene = scene
  }

  /// The specification in the syntax of `SourceSpecification`.
  public var specification: String {
    "simulated:\(size.width)x\(size.height)@\(frameInterval.framesPerSecond.rounded())"
  }

  /// The place of the time code in the stored picture.
  public var timeCode: ChartRect { SimulatedPainter.timeCode(in: size) }
  /// The place of the fiducial in the stored picture.
  public var fiducial: ChartRect { SimulatedPainter.fiducial(in: size) }

  /// Creates a camera whose first frame has the number 0.
  public func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    SimulatedCamera(source: self, clock: clock)
  }
}

extension CameraDescription.Kind {
  /// A camera that draws its own pictures.
  public static let simulated = CameraDescription.Kind(rawValue: "simulated")
}

final class SimulatedCamera: Camera {
  private let source: SimulatedSource
  private let clock: any CaptureClock
  private let painter: SimulatedPainter
  private var upcoming: (sequence: UInt32, exposure: MonotonicTime)?
  private var lastAttitude: Double?

  init(source: SimulatedSource, clock: any CaptureClock) {
    self.source = source
    self.clock = clock
    painter = SimulatedPainter(source: source)
  }

  private var format: CameraFormat {
    CameraFormat(
      image: ImageFormat(
        pixelFormat: source.pixelFormat, size: source.size,
        color: ColorDescription(matrix: .bt709, range: .limited)),
      frameInterval: source.frameInterval)
  }

  func open() throws(CameraError) -> CameraDescription {
    CameraDescription(
      kind: .simulated, name: "Simulated camera", driver: "simulated", bus: source.specification,
      formats: [format], mount: source.mount)
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat {
    try painter.prepare(self.format.image, specification: source.specification)
    return self.format
  }

  func start() throws(CameraError) {
    upcoming = (upcoming?.sequence ?? 0, clock.now())
  }

  func stop() {}
  func close() {}
  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    guard let (sequence, exposure) = upcoming else { return .ended }
    if let limit = source.frameLimit, sequence >= limit { return .ended }
    let attitude = source.scene.attitude
    if attitude != lastAttitude {
      lastAttitude = attitude
      return .attitude(degrees: attitude, time: exposure)
    }
    let due = exposure + source.frameInterval.duration
    if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
    if due > deadline { return .timedOut }
    upcoming = (sequence &+ 1, due)
    return .frame(
      CapturedImage(
        image: try painter.paint(sequence, attitude: attitude, specification: source.specification),
        sequence: sequence, exposureTime: exposure, exposureEdge: .startOfExposure))
  }
}
