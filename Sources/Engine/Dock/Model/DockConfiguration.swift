/// The configuration of a dock.
public struct DockConfiguration: Hashable, Sendable {
  /// The configuration of the tracker.
  public var tracking = TrackingConfiguration()
  /// The features that are on when a dock is connected.
  public var features: Set<DockFeature> = []
  /// The horizontal field of view of the stored picture, in radians, without zoom. V4L2 does not report it; 60° is usual for webcams.
  public var fieldOfView = Double.pi / 3
  /// The largest speed of the motors, in radians a second.
  public var fastest = 2.0
  /// The largest acceleration while a subject is followed, in radians a second per second.
  public var acceleration = 12.0
  /// The delay from an order to the motion, in seconds. An error of some hundredths only makes the motion less even.
  public var delay = 0.03
  /// The lag of an absolute motor, in seconds. Such a motor brakes at the end of each order, so its position
  /// is late by this time. Orders therefore aim at the position that is wanted this much later.
  public var lag = 0.02
  /// The speed at the greatest value of a speed control, in radians a second, if the device does not
  /// report its unit. V4L2 leaves the unit to the driver. While a subject is followed, the motion is
  /// corrected even if this value is wrong; manual moves have the same error as this value.
  public var fullSpeed = 1.0
  /// The time in seconds after which a manual move ends unless it is renewed.
  public var deadMan = 0.25

  /// Creates a configuration for a webcam with motors at 30 frames a second.
  public init() {}
}
