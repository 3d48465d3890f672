/// The camera's settings while one frame was exposed; nil if a setting is unknown.
///
/// If the device reports settings for each frame, these are its values. If it reports none, as with every V4L2
/// driver, they are the values that were last read from the device before the exposure began.
public struct FrameSettings: Hashable, Sendable, Codable {
  /// The exposure time, in seconds.
  public var exposureDuration: Double?
  /// The sensitivity by ISO 12232.
  public var iso: Double?
  /// The requested exposure bias of automatic exposure, in EV.
  public var exposureBias: Double?
  /// The colour temperature that is shown as white, in kelvin.
  public var whiteBalanceTemperature: Double?
  /// The focus position: 0 is the nearest focus of the lens, 1 the farthest.
  public var lensPosition: Double?
  /// The zoom of device and crop together; 1 shows the whole picture.
  public var zoom: Double?
  /// The part of the zoom that the outputs do by cropping about the centre; 1 is none. `zoom` is the device's zoom times this.
  public var digitalZoom: Double
  /// The exposure bias in EV that the outputs add, because the device has no bias of its own; 0 is none.
  public var digitalExposureBias: Double
  /// Whether the camera had the requested settings while this frame was exposed. False for frames exposed during a change, or
  /// between a change of camera and the application of the wishes. If the device reports nothing for a frame, this is a conservative
  /// estimate: a change is assumed to need three frames.
  public var isSettled: Bool

  /// Creates settings with unknown values, no work for the outputs, and settled.
  public init() { (digitalZoom, digitalExposureBias, isSettled) = (1, 0, true) }
}
