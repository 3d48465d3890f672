/// How a session operates its camera at a start and after a change of camera.
public struct ControlPolicy: Hashable, Sendable {
  /// The exposure mode that a camera is put to when nobody wished anything of its exposure: `auto` as in AVFoundation, for example. Nil, as
  /// by default, leaves it as another program has left it, also where the driver drops that as the stream begins. It is done when the
  /// camera is first operated or looked at, or `verification` after a start.
  public var initialExposureMode: String?
  /// So long after a start the device is asked whether it is still set as it is wished: some drivers reset themselves when the stream
  /// begins, and go on telling the value that was set (https://github.com/patjak/facetimehd/pull/329).
  public var verification = Duration.milliseconds(200)
  /// After a change of camera the wishes are set again when there was no other change for so long. Frames until then are not settled.
  public var debounce = Duration.milliseconds(200)
  /// Between two readings of a value that the device changes by itself; each change is seen within this time.
  public var polling = Duration.milliseconds(400)
  /// A log or high-dynamic-range format is wished; see ``DynamicRangeChoice``.
  public var isLogWished = false

  /// The defaults that each property names.
  public init() {}
}
