import System

/// The remembered wishes, which apply to any camera.
extension CameraOperator {
  /// Remembers a setting as a wish until another setting replaces it. A mode ends the wishes for values that it does not allow.
  mutating func remember(_ setting: ControlSetting) {
    let control = setting.control
    guard ![.focusPoint, .torch, .exposureLock].contains(control), !control.isSpeed else { return }
    rememberWhiteBalance(setting)
    switch (control, setting.value) {
    case (.exposureMode, .choice(let mode)) where mode != "manual" && mode != "shutter-priority":
      for ended in [CameraControl.exposureDuration, .iso, .shutterAngle] { state.wishes[ended] = nil }
    case (.exposureDuration, _), (.iso, _), (.shutterAngle, _):
      if control == .exposureDuration { state.wishes[.shutterAngle] = nil }
      if control == .shutterAngle { state.wishes[.exposureDuration] = nil }
      if state.wishes[.exposureMode] != .choice("shutter-priority") {
        state.wishes[.exposureMode] = .choice("manual")
      }
    case (.whiteBalanceMode, .choice(let mode)) where mode != "manual":
      for ended in [CameraControl.whiteBalanceTemperature, .tint, .redGain, .blueGain] {
        state.wishes[ended] = nil
      }
    case (.whiteBalanceTemperature, _), (.tint, _), (.redGain, _), (.blueGain, _):
      state.wishes[.whiteBalanceMode] = .choice("manual")
    case (.focusMode, .choice(let mode)) where mode != "locked": state.wishes[.lensPosition] = nil
    case (.lensPosition, _): state.wishes[.focusMode] = .choice("locked")
    default: break
    }
    state.wishes[control] = setting.value
  }

  /// Ends the wishes that a white balance setting replaces. If the mode implements
  /// the lock, lock and mode share one wish: the later setting counts.
  private mutating func rememberWhiteBalance(_ setting: ControlSetting) {
    if setting.control == .whiteBalanceMode { state.wishes[.whiteBalanceLock] = nil }
    guard setting.control == .whiteBalanceLock, state.capability(.whiteBalanceLock)?.origin != .device else {
      return
    }
    state.wishes[.whiteBalanceMode] = nil
    guard setting.value != .flag(true) else { return }
    for ended in [CameraControl.whiteBalanceTemperature, .tint, .redGain, .blueGain] {
      state.wishes[ended] = nil
    }
  }

  /// Resets controls to the device's defaults and forgets their wishes. Modes are reset last, after the values that need them.
  mutating func reset(
    _ controls: [CameraControl], _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> [CameraControlResult] {
    var results: [CameraControl: CameraControlResult] = [:]
    for control in controls.filter({ !$0.isMode }) + controls.filter(\.isMode) where results[control] == nil {
      results[control] = reset(control, camera, now: now)
    }
    return controls.compactMap { results[$0] }
  }

  private mutating func reset(
    _ control: CameraControl, _ camera: (any OperableCamera)?, now: MonotonicTime
  ) -> CameraControlResult {
    let capability = state.capability(control)
    state.wishes[control] = nil
    expected[control] = nil
    guard let standard = capability?.defaultValue else {
      return CameraControlResult(
        control, wanted: .choice("default"),
        refusal: "cannot reset \(control): the device reports no default for it; set it to a value")
    }
    if isOpen, capability?.isInactive == true {
      // Another control decides this value: setting it would change that control's mode.
      return CameraControlResult(control, wanted: standard, took: state.values[control], note: .ignored)
    }
    let wishes = state.wishes
    let result = set([ControlSetting(control, standard)], camera, now: now)[0]
    if result.note != .deferred { state.wishes = wishes }
    expected[control] = nil
    return result
  }

  /// Marks controls as inactive whose values an automatic mode decides.
  mutating func markInactive() {
    let rules: [(mode: CameraControl, active: [String], values: [CameraControl])] = [
      (.exposureMode, ["manual"], [.exposureDuration, .shutterAngle, .iso]),
      (.whiteBalanceMode, ["manual"], [.whiteBalanceTemperature, .tint, .redGain, .blueGain]),
      (.focusMode, ["locked"], [.lensPosition]),
    ]
    for rule in rules {
      guard let mode = state.values[rule.mode]?.choice else { continue }
      for index in state.capabilities.indices where rule.values.contains(state.capabilities[index].control) {
        let isInactive = !rule.active.contains(mode)
        if state.capabilities[index].isInactive != isInactive {
          state.capabilities[index].isInactive = isInactive
        }
      }
    }
  }
}
