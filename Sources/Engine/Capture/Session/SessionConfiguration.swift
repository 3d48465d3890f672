public import Imagery
public import System

/// The behaviour of a session, apart from its source and its outputs.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.inactivityTimeout = nil
/// configuration.chooseFormat = { FormatFinder(size: PixelSize(width: 1920, height: 1080)).best(of: $0) }
/// let session = CaptureSession(source: V4L2Source(path: "/dev/video0"), configuration: configuration)
/// ```
public struct SessionConfiguration: Sendable {
  /// Chooses one of the formats that the camera offers; returns nil to reject all.
  public var chooseFormat: @Sendable ([CameraFormat]) -> CameraFormat? = {
    FormatFinder().best(of: $0)
  }
  /// The time after which a start is shown as `loading` (COLD-3).
  public var slowStart = Duration.milliseconds(100)
  /// The time without any activity after which the session pauses (PWR-1). Nil never pauses.
  public var inactivityTimeout: Duration? = .seconds(30)
  /// The time without a frame after which a stream is restarted; five frame intervals if those are longer. Webcams in
  /// the dark go down to a few frames a second, so a shorter time would restart a camera that is only slow.
  public var stallTimeout = Duration.milliseconds(500)
  /// The time from the start of a stream after which the stream is restarted if its first frame has not come.
  /// Until then, a start shows as `loading`. Some cameras need seconds to wake: if they are restarted
  /// earlier, they never deliver a frame (https://github.com/obsproject/obs-studio/pull/10335).
  ///
  /// The session remembers how long this camera has needed. If twice that time exceeds `firstFrameTimeout`, the camera gets twice
  /// that time, up to four times `firstFrameTimeout`. A stream that is restarted after a stall gets less time if the
  /// camera is known to be quick: twice the time that it has needed, at least `stallTimeout`, doubled with
  /// each start without a picture. A camera that never had a picture is given up after three starts.
  public var firstFrameTimeout = Duration.seconds(5)
  /// The control policy at a start and after a change of camera.
  public var controls = ControlPolicy()
  /// The policy that decides when the angle changes.
  public var rotation = RotationPolicy()
  /// The device angle to which the preview is locked, on every surface that has no lock
  /// itself (`FrameOutput.angleLock`); nil, the default, follows the device.
  public var surfaceLock: Rotation?
  /// Whether the preview is mirrored. Nil, the default, mirrors the preview of a camera that faces its user, as AVFoundation does
  /// (`AVCaptureConnection.automaticallyAdjustsVideoMirroring`). It never mirrors photos and analysis.
  public var isPreviewMirrored: Bool?

  /// Creates a configuration with the default values.
  public init() {}
}

/// The times at which the steps of the latest start were reached.
public struct StartTimeline: Hashable, Sendable {
  /// The time of the call of `start()` or `prewarm()`.
  public var requested: MonotonicTime?
  /// The time when the device was open, its format set and its buffers allocated.
  public var prepared: MonotonicTime?
  /// The time when the stream was started.
  public var started: MonotonicTime?
  /// The time when the first frame came from the driver.
  public var firstFrame: MonotonicTime?
}
