extension DockPilot {
  /// The largest number of saved positions.
  private static let mostPresets = 16

  /// Executes a command, or refuses it without an effect.
  /// - Parameter time: the present time.
  mutating func take(_ command: DockCommand, client: Int, at time: Double) -> DockAnswer {
    guard motors != nil else {
      return .refused("no dock is connected: \(state.unsupported ?? "the camera has no motors")")
    }
    switch command {
    case .move(let speed): return move(speed, client, time: time)
    case .stop:
      halt()
      return .accepted()
    case .mode(let mode): return choose(mode)
    case .framing(let framing): return choose(framing)
    case .regionOfInterest(let rect): return limit(to: rect)
    case .selectPoint(let point): return select(point)
    case .select(let id): return select(id)
    case .clearSelection:
      clearSelection()
      return .accepted()
    case .animate(let name): return animate(name, time)
    case .preset(let name, let saves): return saves ? save(name, time) : go(to: name, time)
    case .feature(let feature, let isOn):
      turn(feature, isOn)
      return .accepted()
    case .zoom, .zoomBy: return .refused("a dock does not zoom; zoom with the camera")
    }
  }

  private mutating func move(_ speed: DockAngles, _ client: Int, time: Double) -> DockAnswer {
    guard speed.isFinite else { return .refused("cannot move: the speeds must be finite numbers") }
    guard state.mode == .manual else {
      return .refused("cannot move by hand in the mode \(state.mode.rawValue); choose the mode manual first")
    }
    guard journey == nil else {
      return .refused("cannot move by hand while a movement is played; stop it first")
    }
    let most = configuration.fastest
    let bounded = DockAngles(pan: min(max(speed.pan, -most), most), tilt: min(max(speed.tilt, -most), most))
    if bounded == .zero {
      halt()
    } else {
      hand = DeadManSwitch(speed: bounded, client: client, ends: time + configuration.deadMan)
    }
    return .accepted(note: bounded == speed ? nil : "the speed was limited to \(most) rad/s")
  }

  private mutating func choose(_ mode: DockMode) -> DockAnswer {
    guard mode != state.mode else { return .accepted() }
    halt()
    state.mode = mode
    clearSelection()
    if mode == .manual { state.subjects = [] }
    updateStatus()
    return .accepted()
  }

  private mutating func choose(_ framing: DockFraming) -> DockAnswer {
    if let refusal = refusal(.framing, to: "choose the framing") { return refusal }
    state.framing = framing
    return .accepted()
  }

  private mutating func limit(to rect: DockRect?) -> DockAnswer {
    if let refusal = refusal(.regionOfInterest, to: "limit the search") { return refusal }
    guard let rect else {
      state.regionOfInterest = nil
      return .accepted()
    }
    guard rect.isUsable, let bounded = rect.intersection(.whole), bounded.width >= 0.05,
      bounded.height >= 0.05
    else {
      return .refused(
        "cannot limit the search: the rectangle must lie within 0 to 1 and be at least 0.05 wide and high")
    }
    state.regionOfInterest = bounded
    return .accepted(note: bounded == rect ? nil : "the rectangle was cut to the picture")
  }

  private func refusal(_ feature: DockFeature, to purpose: String) -> DockAnswer? {
    state.features.contains(feature)
      ? nil : .refused("cannot \(purpose): the feature \(feature.rawValue) is off; switch it on first")
  }

  // MARK: Subjects

  private mutating func select(_ point: DockPoint) -> DockAnswer {
    if let refusal = refusal(.tapToTrack, to: "select") { return refusal }
    if let refusal = refusal(.tracking, to: "select") { return refusal }
    guard state.mode != .manual else {
      return .refused("cannot select in the mode manual; choose system or custom first")
    }
    guard (0...1).contains(point.x), (0...1).contains(point.y) else {
      return .refused("cannot select: both numbers of the place must be from 0 to 1")
    }
    let hit = state.subjects.filter { $0.rect.contains(point) }.min { area($0) < area($1) }
    if let hit { return select(hit.id) }
    clearSelection()
    state.mode = .custom
    requests.append(.choose(DockRect(center: point, width: 0.12, height: 0.2)))
    return .accepted()
  }

  private func area(_ subject: DockSubject) -> Double { subject.rect.width * subject.rect.height }

  private mutating func select(_ id: Int) -> DockAnswer {
    guard state.subjects.contains(where: { $0.id == id }) else {
      return .refused("cannot select: there is no subject \(id); select one that is in the picture")
    }
    let isSecond = state.mode == .custom && state.selected == id
    clearSelection()
    state.mode = .custom
    if !isSecond { state.selected = id }
    return .accepted(note: isSecond ? "the subject was selected already, and is deselected now" : nil)
  }

  private mutating func clearSelection() {
    state.selected = nil
    estimate = nil
    lastSeen = nil
    requests.removeAll { if case .choose = $0 { true } else { false } }
    if speed != .zero, hand == nil, journey == nil { mustStop = true }
    updateStatus()
  }

  private mutating func turn(_ feature: DockFeature, _ isOn: Bool) {
    if isOn { state.features.insert(feature) } else { state.features.remove(feature) }
    switch feature {
    case .tracking where !isOn:
      clearSelection()
      state.subjects = []
      requests = [.forget]
    case .regionOfInterest where !isOn: state.regionOfInterest = nil
    case .framing where !isOn: state.framing = .auto
    case .summary: state.summary = isOn ? DockSummary() : nil
    case .tracking, .regionOfInterest, .framing, .animation, .tapToTrack: break
    }
    updateStatus()
  }

  // MARK: Movements

  private mutating func animate(_ name: String, _ time: Double) -> DockAnswer {
    if let refusal = refusal(.animation, to: "play a movement") { return refusal }
    guard let animation = DockAnimation(rawValue: name) else {
      let names = DockAnimation.allCases.map(\.rawValue).joined(separator: ", ")
      return .refused("cannot play \(name.prefix(40)): there is no such movement; choose one of \(names)")
    }
    guard journey == nil else {
      return .refused("cannot play \(name): another movement is under way; wait for its end, or stop it")
    }
    let origin = reckoning.place(at: time + configuration.delay)
    begin(animation.places.map { origin + $0 }, name: name, time)
    state.animation = name
    updateStatus()
    return .accepted()
  }

  private mutating func save(_ name: String, _ time: Double) -> DockAnswer {
    guard let motors, motors.tellsPosition else {
      return .refused("cannot keep the position: this camera does not report the position of its motors")
    }
    guard !name.isEmpty, name.utf8.count <= 40,
      name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
    else { return .refused("cannot keep the position: its name must have 1 to 40 bytes that can be printed") }
    guard presets[Array(name.utf8)] != nil || presets.count < Self.mostPresets else {
      return .refused(
        "cannot keep the position: \(Self.mostPresets) are kept already, the most; give the name of one to replace it"
      )
    }
    presets[Array(name.utf8)] = motors.bounded(reckoning.place(at: time))
    state.presets = presetNames
    return .accepted()
  }

  /// The names in byte order.
  var presetNames: [String] {
    presets.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func go(to name: String, _ time: Double) -> DockAnswer {
    guard let place = presets[Array(name.utf8)] else {
      return .refused("cannot go to the position: none was kept under this name; keep one first")
    }
    guard state.mode == .manual else {
      return .refused(
        "cannot go to a position in the mode \(state.mode.rawValue); choose the mode manual first")
    }
    guard journey?.name == nil else {
      return .refused("cannot go to a position while a movement is played; stop it first")
    }
    begin([place], name: nil, time)
    return .accepted()
  }

  private mutating func begin(_ places: [DockAngles], name: String?, _ time: Double) {
    hand = nil
    estimate = nil
    journey = DockJourney(
      name: name, places: places.map { motors?.bounded($0) ?? $0 }, ends: time + 3 * Double(places.count))
  }

  /// Updates whether a subject is followed.
  mutating func updateStatus() {
    guard motors != nil else { return }
    let isSeen = state.subjects.contains { $0.id == state.selected && $0.confidence > 0 }
    state.status = isTracking && isSeen ? .tracking : .connected
  }
}
