/// The policy for operating a camera at a start and after a change of camera.
public struct ControlPolicy: Hashable, Sendable {
  /// The exposure mode to set if nobody requested an exposure, for example `auto`, as in AVFoundation. Nil, the
  /// default, keeps the mode that another program has left, and restores it if the driver drops it as the stream
  /// begins. The mode is set when the camera is first operated or watched, or `verification` after a start.
  public var initialExposureMode: String?
  /// The time after a start at which the device's values are compared with the wishes. Some drivers reset the
  /// device when the stream begins, and still report the value that was set
  /// (https://github.com/patjak/facetimehd/pull/329).
  public var verification = Duration.milliseconds(200)
  /// The time to wait after the last change of camera before the wishes are set again. Frames until then are not settled.
  public var debounce = Duration.milliseconds(200)
  /// The time between two readings of a value that the device changes by itself; each change is seen within this time.
  public var polling = Duration.milliseconds(400)
  /// Whether a log or high-dynamic-range format is requested; see ``DynamicRangeChoice``.
  public var isLogWished = false

  /// Creates a policy with the default values.
  public init() {}
}
