import Imagery
import System

/// Exposure locks, shutter priority, and the lock during a recording.
extension CameraOperator {
  /// The exposure settings for the device: those of shutter priority, those of a lock, or the requested ones.
  var exposureSettings: [ControlSetting] {
    if let priority {
      return [
        ControlSetting(.exposureMode, .choice("manual")),
        ControlSetting(.exposureDuration, .number(priority.duration)),
        ControlSetting(.iso, .number(priority.iso)),
      ]
    }
    if let held = recordingHold ?? hold {
      return [ControlSetting(.exposureMode, .choice("manual"))] + held.settings
    }
    let mode = state.wishes[.exposureMode] ?? initialMode
    var settings = mode.map { [ControlSetting(.exposureMode, $0)] } ?? []
    for control in [CameraControl.exposureDuration, .shutterAngle, .iso] {
      if let value = state.wishes[control] { settings.append(ControlSetting(control, value)) }
    }
    return settings
  }

  /// The policy's initial exposure mode, used if no mode was requested; nil if there is none or the camera does not have it.
  private var initialMode: CameraControlValue? {
    guard let mode = policy.initialExposureMode,
      state.capability(.exposureMode)?.choices?.contains(mode) ?? false
    else { return nil }
    return .choice(mode)
  }

  /// Whether the device has an exposure lock of its own.
  private var hasOwnLock: Bool {
    state.capability(.exposureLock).map { $0.isSettable && $0.origin == .device } ?? false
  }

  private func refused(_ wanted: ControlSetting, _ reason: String) -> CameraControlResult {
    CameraControlResult(wanted.control, wanted: wanted.value, refusal: reason)
  }

  // MARK: The lock

  mutating func lockExposure(
    _ isLocked: Bool, _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> CameraControlResult {
    let wanted = ControlSetting(.exposureLock, .flag(isLocked))
    if priority != nil {
      return refused(wanted, "cannot lock the exposure: shutter priority is on; switch it off first")
    }
    guard isOpen, let camera else { return refused(wanted, noCamera("lock the exposure")) }
    guard let capability = state.capability(.exposureLock), capability.isSettable else {
      return refused(
        wanted,
        "cannot lock the exposure: \(state.capability(.exposureLock)?.absence ?? "the device has no lock")")
    }
    guard isLocked != (hold != nil) else {
      return CameraControlResult(.exposureLock, wanted: wanted.value, took: wanted.value)
    }
    let former = hold
    // Keep the mode that was set before the recording locked the exposure.
    hold = isLocked ? recordingHold ?? present(camera) : nil
    if let refusal = applyHold(isLocked, recordingHold == nil, former: former, camera: camera, now: now) {
      hold = former
      return refused(wanted, refusal)
    }
    state.isExposureLocked = isLocked
    state.values[.exposureLock] = wanted.value
    return CameraControlResult(.exposureLock, wanted: wanted.value, took: wanted.value)
  }

  /// The present exposure and gain of the device.
  private mutating func present(_ camera: any OperableCamera) -> HeldExposure {
    refresh([.exposureDuration, .iso, .exposureMode], camera)
    func number(_ control: CameraControl) -> Double? {
      // Hold only controls that can be set.
      state.capability(control)?.isSettable ?? false ? state.values[control]?.number : nil
    }
    return HeldExposure(
      duration: number(.exposureDuration), iso: number(.iso), mode: state.values[.exposureMode])
  }

  /// Locks the exposure of the device, or returns it to its previous mode.
  /// - Parameter former: the exposure that was locked until now.
  /// - Returns: the reason of a failure; nil on success.
  private mutating func applyHold(
    _ isHeld: Bool, _ isAlone: Bool, former: HeldExposure?, camera: any OperableCamera,
    now: MonotonicTime
  ) -> String? {
    guard isAlone else { return nil }
    var settings = hasOwnLock ? [ControlSetting(.exposureLock, .flag(isHeld))] : []
    // Unlocking sets the mode, too: after a change of lens, the exposure may have been locked by the manual mode of the previous lens.
    if !hasOwnLock || !isHeld { settings += isHeld ? exposureSettings : settingsAfter(former) }
    return apply(settings, camera, now: now).lazy.compactMap(\.refusal).first
  }

  /// The settings after a lock: the requested ones, or without a request, the state that another program had left.
  private func settingsAfter(_ former: HeldExposure?) -> [ControlSetting] {
    guard let former, let mode = former.mode, state.wishes[.exposureMode] == nil,
      state.capability(.exposureMode)?.choices?.contains(mode.choice ?? "") ?? false
    else { return exposureSettings }
    guard mode == .choice("manual") else { return [ControlSetting(.exposureMode, mode)] }
    return [ControlSetting(.exposureMode, mode)] + former.settings
  }

  /// Ends the locks before the device is closed, and restores the exposure mode from before the locks, so that another program, or
  /// the next start of this session, finds it.
  func giveBackExposure(_ camera: (any OperableCamera)?) {
    guard let camera, isOpen, reapplication == nil else { return }
    let held = hold ?? recordingHold
    var values: [(control: CameraControl, value: CameraControlValue)] = []
    if held != nil, hasOwnLock { values.append((.exposureLock, .flag(false))) }
    let former = priority == nil ? held.flatMap { state.wishes[.exposureMode] ?? $0.mode } : .choice("auto")
    if let former, former != .choice("manual"),
      state.capability(.exposureMode)?.choices?.contains(former.choice ?? "") ?? false
    {
      values.append((.exposureMode, former))
    }
    if !values.isEmpty { _ = camera.set(values) }
  }

  private func noCamera(_ what: String) -> String {
    isOpen
      ? "cannot \(what): this camera has no controls; choose another"
      : "cannot \(what): no camera is open; start the session"
  }

  // MARK: Recordings

  mutating func lockForRecording(
    _ isLocked: Bool, _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> CameraControlResult {
    let wanted = ControlSetting(.exposureLock, .flag(isLocked))
    guard isLocked != state.isLockedForRecording else {
      return CameraControlResult(.exposureLock, wanted: wanted.value, took: wanted.value)
    }
    if priority != nil {
      priority?.isFrozen = isLocked
      state.shutterPriority?.isFrozen = isLocked
    } else if let camera, isOpen {
      // If the exposure is already locked, keep the values of that lock.
      let former = recordingHold
      recordingHold = isLocked ? hold ?? present(camera) : nil
      if let refusal = applyHold(isLocked, hold == nil, former: former, camera: camera, now: now) {
        recordingHold = nil
        return refused(wanted, refusal)
      }
    } else if isLocked {
      return refused(wanted, noCamera("hold the exposure"))
    } else {
      recordingHold = nil
    }
    state.isLockedForRecording = isLocked
    return CameraControlResult(.exposureLock, wanted: wanted.value, took: wanted.value)
  }

  // MARK: Shutter priority

  mutating func setShutterPriority(
    _ angle: Double?, _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> CameraControlResult {
    let wanted = ControlSetting(.shutterAngle, angle.map { .number($0) } ?? .choice("auto"))
    if state.isLockedForRecording {
      return refused(wanted, "cannot change shutter priority: a recording holds the exposure; stop it first")
    }
    guard let angle else { return endShutterPriority(wanted, camera, now: now) }
    guard angle.isFinite else {
      return refused(
        wanted, "cannot begin shutter priority: the shutter angle must be a number of degrees, 1.1 to 360")
    }
    guard isOpen, let camera else { return refused(wanted, noCamera("begin shutter priority")) }
    guard let sensitivity = state.capability(.iso), sensitivity.isSettable,
      let times = state.capability(.exposureDuration), times.isSettable
    else {
      return refused(
        wanted,
        "cannot begin shutter priority: the device does not have both exposure-duration and iso; "
          + "choose another camera")
    }
    let given = ShutterAngle(degrees: angle)
    guard let duration = given.duration(frameInterval: interval),
      case let fitted = fittedDuration(.number(duration), times), let time = fitted.value?.number
    else {
      return refused(
        wanted,
        "cannot begin shutter priority: the frame rate is not known; wait until the session is running")
    }
    let iso = present(camera).iso ?? sensitivity.range?.lowerBound ?? 100
    let unlock = hold != nil && hasOwnLock ? [ControlSetting(.exposureLock, .flag(false))] : []
    hold = nil
    priorityAngle = given
    let begun = ShutterPriorityLoop(duration: time, iso: iso, capability: sensitivity)
    priority = begun
    let refusal = apply(unlock + exposureSettings, camera, now: now).lazy.compactMap(\.refusal).first
    if let refusal {
      priority = nil
      return refused(wanted, refusal)
    }
    // Assign the state once, so that the end of the lock and the beginning of shutter priority are published together.
    var next = state
    next.isExposureLocked = false
    next.values[.exposureLock] = .flag(false)
    next.shutterPriority = ShutterPriorityState(duration: begun.duration, iso: begun.iso)
    state = next
    let note = given.degrees == angle ? fitted.note : .clamped
    return CameraControlResult(
      .shutterAngle, wanted: wanted.value, took: .number(time / interval * 360), note: note)
  }

  private mutating func endShutterPriority(
    _ wanted: ControlSetting, _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> CameraControlResult {
    guard priority != nil else {
      return CameraControlResult(.shutterAngle, wanted: wanted.value, took: wanted.value)
    }
    priority = nil
    state.shutterPriority = nil
    for control in [CameraControl.exposureDuration, .iso, .shutterAngle] { state.wishes[control] = nil }
    state.wishes[.exposureMode] = .choice("auto")
    let refusal = camera.flatMap { apply(exposureSettings, $0, now: now).lazy.compactMap(\.refusal).first }
    return refusal.map { refused(wanted, $0) }
      ?? CameraControlResult(.shutterAngle, wanted: wanted.value, took: wanted.value)
  }

  /// Adjusts the sensitivity to the light of a frame.
  mutating func followLight(
    _ image: CapturedImage, _ camera: (any OperableCamera)?, now: MonotonicTime, meter: () -> Double?
  ) {
    guard var loop = priority, loop.isReady(at: now), reapplication == nil, let camera else { return }
    let frameISO = tellsOwn ? image.settings?.sensitivity(at: loop.duration) : nil
    // If the device does not report a frame's settings, wait for the latest change: otherwise a frame
    // from before the change would be taken for a frame after it.
    guard frameISO != nil || image.exposureTime >= settlesAt else { return }
    let told = state.capability(.exposureTargetOffset)?.isPresent == true
    let offset = told ? camera.values(of: [.exposureTargetOffset])[.exposureTargetOffset]?.number : meter()
    guard let offset else { return }
    let next = loop.step(offset: offset, frameISO: frameISO, at: now)
    priority = loop
    guard let iso = next else { return }
    let result = apply([ControlSetting(.iso, .number(iso))], camera, now: now).first
    if let took = result?.took?.number { loop.took(took) }
    priority = loop
    state.shutterPriority?.iso = loop.iso
  }
}

extension FrameSettings {
  /// The sensitivity that gives this frame's exposure with the exposure time `duration`, in seconds. The frame's own
  /// exposure time may differ, because frames in flight during a change still have the former time.
  fileprivate func sensitivity(at duration: Double) -> Double? {
    guard let iso, let exposureDuration, exposureDuration > 0, duration > 0 else { return iso }
    return iso * exposureDuration / duration
  }
}
