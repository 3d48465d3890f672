/// The direction of a subject and its speed: an alpha-beta filter (Kalata, "The Tracking Index", 1984) of the measurements.
struct SubjectEstimate: Hashable, Sendable {
  private(set) var time: Double
  /// The direction of motors that point at the subject, in radians.
  private(set) var direction: DockAngles
  /// The speed in radians a second.
  private(set) var speed = DockAngles.zero

  private static let trustInPlace = 0.7
  private static let trustInSpeed = 0.35
  /// The largest plausible speed; a faster one is an error of the tracker.
  private static let fastest = 3.0

  init(_ direction: DockAngles, at time: Double) { (self.direction, self.time) = (direction, time) }

  mutating func measure(_ measured: DockAngles, at moment: Double) {
    let step = moment - time
    guard step > 1e-4 else { return }
    // After a pause the old speed has no meaning.
    guard step < 0.5 else {
      self = SubjectEstimate(measured, at: moment)
      return
    }
    let expected = direction + speed * step
    let surprise = measured - expected
    direction = expected + surprise * Self.trustInPlace
    speed = speed + surprise * (Self.trustInSpeed / step)
    speed = DockAngles(pan: Self.bounded(speed.pan), tilt: Self.bounded(speed.tilt))
    time = moment
  }

  private static func bounded(_ speed: Double) -> Double { min(max(speed, -fastest), fastest) }

  func direction(at moment: Double) -> DockAngles { direction + speed * (moment - time) }
}
