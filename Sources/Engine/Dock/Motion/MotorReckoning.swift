/// Where the motors are, reckoned from what they were told: what a device answers is late or never changes.
struct MotorReckoning: Hashable, Sendable {
  private struct Stretch: Hashable {
    /// From when it holds, in seconds.
    var time: Double
    /// Where the motors were then.
    var place: DockAngles
    var speed: DockAngles
    /// When the motors are where they were sent, and stand; never, where they were only told how fast to turn.
    var ends = Double.greatestFiniteMagnitude
  }

  /// From an order to the motion, in seconds.
  let delay: Double
  private var stretches: [Stretch]

  /// - Parameter place: where the motors stand, in radians.
  init(delay: Double, place: DockAngles = .zero) {
    self.delay = delay
    stretches = [Stretch(time: -.greatestFiniteMagnitude, place: place, speed: .zero)]
  }

  /// An order was given.
  /// - Parameter ends: when the motors have come where they were sent; nil where they turn until the next order.
  mutating func order(_ speed: DockAngles, at time: Double, ends: Double? = nil) {
    let begins = time + delay
    stretches.append(
      Stretch(
        time: begins, place: place(at: begins), speed: speed, ends: ends ?? .greatestFiniteMagnitude))
    if stretches.count > 256 { stretches.removeFirst(128) }
  }

  /// Somebody else has turned them.
  /// - Parameter place: where they stand now, in radians.
  mutating func correct(to place: DockAngles, at time: Double) {
    stretches.removeAll { $0.time > time }
    stretches.append(Stretch(time: time, place: place, speed: .zero))
  }

  /// Where the motors are at a time, in radians.
  func place(at time: Double) -> DockAngles {
    let stretch = stretches.last { $0.time <= time } ?? stretches[0]
    guard stretch.speed != .zero else { return stretch.place }
    return stretch.place + stretch.speed * (min(time, stretch.ends) - stretch.time)
  }
}
