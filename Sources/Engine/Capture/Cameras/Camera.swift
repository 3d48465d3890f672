public import Imagery
public import System

/// An image format and a frame interval: one that a camera offers, or one that is requested from it.
public struct CameraFormat: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Pixel format, size and colour.
  public var image: ImageFormat
  /// The time between two frames.
  public var frameInterval: FrameInterval

  /// - Parameters:
  ///   - image: pixel format, size and colour of the stored picture.
  ///   - frameInterval: the time between two frames.
  public init(image: ImageFormat, frameInterval: FrameInterval) {
    self.image = image
    self.frameInterval = frameInterval
  }

  /// Text for a person, such as `NV12 1280×720 at 1/30 s`.
  public var description: String {
    let kind = image.pixelFormat.isBayer ? " (demosaiced)" : isLog ? " (BT.2020)" : ""
    let name = image.pixelFormat.rawValue + kind
    return "\(name) \(image.size.width)×\(image.size.height) at \(frameInterval)"
  }
}

/// The identity of a camera and the formats that it offers. Its strings come from the device: printable, bounded, otherwise untrusted.
public struct CameraDescription: Hashable, Sendable, Codable {
  /// A kind of camera. Your own implementation of ``Camera`` may define another kind.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
    /// The name in reports and recordings, such as `v4l2`.
    public let rawValue: String

    /// Creates a kind from its name: a new kind for a camera of your own, or a decoded one. Choose a name that nobody else uses.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A device that is driven through V4L2.
    public static let v4l2 = Kind(rawValue: "v4l2")
  }

  /// The kind of the camera.
  public var kind: Kind
  /// The name of the device, for a person.
  public var name: String
  /// The name of its driver, such as `uvcvideo`.
  public var driver: String
  /// The place of its connection, as its driver reports it.
  public var bus: String
  /// Every format that the camera offers, in the camera's order. Between formats that fit a request equally well, the first wins.
  public var formats: [CameraFormat]
  /// The mounting of its sensor.
  public var mount: SensorMount
  /// The manufacturer; nil if the camera does not report it.
  public var maker: String?

  /// - Parameters:
  ///   - bus: the place of its connection; it tells two cameras of the same name apart.
  ///   - formats: at least one, otherwise the session fails with `unsupportedFormat`; all sizes in stored pixels.
  public init(
    kind: Kind, name: String, driver: String, bus: String, formats: [CameraFormat], mount: SensorMount,
    maker: String? = nil
  ) {
    self.kind = kind
    self.name = name
    self.driver = driver
    self.bus = bus
    self.formats = formats
    self.mount = mount
    self.maker = maker
  }
}

/// The mounting of a sensor in its device.
public struct SensorMount: Hashable, Sendable, Codable {
  /// The orientation that turns stored pixels upright while the device is held upright.
  public var orientation: Orientation
  /// Whether the camera faces its user. Such a camera sees the device turn in the opposite direction. Its
  /// preview is mirrored, unless `SessionConfiguration.isPreviewMirrored` says otherwise.
  public var isFrontFacing: Bool

  /// - Parameters:
  ///   - orientation: by default the stored picture is upright.
  ///   - isFrontFacing: by default the camera faces away from its user.
  public init(orientation: Orientation = .upright, isFrontFacing: Bool = false) {
    self.orientation = orientation
    self.isFrontFacing = isFrontFacing
  }

  /// The orientation that turns stored pixels upright while the device is turned clockwise by `device`, as its user sees it. Follows the rule
  /// of Android's `CameraCharacteristics.SENSOR_ORIENTATION`.
  public func orientation(deviceTurned device: Rotation) -> Orientation {
    orientation.followed(by: Orientation(rotation: isFrontFacing ? device.inverse : device))
  }
}

/// A picture from the device, before the session adds its orientation.
public struct CapturedImage: Sendable {
  /// The pixels, on loan from the device's memory if possible.
  public var image: PixelBuffer
  /// The frame's number in the device's count; a gap means that the device lost frames.
  public var sequence: UInt32
  /// The time at which the exposure began. It is an estimate if the device stamps the end of the frame (see `Frame.exposureTime`).
  public var exposureTime: MonotonicTime
  /// The instant that the driver's timestamp marks: the start of the exposure or the end of the frame.
  public var exposureEdge: ExposureEdge
  /// The number of times that the device's clock has stepped, back or ahead, since the camera was made. `exposureTime` is corrected for these steps.
  public var clockSteps: Int
  /// The settings of the device while this frame was exposed; nil if the device does not report them.
  public var settings: FrameSettings?

  /// - Parameters:
  ///   - sequence: the number of the previous frame plus one; a larger step counts as lost frames (`FrameDrop.Reason.lost`).
  ///   - exposureTime: on the clock that the camera was made with, not later than now.
  ///   - clockSteps: the steps of a device clock that is unreliable; the default means a reliable clock.
  ///   - settings: the settings that the device reports for this frame; the default means that it reports none.
  public init(
    image: PixelBuffer, sequence: UInt32, exposureTime: MonotonicTime, exposureEdge: ExposureEdge,
    clockSteps: Int = 0, settings: FrameSettings? = nil
  ) {
    self.clockSteps = clockSteps
    self.image = image
    self.sequence = sequence
    self.exposureTime = exposureTime
    self.exposureEdge = exposureEdge
    self.settings = settings
  }
}

/// The next event of a streaming camera.
///
/// Cameras produce these events and the engine consumes them, so a new case breaks no
/// camera. A camera that wraps another camera passes on events that it does not know.
public enum CameraEvent: Sendable {
  /// A picture. The loan of its memory ends when the last holder releases it.
  case frame(CapturedImage)
  /// A buffer came back without a usable picture (error flag, no bytes, too few bytes).
  case damagedFrame(sequence: UInt32, reason: String)
  /// The device's attitude: clockwise degrees from upright, as an accelerometer gives it.
  case attitude(degrees: Double, time: MonotonicTime)
  /// Another program, or the device itself, changed these controls. The engine then asks an `OperableCamera` for their values.
  case controlsChanged([CameraControl])
  /// The picture is gone, but the device is still connected and will report when the picture is back.
  case interrupted(InterruptionReason)
  /// The picture is back after `interrupted`; the next frame may follow.
  case interruptionEnded
  /// `wake` was signalled.
  case woken
  /// Nothing came before the deadline.
  case timedOut
  /// A recording that is played back has no more frames.
  case ended
}

/// A camera. The capture thread alone creates, uses and releases it, so an implementation needs no lock.
///
/// A camera of your own conforms to this protocol and comes from a ``CameraSource``:
///
/// ```swift
/// final class StillCamera: Camera {
///   private let picture: PixelBuffer
///   private let clock: any CaptureClock
///   private var sequence: UInt32 = 0
///   private var format: CameraFormat {
///     CameraFormat(image: picture.format, frameInterval: FrameInterval(framesPerSecond: 10))
///   }
///
///   init(picture: PixelBuffer, clock: any CaptureClock) {
///     (self.picture, self.clock) = (picture, clock)
///   }
///
///   func open() throws(CameraError) -> CameraDescription {
///     CameraDescription(
///       kind: CameraDescription.Kind(rawValue: "still"), name: "Still camera", driver: "still",
///       bus: "memory", formats: [format], mount: SensorMount())
///   }
///
///   func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { format }
///   func start() throws(CameraError) {}
///   func stop() {}
///   func close() {}
///   func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool { true }
///
///   func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
///     let exposure = clock.now()
///     let due = exposure + format.frameInterval.duration
///     if clock.wait(until: min(due, deadline), wake: wake) { return .woken }
///     if due > deadline { return .timedOut }
///     sequence += 1
///     return .frame(
///       CapturedImage(
///         image: picture, sequence: sequence, exposureTime: exposure, exposureEdge: .startOfExposure))
///   }
/// }
/// ```
///
/// The order of calls is `open`, `prepare`, `start`, `next`…, `stop`, `close`. `stop` and `close` are also called after a failure.
public protocol Camera: AnyObject {
  /// Opens the device and returns its description.
  func open() throws(CameraError) -> CameraDescription
  /// Sets the format and allocates buffers, without streaming. `prewarm()` calls this ahead of time.
  /// - Returns: the format that the device chose.
  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat
  /// Starts streaming in the prepared format.
  func start() throws(CameraError)
  /// Blocks until something happens, the deadline passes or `wake` is signalled. Throws when the stream is lost.
  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent
  /// Ends the stream; `start()`, `prepare(_:)` or `close()` follows. Frames that are still lent
  /// stay valid. Must not fail: a device that cannot be stopped is already gone.
  func stop()
  /// Closes the device, so that another program may use it. `open()` may follow. Does nothing if the device is not open.
  func close()
  /// Waits after a loss, while the device is closed. Returns true as soon as another
  /// attempt to open it is worthwhile, false if `wake` is signalled.
  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool
}

/// Describes a camera, and makes it on the capture thread.
public protocol CameraSource: Sendable {
  /// The source as the user wrote it: `/dev/video0`, `corpus:shelf-pan`, `simulated:…`.
  var specification: String { get }
  /// Makes a camera that is not open yet. Called once for each camera of a session, on its capture thread.
  /// - Parameter clock: the clock that the camera waits with, so that tests can run it in virtual time.
  /// - Throws: an error if the source describes no camera; the session then fails with that error.
  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera
}
