import Capture

extension DockPilot {
  /// The time in seconds for which a followed subject is expected to continue its motion while it is hidden or no frame comes; longer if
  /// the frame rate is low.
  private var coasting: Double { max(0.25, 2.5 * frameInterval) }
  /// The time in seconds after which, in system mode, an unseen subject is replaced by another.
  private static let systemPatience = 1.0

  // MARK: Subjects

  /// The parameters for analysing a frame.
  /// - Parameter time: the time of the frame's exposure.
  mutating func look(at time: Double, _ optics: DockOptics) -> SubjectTracker.Look {
    let turned = lastFrame.map { reckoning.place(at: time) - reckoning.place(at: $0) } ?? .zero
    // A longer gap is no frame interval: no frames are taken while nothing is followed or moved.
    if let gap = lastFrame.map({ time - $0 }), gap <= 1 { frameInterval = max(gap, 1.0 / 240) }
    lastFrame = time
    self.optics = optics
    return SubjectTracker.Look(
      time: time, shift: optics.shift(of: turned), region: state.regionOfInterest ?? .whole, proposes: true,
      selected: state.selected)
  }

  /// Notes the subjects that the tracker found in a frame.
  /// - Parameter time: the time of the frame's exposure.
  mutating func see(_ subjects: [DockSubject], chosen: Int?, at time: Double, _ optics: DockOptics) {
    guard isTracking else { return }
    state.subjects = subjects
    if let chosen, state.mode == .custom { (state.selected, estimate) = (chosen, nil) }
    if state.mode == .system { followMostSalient(time) }
    let followed = subjects.first { $0.id == state.selected }
    count(followed)
    if let followed, followed.confidence > 0 {
      let direction = reckoning.place(at: time) + optics.angles(of: followed.rect.center)
      if estimate == nil { estimate = SubjectEstimate(direction, at: time) }
      estimate?.measure(direction, at: time)
      lastSeen = time
    }
    updateStatus()
  }

  /// Follows the subject of rank 1; it stays selected until it is lost for a while.
  private mutating func followMostSalient(_ time: Double) {
    let isThere = state.subjects.contains { $0.id == state.selected }
    if isThere, let lastSeen, time - lastSeen < Self.systemPatience { return }
    let next = state.subjects.first { $0.confidence > 0 }?.id
    if next != state.selected { (state.selected, estimate) = (next, nil) }
    if next != nil { lastSeen = time }
  }

  private mutating func count(_ followed: DockSubject?) {
    guard state.summary != nil, state.selected != nil else { return }
    if let followed, followed.confidence > 0 {
      state.summary?.seen += 1
    } else {
      if state.status == .tracking { state.summary?.losses += 1 }
      state.summary?.missed += 1
    }
  }

  // MARK: Motors

  /// The order for the motors now; nil if there is nothing new.
  /// - Parameter time: the present time.
  mutating func tick(at time: Double) -> [(
    control: CameraControl, value: CameraControlValue
  )]? {
    guard let motors else { return nil }
    var interval = min(max(lastTick.map { time - $0 } ?? 1.0 / 30, 1.0 / 240), 0.1)
    if hand == nil, journey == nil, isTracking { interval = max(interval, frameInterval) }
    lastTick = time
    let former = speed
    let wanted = bounded(wantedSpeed(at: time, interval), at: time, interval)
    defer { (mustStop, state.motion) = (false, speed) }
    speed = wanted
    let isNew = wanted != former || mustStop || (wanted != .zero && motors.kind == .absolute)
    let arrives = time + configuration.delay + (wanted == .zero ? 0 : interval)
    if motors.kind == .absolute, wanted != .zero {
      reckoning.order(wanted, at: time, ends: arrives + configuration.lag)
    } else if wanted != former {
      reckoning.order(wanted, at: time)
    }
    if motors.tellsPosition { state.position = motors.bounded(reckoning.place(at: time)) }
    guard isNew else { return nil }
    lastOrder = time
    if wanted == .zero { noteStop(at: time) } else { standsAt = nil }
    // An absolute motor is given the position that it should have when the next order comes.
    let place = reckoning.place(at: arrives) + wanted * configuration.lag
    return motors.settings(speed: wanted, place: motors.bounded(place))
  }

  private mutating func wantedSpeed(at time: Double, _ interval: Double) -> DockAngles {
    if mustStop, hand == nil { return .zero }
    if let held = hand {
      guard time < held.ends else {
        halt()
        return .zero
      }
      return held.speed
    }
    if journey != nil { return travel(at: time, interval) }
    guard let optics, isTracking, let estimate, let lastSeen, time - lastSeen < coasting else {
      return .zero
    }
    let framing = optics.angles(of: DockPoint(x: state.framing.place, y: 0.5))
    let moment = time + configuration.delay
    let missing = estimate.direction(at: moment) - framing - reckoning.place(at: moment)
    return law.speed(missing: missing, subject: estimate.speed, former: speed, interval: interval)
  }

  /// The time at which motors that follow a subject must stop unless a frame comes; nil if they follow none.
  var restsAt: Double? {
    guard speed != .zero, hand == nil, journey == nil else { return nil }
    return lastSeen.map { $0 + coasting }
  }

  private var law: FramingLaw {
    FramingLaw(fastest: configuration.fastest, acceleration: configuration.acceleration)
  }

  private mutating func travel(at time: Double, _ interval: Double) -> DockAngles {
    guard var way = journey, time < way.ends else {
      halt()
      return .zero
    }
    let place = reckoning.place(at: time + configuration.delay)
    while let next = way.places.first, isNear(next, place), isLastOrStands(way) { way.places.removeFirst() }
    guard let next = way.places.first else {
      halt()
      return .zero
    }
    journey = way
    return law.speed(missing: next - place, subject: .zero, former: speed, interval: interval)
  }

  func isNear(_ left: DockAngles, _ right: DockAngles) -> Bool {
    abs(left.pan - right.pan) < 0.01 && abs(left.tilt - right.tilt) < 0.01
  }

  /// Whether the journey may go on to its next place. The last place counts as reached only when the motors stand still.
  private func isLastOrStands(_ way: DockJourney) -> Bool {
    way.places.count > 1 || (abs(speed.pan) < 0.1 && abs(speed.tilt) < 0.1)
  }

  /// The speed limited so that it does not lead out of the range of the motors.
  private func bounded(_ speed: DockAngles, at time: Double, _ interval: Double) -> DockAngles {
    guard let motors else { return .zero }
    let place = reckoning.place(at: time + configuration.delay)
    func axis(_ speed: Double, _ place: Double, range: ClosedRange<Double>) -> Double {
      min(max(speed, (range.lowerBound - place) / interval), (range.upperBound - place) / interval)
    }
    return DockAngles(
      pan: axis(speed.pan, place.pan, range: motors.pan),
      tilt: axis(speed.tilt, place.tilt, range: motors.tilt))
  }
}
