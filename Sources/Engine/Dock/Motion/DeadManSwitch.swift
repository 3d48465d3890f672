/// A move by hand: it lasts as long as it is renewed.
struct DeadManSwitch: Hashable, Sendable {
  /// In radians a second.
  var speed: DockAngles
  /// Who holds it.
  var client: Int
  /// It ends then, in seconds.
  var ends: Double
}
