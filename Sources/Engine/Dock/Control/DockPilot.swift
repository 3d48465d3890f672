import Capture

/// What a dock does, as a value: commands, subjects and time go in, and orders to the motors come out. Times are seconds of one clock.
struct DockPilot: Sendable {
  let configuration: DockConfiguration
  var state = DockState()
  var motors: DockMotors?
  var reckoning: MotorReckoning
  var estimate: SubjectEstimate?
  var hand: DeadManSwitch?
  var journey: DockJourney?
  /// By their names in UTF-8: names of the same letters may be of other bytes.
  var presets: [[UInt8]: DockAngles] = [:]
  /// What the tracker is asked with the next frame.
  var requests: [SubjectTracker.Request] = []
  /// What was ordered last, in radians a second.
  var speed = DockAngles.zero
  var lastTick: Double?
  /// When the motors were last told to turn, or to end it.
  var lastOrder = -Double.infinity
  /// Where the camera said that it stands, when it last said so.
  private var told: DockAngles?
  var lastFrame: Double?
  /// From frame to frame, in seconds, at most one; of the newest two.
  var frameInterval = 1.0 / 30
  /// Of the newest frame.
  var optics: DockOptics?
  /// When the followed subject was seen last.
  var lastSeen: Double?
  /// When the motors, which were told to stand, must do so, and may be asked where; nil where they have been.
  var standsAt: Double?
  /// Motion must end with the next order, without braking.
  var mustStop = false

  init(_ configuration: DockConfiguration) {
    self.configuration = configuration
    reckoning = MotorReckoning(delay: configuration.delay)
  }

  /// Subjects are looked for and followed.
  var isTracking: Bool {
    motors != nil && state.features.contains(.tracking) && state.mode != .manual && state.animation == nil
  }

  /// A frame is of use.
  var needsFrames: Bool { isTracking || hand != nil || journey != nil || mustStop || speed != .zero }

  /// A camera with motors is there, or says something new.
  /// - Parameters:
  ///   - place: where it says that it stands.
  ///   - time: now.
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
    state.battery = .unsupported("the camera tells of no battery")
    state.position = motors.tellsPosition ? reckoning.place(at: 0) : nil
    state.presets = presetNames
    state.summary = state.features.contains(.summary) ? DockSummary() : nil
  }

  /// Another program may turn the camera while it stands. What is said of a motion of its own, or soon after one, is late, and no news.
  mutating func heed(_ place: DockAngles, at time: Double) {
    guard let motors, motors.tellsPosition, speed == .zero, hand == nil, journey == nil,
      time - lastOrder > configuration.delay + configuration.lag + Self.settling
    else { return }
    reckoning.correct(to: motors.bounded(place), at: time)
    state.position = motors.bounded(place)
    // Where it was seen is reckoned from where the camera stood.
    estimate = nil
  }

  /// How much later than it stands a camera may say so, in seconds.
  private static let settling = 1.0

  /// Whether the motors, which were told to, stand by now: once after each motion.
  mutating func stands(at time: Double) -> Bool {
    guard let standsAt, time >= standsAt, speed == .zero else { return false }
    self.standsAt = nil
    return motors?.tellsPosition ?? false
  }

  /// They were told to stand now.
  mutating func noteStop(at time: Double) {
    standsAt = time + configuration.delay + configuration.lag + Self.settling + 0.01
  }

  /// The camera has refused an order: its motors stand where it says, and all that was to move them is over.
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

  /// The camera is gone, or has no motors. All that was chosen is as at the beginning, but for the positions that were saved.
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

  /// A client is gone: what it held down ends.
  mutating func lost(client: Int) {
    if hand?.client == client { halt() }
  }

  /// All motion ends with the next order.
  mutating func halt() {
    hand = nil
    journey = nil
    estimate = nil
    lastSeen = nil
    state.animation = nil
    mustStop = true
  }
}
