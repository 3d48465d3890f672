/// How the camera was set while one frame was exposed, as far as that is known: nil where nobody tells.
///
/// What the device itself says of a frame comes first. Where it says nothing, as no V4L2 driver does, the values are those that were
/// read from it last before the exposure began.
public struct FrameSettings: Hashable, Sendable, Codable {
  /// How long the sensor collected light, in seconds.
  public var exposureDuration: Double?
  /// Sensitivity, as ISO 12232 counts it.
  public var iso: Double?
  /// What the automatic exposure was asked to add, in EV.
  public var exposureBias: Double?
  /// Colour temperature that is shown as white, in kelvin.
  public var whiteBalanceTemperature: Double?
  /// 0 is the nearest focus that the lens has, 1 the farthest.
  public var lensPosition: Double?
  /// Of device and crop together; 1 shows everything.
  public var zoom: Double?
  /// How much of the zoom the outputs do by cropping about the centre; 1 is nothing. `zoom` is that of the device times this.
  public var digitalZoom: Double
  /// How much brighter the outputs make the picture, in EV, because the device has no bias of its own; 0 is nothing.
  public var digitalExposureBias: Double
  /// The camera was set as it is wished while this frame was exposed. False for frames of a time at which a change was under way, or
  /// after another camera was taken and before the wishes were applied to it. Where the device tells nothing of a frame this is an
  /// estimate that errs to false: a change is taken to need three frames.
  public var isSettled: Bool

  /// Nothing known, nothing done by the outputs, and settled.
  public init() { (digitalZoom, digitalExposureBias, isSettled) = (1, 0, true) }
}
