import Glibc

/// The motors of a simulated dock.
public struct DockModel: Hashable, Sendable {
  /// How it is told to turn.
  ///
  /// This enumeration is closed.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Where to: `pan` and `tilt`.
    case absolute
    /// How fast: `pan-speed` and `tilt-speed`.
    case speed
  }

  /// How it is told to turn.
  public var kind = Kind.absolute
  /// It turns no faster, in radians a second.
  public var fastest = 2.5
  /// How much its speed can change in a second, in radians a second: its mass, and the strength of its motors.
  public var acceleration = 20.0
  /// From a command to the motion, in seconds.
  public var delay = 0.03
  /// It turns no farther to either side, in radians.
  public var farthestPan = 130 * Double.pi / 180
  /// It turns no farther up or down, in radians.
  public var farthestTilt = 60 * Double.pi / 180
  /// What is read back is where it is; otherwise where it was told to go, as most webcams answer.
  public var tellsPlace = false
  /// What the width of the picture shows without zoom, in radians.
  public var fieldOfView = Double.pi / 3
  /// How full its battery is, 0 to 1, and whether it is being charged; nil for none.
  public var battery: Double? = 0.8
  /// The battery is being charged.
  public var isCharging = false

  /// A quick one that is told where to go.
  public init() {}
}

/// Two motors with mass: commands go in, and places come out. Steps of a millisecond, so that it is the same whoever asks when.
struct DockMechanics {
  private struct Axis {
    var place = 0.0
    var speed = 0.0
    /// A place or a speed, by the kind of the dock.
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
  /// In nanoseconds.
  private var time: Int64?
  private var orders: [(time: Int64, pan: Double?, tilt: Double?)] = []

  init(_ model: DockModel) {
    self.model = model
    pan = Axis(limit: model.farthestPan)
    tilt = Axis(limit: model.farthestTilt)
  }

  /// In radians, and in radians a second.
  var places: (pan: Double, tilt: Double) { (pan.place, tilt.place) }
  var speeds: (pan: Double, tilt: Double) { (pan.speed, tilt.speed) }

  /// - Parameter time: now, in nanoseconds.
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
