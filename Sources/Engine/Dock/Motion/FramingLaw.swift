/// Computes the speed at which the motors keep pointing at a subject: the subject's own speed, plus a share of the
/// missing angle, limited so that the motors can still brake. The same rule applies to both axes.
struct FramingLaw: Hashable, Sendable {
  /// The largest speed in radians a second.
  var fastest: Double
  /// The largest acceleration in radians a second per second.
  var acceleration: Double

  /// The speed that a missing angle causes, as a multiple of the angle per second.
  private static let gain = 9.0
  /// The share of the acceleration that is assumed for braking.
  private static let braking = 0.7
  /// The missing angle below which nothing moves, in radians, because noise of the tracker must not shake the camera.
  private static let tolerance = 0.003
  /// Below this speed a subject counts as standing still, in radians per second.
  private static let slowest = 0.02

  /// - Parameters:
  ///   - missing: the angle from the motors' future position to the wanted one, in radians.
  ///   - subject: the speed of the wanted position.
  ///   - former: the last ordered speed.
  ///   - interval: the time until the next order, in seconds.
  func speed(missing: DockAngles, subject: DockAngles, former: DockAngles, interval: Double) -> DockAngles {
    DockAngles(
      pan: speed(missing.pan, subject.pan, former: former.pan, interval: interval),
      tilt: speed(missing.tilt, subject.tilt, former: former.tilt, interval: interval))
  }

  private func speed(_ missing: Double, _ subject: Double, former: Double, interval: Double) -> Double {
    let follows = abs(subject) < Self.slowest ? 0 : subject
    let distance = abs(missing) < Self.tolerance ? 0 : abs(missing)
    // At a low frame rate, an order must not move the subject beyond its place before the next order comes.
    let most = min(
      Self.gain * distance, (2 * Self.braking * acceleration * distance).squareRoot(), distance / interval)
    let wanted = min(max(follows + (missing < 0 ? -most : most), -fastest), fastest)
    let change = acceleration * interval
    return former + min(max(wanted - former, -change), change)
  }
}
