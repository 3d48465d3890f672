/// A manual move: it lasts as long as it is renewed.
struct DeadManSwitch: Hashable, Sendable {
  /// The speed in radians a second.
  var speed: DockAngles
  /// The client that holds the move.
  var client: Int
  /// The time at which the move ends, in seconds.
  var ends: Double
}
