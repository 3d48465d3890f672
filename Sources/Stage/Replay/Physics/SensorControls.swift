import Capture

/// The controls of a simulated camera: capabilities, reading and setting, as by a driver.
extension SensorDevice {
  /// - Parameter interval: the frame interval, in seconds.
  func capabilities(_ interval: Double) -> [CameraControlCapability] {
    exposureCapabilities(interval) + colorCapabilities + lensCapabilities
  }

  private func exposureCapabilities(_ interval: Double) -> [CameraControlCapability] {
    var mode = CameraControlCapability(.exposureMode, choices: ["auto", "manual"])
    mode.defaultValue = .choice("auto")
    let longest = max(min(interval, model.durations.upperBound), model.durations.lowerBound)
    var duration = CameraControlCapability(
      .exposureDuration, model.durations.lowerBound...longest, step: model.durationStep, unit: .seconds)
    var iso = CameraControlCapability(.iso, model.isos, unit: .iso)
    duration.isVolatile = true
    iso.isVolatile = true
    var bias = CameraControlCapability(.exposureBias, model.biases, step: 0.1, unit: .ev)
    bias.defaultValue = .number(0)
    bias.isInactive = isManual
    var offset = CameraControlCapability(.exposureTargetOffset, -10...10, unit: .ev)
    offset.isReadOnly = true
    offset.isVolatile = true
    if !model.tellsTargetOffset {
      offset = CameraControlCapability(.exposureTargetOffset, absence: "this simulated camera does not meter")
    }
    return [mode, duration, iso, bias, offset, flag(.exposureLock), flag(.wideDynamicRange)]
  }

  private var colorCapabilities: [CameraControlCapability] {
    var mode = CameraControlCapability(.whiteBalanceMode, choices: ["auto", "manual"])
    mode.defaultValue = .choice("auto")
    var temperature = CameraControlCapability(
      .whiteBalanceTemperature, model.temperatures, step: 10, unit: .kelvin)
    var tint = CameraControlCapability(.tint, -150...150, step: 1)
    temperature.isVolatile = true
    tint.isVolatile = true
    temperature.defaultValue = .number(5000)
    tint.defaultValue = .number(0)
    return [mode, temperature, tint, flag(.whiteBalanceLock)]
  }

  private var lensCapabilities: [CameraControlCapability] {
    var focusMode = CameraControlCapability(.focusMode, choices: ["continuous", "single", "locked"])
    focusMode.defaultValue = .choice("continuous")
    var position = CameraControlCapability(.lensPosition, 0...1)
    position.isVolatile = true
    var status = CameraControlCapability(.focusStatus, choices: ["idle", "busy", "reached", "failed"])
    status.isReadOnly = true
    status.isVolatile = true
    if !model.tellsFocusStatus {
      status = CameraControlCapability(
        .focusStatus, absence: "this simulated camera does not report its focus")
    }
    var zoom = CameraControlCapability(.zoom, model.zoomRange, unit: .factor)
    zoom.isVolatile = true
    zoom.defaultValue = .number(model.zoomRange.lowerBound)
    if model.zoomRange.lowerBound == model.zoomRange.upperBound {
      zoom = CameraControlCapability(.zoom, absence: "the lens has one focal length")
    }
    var torch = CameraControlCapability(.torch, 0...1)
    torch.defaultValue = .number(0)
    if model.torchLight == nil { torch = CameraControlCapability(.torch, absence: "there is no lamp") }
    return [
      focusMode, position, CameraControlCapability(.focusPoint), status, zoom, torch, flag(.stabilization),
    ]
  }

  private func flag(_ control: CameraControl) -> CameraControlCapability {
    var capability = CameraControlCapability(control)
    capability.defaultValue = .flag(false)
    return capability
  }

  /// Returns the value that is read back. Nil for a control that does not exist.
  func value(of control: CameraControl) -> CameraControlValue? {
    if let pretence = registers.pretence(control) { return pretence }
    let isByHand = registers.latest(.exposureMode) == .choice("manual")
    let isBalanced = registers.latest(.whiteBalanceMode) == .choice("manual")
    switch control {
    case .exposureDuration where !isByHand: return .number(exposure.duration)
    case .iso where !isByHand: return .number(exposure.iso)
    case .whiteBalanceTemperature where !isBalanced: return .number(automatics.temperature.rounded())
    case .tint where !isBalanced: return .number(automatics.tint.rounded())
    case .exposureTargetOffset: return model.tellsTargetOffset ? .number(automatics.offset) : nil
    case .focusStatus: return model.tellsFocusStatus ? .choice(focus.status) : nil
    // Under autofocus, the actual position of the lens is read back; otherwise a register with the target, as with V4L2.
    case .lensPosition where registers.latest(.focusMode) != .choice("locked"): return .number(focus.position)
    case .zoom where !isZoomable: return nil
    case .torch where model.torchLight == nil: return nil
    default: return registers.latest(control)
    }
  }

  private var isZoomable: Bool { model.zoomRange.lowerBound < model.zoomRange.upperBound }

  /// Sets all values before another frame is exposed.
  mutating func set(_ values: [(control: CameraControl, value: CameraControlValue)], _ interval: Double)
    -> [CameraControlResult]
  {
    let known = Dictionary(uniqueKeysWithValues: capabilities(interval).map { ($0.control, $0) })
    // By index, because a control may occur twice in the list.
    let taken = values.map { control, value -> CameraControlValue? in
      guard let able = known[control], able.isSettable, let fitted = able.fitting(value),
        model.lies[control] != .fails
      else { return nil }
      command(control, fitted)
      return fitted
    }
    return zip(values, taken).map { wish, fitted in
      guard let fitted else { return refusal(of: wish.control, wish.value, known[wish.control]) }
      return result(wish.control, wish.value, fitted: fitted)
    }
  }

  private func refusal(
    of control: CameraControl, _ value: CameraControlValue, _ able: CameraControlCapability?
  ) -> CameraControlResult {
    let reason =
      if model.lies[control] == .fails { "input/output error (EIO)" } else if able == nil {
        "the camera has no such control"
      } else if let absence = able?.absence { absence } else if able?.isReadOnly == true {
        "it can only be read"
      } else { "it takes no such value" }
    return CameraControlResult(
      control, wanted: value, refusal: "\(control) was not set to \(value): \(reason)")
  }

  private func result(
    _ control: CameraControl, _ wanted: CameraControlValue, fitted: CameraControlValue
  ) -> CameraControlResult {
    // A lens position locks the focus only from the next frame on, but is read back from now on.
    let took =
      control == .lensPosition ? registers.pretence(control) ?? registers.latest(control) : value(of: control)
    let note: CameraControlResult.Note =
      took == wanted ? .exact : took != fitted ? .ignored : fitted.isNear(wanted) ? .rounded : .clamped
    return CameraControlResult(control, wanted: wanted, took: took, note: note)
  }
}

extension CameraControlCapability {
  /// Returns the value that a driver would set instead: within the range, on a step, one of the choices. Nil for a value of another type.
  fileprivate func fitting(_ value: CameraControlValue) -> CameraControlValue? {
    switch value {
    case .number(let number):
      guard let range, number.isFinite else { return nil }
      let clamped = min(max(number, range.lowerBound), range.upperBound)
      guard let step else { return .number(clamped) }
      // If the step is one over a whole number, count in that fraction, so that 0.3 has no rounding error.
      let parts = (1 / step).rounded()
      let isPart = parts >= 1 && abs(1 / step - parts) < parts * 1e-9
      let steps = ((clamped - range.lowerBound) / step).rounded()
      let stepped =
        isPart ? ((range.lowerBound * parts).rounded() + steps) / parts : range.lowerBound + steps * step
      return .number(min(stepped, range.upperBound))
    case .choice(let choice): return choices?.contains(choice) == true ? value : nil
    case .point(let x, let y):
      guard control == .focusPoint, x.isFinite, y.isFinite else { return nil }
      return .point(x: min(max(x, 0), 1), y: min(max(y, 0), 1))
    case .flag: return range == nil && choices == nil && control != .focusPoint ? value : nil
    }
  }
}

extension CameraControlValue {
  /// Returns whether the difference is at most a twentieth of the value, which rounding explains.
  fileprivate func isNear(_ other: CameraControlValue) -> Bool {
    guard let number, let wanted = other.number else { return self == other }
    return abs(number - wanted) <= max(abs(wanted) / 20, 1e-3)
  }
}
