import System

/// Sets the wishes again after the device has lost them, or after a change of camera.
extension CameraOperator {
  /// Decides whether a high dynamic range is set manually for this format.
  mutating func choose(isLogSupported: Bool) {
    dynamicRange = DynamicRangeChoice(isLogWished: policy.isLogWished, isLogSupported: isLogSupported)
    let missing = "a log format was requested, and the camera has none"
    if policy.isLogWished, !isLogSupported, !state.findings.contains(missing) { note(finding: missing) }
    let wish = dynamicRange.wideDynamicRange.map { CameraControlValue.flag($0) }
    if state.wishes[.wideDynamicRange] != wish { state.wishes[.wideDynamicRange] = wish }
  }

  /// Applies all wishes at once. Notes a finding for each wish that this camera refuses.
  mutating func reapply(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    reapplication = nil
    learn(camera, now)
    state.reapplications += 1
    endPriorityThatCannotBe()
    endLockThatCannotBe()
    adoptPriority()
    for result in apply(exposureSettings + otherWishes, camera, now: now) {
      guard let refusal = result.refusal else { continue }
      note(finding: "\(result.control) \(result.wanted) is lost: \(refusal)")
    }
    if settlesAt == .distantFuture, isStreaming { settlesAt = now }
  }

  /// Ends shutter priority if this camera cannot set both exposure time and ISO.
  private mutating func endPriorityThatCannotBe() {
    let needed: [CameraControl] = [.exposureDuration, .iso]
    guard priority != nil, !needed.allSatisfy({ state.capability($0)?.isSettable ?? false }) else { return }
    if priority?.isFrozen == true { state.isLockedForRecording = false }
    priority = nil
    state.shutterPriority = nil
    state.wishes[.exposureMode] = .choice("auto")
    note(
      finding: "shutter priority is lost: this camera does not have both exposure-duration and iso")
  }

  /// Ends the exposure lock if this camera has no lock, so that the state does not claim one.
  private mutating func endLockThatCannotBe() {
    guard hold != nil || recordingHold != nil, state.capability(.exposureLock)?.isSettable != true else {
      return
    }
    hold = nil
    recordingHold = nil
    state.isExposureLocked = false
    state.isLockedForRecording = false
    note(finding: "the lock of the exposure is lost: this camera has none")
  }

  /// Adapts the shutter priority loop to this camera.
  private mutating func adoptPriority() {
    guard var loop = priority else { return }
    if let sensitivity = state.capability(.iso), sensitivity.isPresent { loop.adopt(sensitivity) }
    let times = state.capability(.exposureDuration)
    if let time = times.flatMap({ fittedDuration(.number(loop.duration), $0).value?.number }) {
      loop.duration = time
    }
    priority = loop
    state.shutterPriority?.duration = loop.duration
    state.shutterPriority?.iso = loop.iso
  }

  /// All wishes except those of the exposure, in the order of their names.
  private var otherWishes: [ControlSetting] {
    let exposes: [CameraControl] = [.exposureMode, .exposureDuration, .shutterAngle, .iso]
    return state.wishes.sorted { $0.key < $1.key }.compactMap { control, value in
      exposes.contains(control) ? nil : ControlSetting(control, value)
    }
  }

  /// Compares the device with the expected values once more, after the stream has run for a while.
  mutating func checkStart(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    guard reapplication == nil, let camera else { return }
    if expected[.exposureMode] == nil, state.wishes[.exposureMode] == nil { confirmInitialMode(camera, now) }
    verify(camera, now)
  }

  /// If no exposure was requested, restores the policy's initial exposure mode, or else the mode in
  /// which the camera was found: the driver may have changed the mode at the start.
  private mutating func confirmInitialMode(_ camera: any OperableCamera, _ now: MonotonicTime) {
    guard let mode = policy.initialExposureMode ?? foundMode?.choice, priority == nil, hold == nil,
      recordingHold == nil,
      let found = camera.values(of: [.exposureMode])[.exposureMode]
    else { return }
    noteValue(found, of: .exposureMode)
    guard found != .choice(mode) else { return }
    let result = camera.set([(.exposureMode, .choice(mode))]).first
    if let took = result?.took { noteValue(took, of: .exposureMode) }
    note(finding: result?.refusal ?? "after the start exposure-mode was \(found); it was set to \(mode)")
    beginSettling(now)
  }

  /// Compares the device with the values that were set, and sets lost ones again.
  mutating func verify(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    guard let camera else { return }
    let found = camera.values(of: expected.keys.sorted())
    var batch = ControlBatch()
    for (control, wanted) in expected.sorted(by: { $0.key < $1.key }) {
      guard let value = found[control], !isSame(value, wanted, control: control) else { continue }
      if control == .zoom { optical.present = value.number ?? 1 } else { noteValue(value, of: control) }
      note(finding: "after the start \(control) was \(value); it was set to \(wanted) again")
      batch.add(control, wanted)
    }
    guard batch.entries.isEmpty else {
      var none: [CameraControlResult] = []
      return send(batch, &none, camera: camera, now: now)
    }
    if settlesAt == .distantFuture { settlesAt = now }
  }

  private func isSame(
    _ left: CameraControlValue, _ right: CameraControlValue, control: CameraControl
  ) -> Bool {
    let capability = control == .zoom ? deviceZoom : state.capability(control)
    return capability?.isSame(left, right) ?? (left == right)
  }
}
