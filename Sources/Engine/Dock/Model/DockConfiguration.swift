/// How a dock is driven.
public struct DockConfiguration: Hashable, Sendable {
  /// How subjects are tracked.
  public var tracking = TrackingConfiguration()
  /// What is switched on when a dock is connected.
  public var features: Set<DockFeature> = []
  /// How much of the world the width of the stored picture shows, in radians, without zoom. V4L2 does not tell it; 60° is usual for webcams.
  public var fieldOfView = Double.pi / 3
  /// The motors are told to turn no faster, in radians a second.
  public var fastest = 2.0
  /// How much their speed changes in a second at most while a subject is followed, in radians a second.
  public var acceleration = 12.0
  /// From an order to the motion, in seconds. An error of some hundredths makes the motion less even, no more.
  public var delay = 0.03
  /// A motor that is told where to go is behind its order, by what it turns in so many seconds, because it brakes for the end of each. Orders
  /// lead by as much.
  public var lag = 0.02
  /// What the greatest value of a speed control means, in radians a second, where the device does not tell its unit. V4L2 leaves it to the
  /// driver. What is followed corrects a wrong value; speeds by hand are as wrong as it is.
  public var fullSpeed = 1.0
  /// A move by hand ends so many seconds after it was last ordered.
  public var deadMan = 0.25

  /// What suits a webcam with motors at 30 frames a second.
  public init() {}
}
