public import Imagery
public import System

/// How a session behaves; what it captures is its source, where it goes are its outputs.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.inactivityTimeout = nil
/// configuration.chooseFormat = { FormatFinder(size: PixelSize(width: 1920, height: 1080)).best(of: $0) }
/// let session = CaptureSession(source: V4L2Source(path: "/dev/video0"), configuration: configuration)
/// ```
public struct SessionConfiguration: Sendable {
  /// Chooses among what the camera offers; nil when nothing will do.
  public var chooseFormat: @Sendable ([CameraFormat]) -> CameraFormat? = {
    FormatFinder().best(of: $0)
  }
  /// A start longer than this shows as `loading` (COLD-3).
  public var slowStart = Duration.milliseconds(100)
  /// Nobody did anything for this long: pause (PWR-1). Nil never pauses.
  public var inactivityTimeout: Duration? = .seconds(30)
  /// A stream without a frame for this long, and for five frame intervals, is restarted. Webcams in the dark go down to
  /// a few frames a second, so a shorter time would restart a camera that is only slow.
  public var stallTimeout = Duration.milliseconds(500)
  /// A stream whose first frame has not come by then is restarted; until then a start shows as `loading`. Some cameras need
  /// seconds to wake, and restarting those earlier goes on for ever (https://github.com/obsproject/obs-studio/pull/10335). What this one needed before is remembered: it is given twice that where that is longer, at most four
  /// times this. A stream that was restarted because it stalled is given less where the camera is known to be quick: also
  /// twice what it needed, but at least `stallTimeout`, and twice as much with every start in vain. A camera that never had a
  /// picture is given up after three starts.
  public var firstFrameTimeout = Duration.seconds(5)
  /// How the camera is operated at a start and after a change of camera.
  public var controls = ControlPolicy()
  /// When the angle changes.
  public var rotation = RotationPolicy()
  /// Locks the preview of every surface without a lock of its own (`FrameOutput.angleLock`) to one device angle; nil, the default,
  /// follows the device.
  public var surfaceLock: Rotation?
  /// Whether the preview is shown as in a mirror. Nil, the default, mirrors it of a camera that faces its user, as AVFoundation does
  /// (`AVCaptureConnection.automaticallyAdjustsVideoMirroring`). Photos and analysis are never mirrored by it.
  public var isPreviewMirrored: Bool?

  /// The defaults that each property names.
  public init() {}
}

/// When the steps of the latest start were reached: cold start by stages.
public struct StartTimeline: Hashable, Sendable {
  /// `start()` or `prewarm()` was called.
  public var requested: MonotonicTime?
  /// The device is open, its format set, its buffers allocated.
  public var prepared: MonotonicTime?
  /// The stream was started.
  public var started: MonotonicTime?
  /// The first frame came from the driver.
  public var firstFrame: MonotonicTime?
}
