import System

extension CameraOperator {
  /// Sets all values at once, and remembers them as wishes.
  mutating func set(
    _ settings: [ControlSetting], _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> [CameraControlResult] {
    guard isOpen else { return settings.map { postpone($0) } }
    var results = settings.map { CameraControlResult($0.control, wanted: $0.value, took: nil) }
    var batch = ControlBatch()
    for (place, setting) in settings.enumerated() {
      if let refusal = refusal(of: setting) {
        results[place] = CameraControlResult(setting.control, wanted: setting.value, refusal: refusal)
      } else if let result = plan(setting, place, batch: &batch, camera: camera, now: now) {
        results[place] = result
      }
    }
    send(batch, &results, camera: camera, now: now)
    for (setting, result) in zip(settings, results) where result.refusal == nil { remember(setting) }
    return results
  }

  /// The largest number of wishes to keep; before a device is open, nothing checks their names.
  static let mostWishes = 256

  /// Keeps a setting until there is a device.
  private mutating func postpone(_ setting: ControlSetting) -> CameraControlResult {
    if let refusal = refusal(of: setting) ?? refusalToKeep(setting) {
      return CameraControlResult(setting.control, wanted: setting.value, refusal: refusal)
    }
    if setting.control == .torch {
      return CameraControlResult(
        .torch, wanted: setting.value, refusal: "cannot light the torch: no camera is open; start the session"
      )
    }
    if setting.control == .exposureLock || setting.control == .focusPoint || setting.control.isSpeed {
      return CameraControlResult(
        setting.control, wanted: setting.value,
        refusal: "cannot set \(setting.control): no camera is open; start the session")
    }
    if setting.control == .zoom, let factor = setting.value.number, factor.isFinite {
      state.zoom = max(factor, 0.01)
    }
    remember(setting)
    return CameraControlResult(setting.control, wanted: setting.value, took: nil, note: .deferred)
  }

  /// The reason why a setting cannot be kept for any device; otherwise nil.
  private func refusalToKeep(_ setting: ControlSetting) -> String? {
    if !setting.value.isFinite { return "cannot set \(setting.control): it takes a finite number" }
    guard state.wishes[setting.control] == nil, state.wishes.count >= Self.mostWishes else { return nil }
    return
      "cannot keep \(setting.control) for the next camera: \(Self.mostWishes) values are kept already; start the session first"
  }

  /// The reason why a value cannot be set now on any device; otherwise nil.
  private func refusal(of setting: ControlSetting) -> String? {
    let exposes: [CameraControl] = [.exposureMode, .exposureDuration, .shutterAngle, .iso]
    let name = setting.control.rawValue
    if exposes.contains(setting.control) || setting.control == .exposureBias {
      let isZeroBias = setting.control == .exposureBias && setting.value == .number(0)
      if isZeroBias { return nil }
      if recordingHold != nil || priority?.isFrozen == true {
        return "cannot set \(name): a recording holds the exposure; stop it first"
      }
      if priority != nil { return "cannot set \(name): shutter priority is on; switch it off first" }
      if hold != nil { return "cannot set \(name): the exposure is locked; unlock it first" }
    }
    if setting.control == .exposureBias, isExposureManual {
      return "cannot set \(name): it is for automatic exposure only; set exposure-mode to auto first"
    }
    if setting.control == .wideDynamicRange, dynamicRange.isAutomatic {
      return
        "cannot set \(name): the device chooses its dynamic range by itself unless a log format was requested and is available"
    }
    return nil
  }

  var isExposureManual: Bool {
    (state.wishes[.exposureMode] ?? state.values[.exposureMode]) == .choice("manual")
  }

  /// Adds the device settings that `setting` needs to the batch.
  /// - Returns: the result, if no device is needed for it; otherwise nil.
  private mutating func plan(
    _ setting: ControlSetting, _ place: Int, batch: inout ControlBatch, camera: (any OperableCamera)?,
    now: MonotonicTime
  ) -> CameraControlResult? {
    let control = setting.control
    guard let capability = state.capability(control) else {
      return CameraControlResult(
        control, wanted: setting.value,
        refusal:
          "cannot set \(control): this camera has no such control; `controls list` shows what it has"
      )
    }
    let fitted =
      control == .exposureDuration
      ? fittedDuration(setting.value, capability) : capability.fitted(setting.value)
    guard let value = fitted.value else {
      return CameraControlResult(
        control, wanted: setting.value, refusal: fitted.refusal ?? "cannot set \(control)")
    }
    switch control {
    case .zoom: return zoom(to: value, setting.value, fitted.note, camera: camera, now: now)
    case .exposureBias where capability.origin == .software:
      state.digitalExposureBias = value.number ?? 0
      state.values[control] = value
      return CameraControlResult(control, wanted: setting.value, took: value, note: fitted.note)
    case .exposureLock:
      return lockExposure(value == .flag(true), camera, now: now)
    case .whiteBalanceLock where capability.origin != .device:
      batch.add(.whiteBalanceMode, .choice(value == .flag(true) ? "manual" : "auto"), place: place)
    case .shutterAngle:
      let angle = ShutterAngle(degrees: value.number ?? 180)
      addManualExposure(to: &batch)
      let wanted = angle.duration(frameInterval: interval).map { CameraControlValue.number($0) } ?? value
      let time = state.capability(.exposureDuration).map { fittedDuration(wanted, $0) }
      // An angle outside the range counts as clamped, even if the device can set its exposure time.
      let note = fitted.note == .exact ? time?.note ?? .exact : fitted.note
      batch.add(.exposureDuration, time?.value ?? wanted, note: note, place: place)
    case .focusPoint:
      guard case .point(let x, let y) = value else { return nil }
      return focus(x: x, y: y, locks: false, camera, now)
    case .torch:
      endCountIn()
      batch.add(.torch, .number(TorchCountIn.clamped(value.number ?? 0)), note: fitted.note, place: place)
    default:
      if control == .focusMode || control == .lensPosition {
        focus = nil
        nextFocus = nil
        nextFocusLook = nil
      }
      // Manual exposure starts from the present values.
      if control == .exposureMode, value == .choice("manual") { refresh([.exposureDuration, .iso], camera) }
      addMode(of: control, to: &batch)
      batch.add(control, value, note: fitted.note, place: place)
    }
    return nil
  }

  /// The possible exposure time nearest to the requested one. A time longer than a frame slows down the frame rate, so it is
  /// allowed only if the rate may fall. Times that a lock holds are exempt: the device had chosen them itself.
  func fittedDuration(_ value: CameraControlValue, _ capability: CameraControlCapability) -> FittedValue {
    let fitted = capability.fitted(value)
    guard let duration = fitted.value?.number, duration > interval * (1 + 1e-6), interval > 0,
      state.values[.frameRateMayFall] != .flag(true), hold == nil, recordingHold == nil
    else { return fitted }
    let longest = capability.fitted(.number(capability.floor(interval)))
    return FittedValue(value: longest.value, note: .clamped)
  }

  /// Sets all values at once, even during an exposure lock, and remembers no wishes.
  @discardableResult
  mutating func apply(
    _ settings: [ControlSetting], _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> [CameraControlResult] {
    var results = settings.map { CameraControlResult($0.control, wanted: $0.value, took: nil) }
    var batch = ControlBatch()
    for (place, setting) in settings.enumerated() {
      let isThere = state.capability(setting.control)?.isPresent ?? false
      // A device without exposure modes needs none to be set.
      if setting.control == .exposureMode, !isThere { continue }
      if setting.control == .exposureLock {
        batch.add(.exposureLock, setting.value, place: place)
      } else if let result = plan(setting, place, batch: &batch, camera: camera, now: now) {
        results[place] = result
      }
    }
    send(batch, &results, camera: camera, now: now)
    return results
  }

  private func addMode(of control: CameraControl, to batch: inout ControlBatch) {
    switch control {
    case .exposureDuration, .iso: addManualExposure(to: &batch)
    case .whiteBalanceTemperature, .tint, .redGain, .blueGain:
      addChoice("manual", of: .whiteBalanceMode, to: &batch)
    case .lensPosition: addChoice("locked", of: .focusMode, to: &batch)
    default: break
    }
  }

  private func addManualExposure(to batch: inout ControlBatch) {
    addChoice("manual", of: .exposureMode, to: &batch)
  }

  private func addChoice(_ choice: String, of mode: CameraControl, to batch: inout ControlBatch) {
    guard state.values[mode] != .choice(choice), let capability = state.capability(mode),
      capability.isSettable,
      capability.choices?.contains(choice) ?? false, !batch.entries.contains(where: { $0.control == mode })
    else { return }
    batch.add(mode, .choice(choice))
  }

  // MARK: The device

  /// Sends one request to the device and completes the results.
  mutating func send(
    _ batch: ControlBatch, _ results: inout [CameraControlResult], camera: (any OperableCamera)?,
    now: MonotonicTime
  ) {
    let entries = batch.inOrder
    guard !entries.isEmpty else { return }
    guard let camera else {
      // The camera is just being closed: keep the wish for the next camera.
      for place in entries.compactMap(\.place) { results[place].note = .deferred }
      return
    }
    let former = entries.map { state.values[$0.control] }
    let answers = camera.set(entries.map { ($0.control, $0.value) })
    for (index, (entry, answer)) in zip(entries, answers).enumerated() {
      let verdict = judge(answer, entry, former: former[index])
      if let took = answer.took { noteSet(took, of: entry.control) }
      if let place = entry.place {
        let took =
          results[place].control == entry.control ? answer.took : state.values[results[place].control]
        results[place].took = took
        results[place].note = verdict
        results[place].refusal = answer.refusal
      } else if let refusal = answer.refusal {
        note(finding: refusal)
      }
    }
    if !entries.allSatisfy(\.control.isMotion) { beginSettling(now) }
  }

  /// Compares the device's value with the requested one.
  private func judge(
    _ answer: CameraControlResult, _ entry: ControlBatch.Entry, former: CameraControlValue?
  ) -> CameraControlResult.Note {
    guard answer.refusal == nil, let took = answer.took else {
      return answer.refusal == nil ? entry.note : .refused
    }
    let capability = state.capability(entry.control)
    if capability?.isSame(took, entry.value) ?? (took == entry.value) { return entry.note }
    // A region cannot be centred on the edge of the picture, and has whole pixels.
    if let distance = took.distance(to: entry.value) {
      return distance < 1e-3 ? entry.note : took == former ? .ignored : .clamped
    }
    if let former, took == former { return .ignored }
    guard let number = took.number, let wanted = entry.value.number, let range = capability?.range else {
      return .ignored
    }
    if number == range.lowerBound || number == range.upperBound { return .clamped }
    // Drivers round more coarsely than their step says. A value that is off by more than `rounding` was not
    // set.
    let rounding = max(capability?.step ?? 0, abs(wanted) / 20)
    return abs(number - wanted) <= rounding ? .rounded : .ignored
  }

  private mutating func noteSet(_ took: CameraControlValue, of control: CameraControl) {
    if !control.isSpeed { expected[control] = took }
    if control == .exposureMode { foundMode = took }
    if control == .exposureMode, took != .choice("manual"), took != .choice("shutter-priority") {
      expected[.exposureDuration] = nil
      expected[.iso] = nil
    }
    if control == .exposureMode, took == .choice("manual") {
      for held in [CameraControl.exposureDuration, .iso] where expected[held] == nil {
        expected[held] = state.values[held]
      }
    }
    if control == .whiteBalanceMode, took != .choice("manual") { expected[.whiteBalanceTemperature] = nil }
    if control == .focusMode, took != .choice("locked") { expected[.lensPosition] = nil }
    // Expect no focus mode: a single focus ends by itself.
    if control == .focusMode, took == .choice("single") { expected[.focusMode] = nil }
    noteValue(took, of: control)
    if control == .torch { state.torch = took.number ?? 0 }
    noteFocusMode(took, of: control)
  }
}

extension CameraControlValue {
  /// The distance between two points along the longer axis; nil if one of the values is no point.
  fileprivate func distance(to other: CameraControlValue) -> Double? {
    guard case .point(let x, let y) = self, case .point(let u, let v) = other else { return nil }
    return max(abs(x - u), abs(y - v))
  }

  /// Whether the value can be kept and encoded.
  var isFinite: Bool {
    switch self {
    case .number(let number): number.isFinite
    case .point(let x, let y): x.isFinite && y.isFinite
    case .choice, .flag: true
    }
  }
}
