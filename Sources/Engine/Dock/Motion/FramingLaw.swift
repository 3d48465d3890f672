import Glibc

/// How fast the motors must turn to keep a direction: as fast as the subject moves, and faster by what is missing, as much as can still be
/// braked. One rule for both axes.
struct FramingLaw: Hashable, Sendable {
  /// In radians a second.
  var fastest: Double
  /// In radians a second, each second.
  var acceleration: Double

  /// So much of what is missing is made up for in a second.
  private static let gain = 9.0
  /// Of the acceleration so much is counted on for braking.
  private static let braking = 0.7
  /// What is nearer stays, in radians: noise of the tracker must not shake the camera.
  private static let tolerance = 0.003
  /// A slower subject stands, in radians a second.
  private static let slowest = 0.02

  /// - Parameters:
  ///   - missing: from where the motors will be to where they ought to be, in radians.
  ///   - subject: how fast that moves.
  ///   - former: what was ordered last.
  ///   - interval: until the next order, in seconds.
  func speed(missing: DockAngles, subject: DockAngles, former: DockAngles, interval: Double) -> DockAngles {
    DockAngles(
      pan: speed(missing.pan, subject.pan, former: former.pan, interval: interval),
      tilt: speed(missing.tilt, subject.tilt, former: former.tilt, interval: interval))
  }

  private func speed(_ missing: Double, _ subject: Double, former: Double, interval: Double) -> Double {
    let follows = abs(subject) < Self.slowest ? 0 : subject
    let distance = abs(missing) < Self.tolerance ? 0 : abs(missing)
    // With few frames a second no order may lead past the place before the next one comes.
    let most = min(
      Self.gain * distance, (2 * Self.braking * acceleration * distance).squareRoot(), distance / interval)
    let wanted = min(max(follows + (missing < 0 ? -most : most), -fastest), fastest)
    let change = acceleration * interval
    return former + min(max(wanted - former, -change), change)
  }
}
