/// The logic of a dock, as a value: its inputs are commands, subjects and time, its outputs are orders to the motors. Times are seconds of one clock.
struct DockPilot: Sendable {
  let configuration: DockConfiguration
  var state = DockState()
  var motors: DockMotors?
  var reckoning: MotorReckoning
  var estimate: SubjectEstimate?
  var hand: DeadManSwitch?
  var journey: DockJourney?
  /// The saved positions, keyed by their names in UTF-8: names with equal characters may differ in their bytes.
  var presets: [[UInt8]: DockAngles] = [:]
  /// The requests to the tracker for the next frame.
  var requests: [SubjectTracker.Request] = []
  /// The last ordered speed, in radians a second.
  var speed = DockAngles.zero
  var lastTick: Double?
  /// The time of the last order to turn, or to stop.
  var lastOrder = -Double.infinity
  /// The last position that the camera reported.
  private var told: DockAngles?
  var lastFrame: Double?
  /// The time between the newest two frames, in seconds, at most 1.
  var frameInterval = 1.0 / 30
  /// The optics of the newest frame.
  var optics: DockOptics?
  /// The time when the followed subject was last seen.
  var lastSeen: Double?
  /// The time at which motors that were ordered to stop must stand still, so that their position can be read; nil if that was done.
  var standsAt: Double?
  /// Whether motion must end with the next order, without braking.
  var mustStop = false

  init(_ configuration: DockConfiguration) {
    self.configuration = configuration
    reckoning = MotorReckoning(delay: configuration.delay)
  }

  /// Whether subjects are tracked and followed.
  var isTracking: Bool {
    motors != nil && state.features.contains(.tracking) && state.mode != .manual && state.animation == nil
  }

  var needsFrames: Bool { isTracking || hand != nil || journey != nil || mustStop || speed != .zero }

  /// Notes that a camera with motors is connected, or that it reports a change.
  /// - Parameters:
  ///   - place: the position that it reports.
  ///   - time: the present time.
  mutating func connect(_ motors: DockMotors, name: String, place: DockAngles, at time: Double) {
    defer { told = place }
    if self.motors != nil {
      self.motors = motors
      if place != told { heed(place, at: time) }
      return
    }
    self.motors = motors
    reckoning = MotorReckoning(delay: configuration.delay, place: motors.bounded(place))
    state = DockState()
    state.status = .connected
    state.name = name
    state.unsupported = nil
    state.features = configuration.features
    state.battery = .unsupported("the camera reports no battery")
    state.position = motors.tellsPosition ? reckoning.place(at: 0) : nil
    state.presets = presetNames
    state.summary = state.features.contains(.summary) ? DockSummary() : nil
  }

  /// Adopts a position that the camera reports while it stands still: another program may have turned it. Reports during its own motion, or soon
  /// after, are late and are ignored.
  mutating func heed(_ place: DockAngles, at time: Double) {
    guard let motors, motors.tellsPosition, speed == .zero, hand == nil, journey == nil,
      time - lastOrder > configuration.delay + configuration.lag + Self.settling
    else { return }
    reckoning.correct(to: motors.bounded(place), at: time)
    state.position = motors.bounded(place)
    // Drop the estimate: the subject's direction was computed from the camera's former position.
    estimate = nil
  }

  /// The longest time in seconds from the end of a motion until the camera reports its new position.
  private static let settling = 1.0

  /// Whether motors that were ordered to stop have come to rest by now. True once after each motion.
  mutating func stands(at time: Double) -> Bool {
    guard let standsAt, time >= standsAt, speed == .zero else { return false }
    self.standsAt = nil
    return motors?.tellsPosition ?? false
  }

  /// Notes that the motors were ordered to stop now.
  mutating func noteStop(at time: Double) {
    standsAt = time + configuration.delay + configuration.lag + Self.settling + 0.01
  }

  /// Handles a refused order: takes the position that the camera reports as that of the motors, and cancels all movements.
  mutating func refused(_ reason: String, place: DockAngles, at time: Double) {
    guard let motors else { return }
    halt()
    mustStop = false
    speed = .zero
    state.motion = .zero
    standsAt = nil
    state.refusal = reason
    guard motors.tellsPosition else { return }
    reckoning.correct(to: motors.bounded(place), at: time)
    state.position = motors.bounded(place)
  }

  /// Notes that the camera is gone, or has no motors. Everything is reset except the saved positions.
  mutating func disconnect(_ reason: String) {
    guard motors != nil || state.unsupported != reason else { return }
    let fresh = DockPilot(configuration)
    let kept = presets
    self = fresh
    presets = kept
    requests = [.forget]
    state.unsupported = reason
    state.battery = .unsupported("no dock is connected")
  }

  /// Notes that a client is gone: a move that it holds ends.
  mutating func lost(client: Int) {
    if hand?.client == client { halt() }
  }

  /// Ends all motion with the next order.
  mutating func halt() {
    hand = nil
    journey = nil
    estimate = nil
    lastSeen = nil
    state.animation = nil
    mustStop = true
  }
}
