public import Imagery
public import System

/// What a camera can be asked to deliver.
public struct CameraFormat: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Pixel format, size and colour.
  public var image: ImageFormat
  /// The time from one frame to the next.
  public var frameInterval: FrameInterval

  /// - Parameters:
  ///   - image: pixel format, size and colour of the stored picture.
  ///   - frameInterval: the time from one frame to the next.
  public init(image: ImageFormat, frameInterval: FrameInterval) {
    self.image = image
    self.frameInterval = frameInterval
  }

  /// For a person: `NV12 1280×720 at 1/30 s` and the like.
  public var description: String {
    let kind = image.pixelFormat.isBayer ? " (demosaiced)" : isLog ? " (BT.2020)" : ""
    let name = image.pixelFormat.rawValue + kind
    return "\(name) \(image.size.width)×\(image.size.height) at \(frameInterval)"
  }
}

/// Which camera it is and what it offers. Strings come from the device: printable, bounded, otherwise untrusted.
public struct CameraDescription: Hashable, Sendable, Codable {
  /// What kind of camera it is; a camera of your own may say a kind of its own.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
    /// Its name in reports and recordings, such as `v4l2`.
    public let rawValue: String

    /// A kind of its own, or one that was read. Any name will do; give yours one that nobody else has.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A device that is spoken to through V4L2.
    public static let v4l2 = Kind(rawValue: "v4l2")
  }

  /// What kind of camera it is.
  public var kind: Kind
  /// What the device is called, for a person.
  public var name: String
  /// What drives it, such as `uvcvideo`.
  public var driver: String
  /// Where it is connected, as its driver says.
  public var bus: String
  /// Every format that it can be asked for, in its own order, which decides between equals.
  public var formats: [CameraFormat]
  /// How its sensor sits.
  public var mount: SensorMount
  /// Who made it; nil where it does not say.
  public var maker: String?

  /// - Parameters:
  ///   - bus: where it is connected; two cameras of one name are told apart by it.
  ///   - formats: at least one, or the session fails with `unsupportedFormat`; all sizes in stored pixels.
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

/// How a sensor sits in its device.
public struct SensorMount: Hashable, Sendable, Codable {
  /// Stored pixels → upright while the device is held upright.
  public var orientation: Orientation
  /// The camera faces its user, and therefore sees the device turn the other way. Its preview is mirrored, unless the session is told otherwise
  /// (`SessionConfiguration.isPreviewMirrored`).
  public var isFrontFacing: Bool

  /// - Parameters:
  ///   - orientation: the default is a picture that is stored upright.
  ///   - isFrontFacing: the default is a camera that looks away from its user.
  public init(orientation: Orientation = .upright, isFrontFacing: Bool = false) {
    self.orientation = orientation
    self.isFrontFacing = isFrontFacing
  }

  /// Stored pixels → upright while the device is turned clockwise by `device`, as its user sees it. The rule is that of
  /// Android's `CameraCharacteristics.SENSOR_ORIENTATION`.
  public func orientation(deviceTurned device: Rotation) -> Orientation {
    orientation.followed(by: Orientation(rotation: isFrontFacing ? device.inverse : device))
  }
}

/// A picture as the device gave it, before the session knows its angle.
public struct CapturedImage: Sendable {
  /// The pixels; a loan of the device's memory where it can be one.
  public var image: PixelBuffer
  /// The frame's number as the device counts; a gap means that it lost frames.
  public var sequence: UInt32
  /// When its exposure began, as far as the device tells: see `Frame.exposureTime`.
  public var exposureTime: MonotonicTime
  /// Which end of the frame the driver stamped.
  public var exposureEdge: ExposureEdge
  /// How often the device's clock has stepped, back or ahead, since the camera was made: `exposureTime` is without that.
  public var clockSteps: Int
  /// How the device says that it was set while this frame was exposed; nil where it does not tell.
  public var settings: FrameSettings?

  /// - Parameters:
  ///   - sequence: one more than that of the frame before; more than one counts as frames lost (`FrameDrop.Reason.lost`).
  ///   - exposureTime: on the clock that the camera was made with, not after the present.
  ///   - clockSteps: of a clock of the device's own that is not to be relied on; the default is one that is.
  ///   - settings: what the device itself tells of this frame; the default is a device that tells nothing.
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

/// What a streaming camera has to say next.
///
/// Cameras say it and the engine listens, so a case that is added disturbs no camera. A camera that wraps another passes on what it
/// does not know.
public enum CameraEvent: Sendable {
  /// A picture. Its loan of memory ends when the last holder lets go of it.
  case frame(CapturedImage)
  /// A buffer came back without a usable picture (error flag, no bytes, too few bytes).
  case damagedFrame(sequence: UInt32, reason: String)
  /// The device's attitude: clockwise degrees from upright, as an accelerometer gives it.
  case attitude(degrees: Double, time: MonotonicTime)
  /// These controls were changed by another program, or by the device itself. An `OperableCamera` is asked for them.
  case controlsChanged([CameraControl])
  /// The picture is gone, but the device is still there and will report when the picture is back.
  case interrupted(InterruptionReason)
  /// The picture is back after `interrupted`; the next frame may follow.
  case interruptionEnded
  /// `wake` was signalled.
  case woken
  /// Nothing came before the deadline.
  case timedOut
  /// A recording has no more frames.
  case ended
}

/// A camera. Made, used and let go on one capture thread, so no implementation needs a lock.
///
/// A camera of your own conforms to this and comes from a ``CameraSource``:
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
/// The order of calls is `open`, `start`, `next`…, `stop`, `close`; each of the latter two also after any failure.
public protocol Camera: AnyObject {
  /// Opens the device and learns what it offers.
  func open() throws(CameraError) -> CameraDescription
  /// Sets the format and allocates buffers, everything but streaming: what `prewarm()` does ahead of time.
  /// - Returns: the format that the device settled on.
  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat
  /// Starts streaming in the prepared format.
  func start() throws(CameraError)
  /// Blocks until something happens, the deadline passes or `wake` is signalled. Throws when the stream is lost.
  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent
  /// Ends the stream, and is followed by `start()`, `prepare(_:)` or `close()`. Frames that are still lent stay valid.
  /// It must not fail: what cannot be stopped is gone already.
  func stop()
  /// Lets go of the device, so that another program may have it. `open()` may be called again. Called without `open()` it does nothing.
  func close()
  /// After a loss, with the device closed: blocks until it is worth opening again (true), or until `wake` (false).
  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool
}

/// Where a camera comes from; makes it on the capture thread.
public protocol CameraSource: Sendable {
  /// As the user wrote it: `/dev/video0`, `corpus:shelf-pan`, `simulated:…`.
  var specification: String { get }
  /// A camera that has not been opened. Called once for each camera of a session, on its capture thread.
  /// - Parameter clock: what the camera waits with, so that tests can run it in virtual time.
  /// - Throws: when no camera can be made of what the source says; the session then fails with that error.
  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera
}
