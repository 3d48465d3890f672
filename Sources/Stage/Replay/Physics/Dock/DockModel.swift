/// The motors of a simulated dock.
public struct DockModel: Hashable, Sendable {
  /// The way of controlling the motors.
  ///
  /// This enumeration is closed.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// By target position: `pan` and `tilt`.
    case absolute
    /// By speed: `pan-speed` and `tilt-speed`.
    case speed
  }

  /// The way of controlling the motors.
  public var kind = Kind.absolute
  /// Maximum speed, in radians per second.
  public var fastest = 2.5
  /// Maximum acceleration, in radians per second squared: it follows from the mass and the strength of the motors.
  public var acceleration = 20.0
  /// Delay from a command to the motion, in seconds.
  public var delay = 0.03
  /// Maximum pan to either side, in radians.
  public var farthestPan = 130 * Double.pi / 180
  /// Maximum tilt up or down, in radians.
  public var farthestTilt = 60 * Double.pi / 180
  /// Whether the motors' actual position is read back. Otherwise the last commanded position is read back, as with most webcams.
  public var tellsPlace = false
  /// Field of view across the picture's width without zoom, in radians.
  public var fieldOfView = Double.pi / 3
  /// Charge of the battery, 0 to 1. Nil without a battery.
  public var battery: Double? = 0.8
  /// Whether the battery is being charged.
  public var isCharging = false

  /// Creates a fast dock that is controlled by position.
  public init() {}
}

/// Two motors with mass, which turn commands into positions. They advance in steps of a millisecond, so that the result hardly depends on the times
/// of queries.
struct DockMechanics {
  private struct Axis {
    var place = 0.0
    var speed = 0.0
    /// A position or a speed, depending on the kind of the dock.
    var wanted = 0.0
    let limit: Double

    mutating func advance(_ seconds: Double, _ model: DockModel) {
      var aim = wanted
      if model.kind == .absolute {
        let missing = wanted - place
        let braking = (2 * model.acceleration * abs(missing)).squareRoot()
        aim = min(abs(missing) / max(seconds * 10, 1e-6), braking) * (missing < 0 ? -1 : 1)
      }
      aim = min(max(aim, -model.fastest), model.fastest)
      let change = model.acceleration * seconds
      speed += min(max(aim - speed, -change), change)
      place += speed * seconds
      if abs(place) > limit { (place, speed) = (min(max(place, -limit), limit), 0) }
    }
  }

  private static let step = Int64(1_000_000)
  private let model: DockModel
  private var pan: Axis
  private var tilt: Axis
  /// Time up to which the motors have advanced, in nanoseconds.
  private var time: Int64?
  private var orders: [(time: Int64, pan: Double?, tilt: Double?)] = []

  init(_ model: DockModel) {
    self.model = model
    pan = Axis(limit: model.farthestPan)
    tilt = Axis(limit: model.farthestTilt)
  }

  /// Positions of the two motors, in radians.
  var places: (pan: Double, tilt: Double) { (pan.place, tilt.place) }
  /// Speeds of the two motors, in radians per second.
  var speeds: (pan: Double, tilt: Double) { (pan.speed, tilt.speed) }

  /// - Parameter time: the current time, in nanoseconds.
  mutating func order(pan: Double?, tilt: Double?, at time: Int64) {
    orders.append((time + Int64(model.delay * 1e9), pan, tilt))
  }

  mutating func advance(to moment: Int64) {
    var now = time ?? moment
    while now < moment {
      while let order = orders.first, order.time <= now {
        orders.removeFirst()
        if let wanted = order.pan { pan.wanted = wanted }
        if let wanted = order.tilt { tilt.wanted = wanted }
      }
      let step = min(Self.step, moment - now)
      pan.advance(Double(step) / 1e9, model)
      tilt.advance(Double(step) / 1e9, model)
      now += step
    }
    time = max(now, time ?? now)
  }
}
