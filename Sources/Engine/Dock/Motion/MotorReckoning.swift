/// The position of the motors, computed from their orders, because a device reports its position late, or never.
struct MotorReckoning: Hashable, Sendable {
  /// A period in which the motors follow one order.
  private struct Stretch: Hashable {
    /// The beginning of the period, in seconds.
    var time: Double
    /// The position of the motors at the beginning of the period.
    var place: DockAngles
    var speed: DockAngles
    /// The time at which the motors reach their destination and stand still; `greatestFiniteMagnitude` if they turn until the next order.
    var ends = Double.greatestFiniteMagnitude
  }

  /// The delay from an order to the motion, in seconds.
  let delay: Double
  private var stretches: [Stretch]

  /// - Parameter place: the position of the motors, in radians.
  init(delay: Double, place: DockAngles = .zero) {
    self.delay = delay
    stretches = [Stretch(time: -.greatestFiniteMagnitude, place: place, speed: .zero)]
  }

  /// Notes an order.
  /// - Parameter ends: the time at which the motors reach their destination; nil if they turn until the next order.
  mutating func order(_ speed: DockAngles, at time: Double, ends: Double? = nil) {
    let begins = time + delay
    stretches.append(
      Stretch(
        time: begins, place: place(at: begins), speed: speed, ends: ends ?? .greatestFiniteMagnitude))
    if stretches.count > 256 { stretches.removeFirst(128) }
  }

  /// Notes that another program has turned the motors.
  /// - Parameter place: their present position, in radians.
  mutating func correct(to place: DockAngles, at time: Double) {
    stretches.removeAll { $0.time > time }
    stretches.append(Stretch(time: time, place: place, speed: .zero))
  }

  /// The position of the motors at a time, in radians.
  func place(at time: Double) -> DockAngles {
    let stretch = stretches.last { $0.time <= time } ?? stretches[0]
    guard stretch.speed != .zero else { return stretch.place }
    return stretch.place + stretch.speed * (min(time, stretch.ends) - stretch.time)
  }
}
