import Video4Linux

/// The controls of an open V4L2 device. Confined to the capture thread.
struct V4L2Controls {
  private let device: VideoDevice
  private var mapped: [CameraControl: V4L2MappedControl] = [:]
  private var order: [CameraControl] = []
  /// The driver's private controls, keyed by the engine's names for them.
  private var others: [CameraControl: Control] = [:]
  private var names: [ControlID: [CameraControl]] = [:]
  private var torch: V4L2Torch?
  private var tint: V4L2Tint?
  private var region: V4L2Region?
  private var focusOnce: Control?
  private var links = V4L2GainLinks()

  /// Queries the device's controls, and subscribes to changes of them by other programs if the driver supports
  /// that. Leaves out a control that cannot be queried: the camera delivers pictures without it.
  /// - Parameter only: the controls to query, without subscribing to changes; nil for all.
  init(of device: VideoDevice, only: [CameraControl]? = nil) {
    self.device = device
    let rules = V4L2ControlRule.all.filter { only?.contains($0.control) ?? true }
    var list = ControlList()
    if only == nil {
      list = (try? device.controls()) ?? ControlList()
    } else {
      list.controls = rules.compactMap { try? device.control($0.id) }
    }
    for rule in rules where mapped[rule.control] == nil {
      guard let source = list[rule.id], let control = V4L2MappedControl(rule, source) else { continue }
      mapped[rule.control] = control
      order.append(rule.control)
      names[rule.id, default: []].append(rule.control)
    }
    guard only == nil else { return }
    torch = V4L2Torch(list)
    tint = V4L2Tint(list, on: device)
    region = V4L2Region(list, on: device)
    links = V4L2GainLinks(list, exposureMode: mapped[.exposureMode]?.source.id)
    if let region { for id in V4L2Region.ids { names[id] = region.controls } }
    focusOnce = list[.autoFocusStart].flatMap { $0.kind == .button ? $0 : nil }
    for source in list.controls
    where names[source.id] == nil && !source.isSpokenFor && !links.contains(source.id) {
      let name = CameraControl(rawValue: "v4l2:\(source.id)")
      others[name] = source
      order.append(name)
      names[source.id] = [name]
    }
    for id in names.keys { _ = try? device.subscribe(to: .control(id)) }
  }

  /// The engine's controls that use the V4L2 control `id`.
  func controls(behind id: ControlID) -> [CameraControl] { names[id] ?? [] }

  // MARK: Capabilities

  func capabilities() -> [CameraControlCapability] {
    var all = order.compactMap { name in
      mapped[name].map { capability(of: $0) } ?? others[name].map { Self.capability(name, $0) }
    }
    all.append(torch?.capability ?? V4L2Torch.absence)
    if let tint { all.append(tint.capability) }
    if let region { all += region.controls.map { CameraControlCapability($0) } }
    return all
  }

  private func capability(of control: V4L2MappedControl) -> CameraControlCapability {
    var capability = control.capability
    if capability.control == .focusMode, focusOnce != nil { capability.choices?.insert("single", at: 1) }
    return capability
  }

  private static func capability(_ name: CameraControl, _ source: Control) -> CameraControlCapability {
    var capability = CameraControlCapability(name)
    switch source.kind {
    case .integer(let range), .integer64(let range):
      capability.range = Double(range.minimum)...Double(range.maximum)
      capability.step = Double(range.step)
      capability.defaultValue = .number(Double(range.defaultValue))
    case .boolean(let isOn): capability.defaultValue = .flag(isOn)
    case .menu(let items, let index):
      capability.values = items.map { Double($0.index) }.sorted()
      capability.defaultValue = .number(Double(index))
    case .bitmask(let mask, let bits):
      capability.range = 0...Double(mask)
      capability.step = 1
      capability.defaultValue = .number(Double(bits))
    case .button, .string: capability.absence = "the engine does not set controls of this kind"
    }
    capability.isReadOnly = source.flags.contains(.readOnly)
    capability.isVolatile = source.flags.contains(.volatile)
    capability.isInactive = source.flags.contains(.inactive)
    return capability
  }

  // MARK: Reading

  func values(of controls: [CameraControl]) -> [CameraControl: CameraControlValue] {
    var values: [CameraControl: CameraControlValue] = [:]
    for control in controls { values[control] = value(of: control) }
    return values
  }

  private func value(of control: CameraControl) -> CameraControlValue? {
    if control == .torch { return torch?.level(on: device).map { .number($0) } }
    if control == .tint { return tint?.value(on: device).map { .number($0) } }
    if let region, region.controls.contains(control) { return region.point(of: control, on: device) }
    if let mapped = mapped[control] {
      return (try? device.value(of: mapped.source)).flatMap(mapped.value(of:))
    }
    guard let source = others[control], let raw = try? device.value(of: source) else { return nil }
    return switch raw {
    case .integer(let number): .number(Double(number))
    case .boolean(let isOn): .flag(isOn)
    case .string: nil
    }
  }

  // MARK: Setting

  /// Sets all values in one request. If the driver refuses that, sets them one after another, so that each has its own result.
  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
    var results = values.map { CameraControlResult($0.control, wanted: $0.value, took: nil) }
    var request: [(place: Int, settings: [(control: Control, value: ControlValue)])] = []
    // Two of the engine's controls may be bits of the same V4L2 control.
    var pending: [ControlID: ControlValue] = [:]
    for (place, wanted) in values.enumerated() {
      if let region, region.controls.contains(wanted.control) {
        results[place].refusal = set(region, wanted.control, value: wanted.value)
      } else if let settings = settings(of: wanted.control, wanted.value, pending) {
        request.append((place, settings))
        for setting in settings { pending[setting.control.id] = setting.value }
      } else {
        results[place] = CameraControlResult(
          wanted.control, wanted: wanted.value,
          refusal:
            "cannot set \(wanted.control) to \(wanted.value): the device has no such value; "
            + "`controls list` shows its values")
      }
    }
    let all = Self.merged(request.flatMap(\.settings))
    do throws(VideoDeviceError) { try device.set(all) } catch {
      for (place, settings) in request {
        do throws(VideoDeviceError) { try device.set(settings) } catch {
          let wanted = values[place]
          results[place] = CameraControlResult(
            wanted.control, wanted: wanted.value, refusal: "cannot set \(wanted.control): \(error)")
        }
      }
    }
    for place in results.indices where results[place].refusal == nil {
      results[place].took = value(of: values[place].control)
      // Do not read back a single focus: it ends by itself, and the control may already have the mode that follows.
      if values[place].control == .focusMode, values[place].value == .choice("single") {
        results[place].took = values[place].value
      }
    }
    return results
  }

  /// Sets the rectangle of a region in a separate request.
  /// - Returns: the reason if it could not be set, otherwise nil.
  private func set(_ region: V4L2Region, _ control: CameraControl, value: CameraControlValue) -> String? {
    guard case .point(let x, let y) = value else {
      return "cannot set \(control) to \(value): it takes a point, two numbers from 0 to 1"
    }
    do throws(VideoDeviceError) { try region.set(control, x: x, y: y, on: device) } catch {
      return "cannot set \(control): \(error)"
    }
    return nil
  }

  /// Merges the settings: each V4L2 control occurs once, with its last value.
  private static func merged(
    _ settings: [(control: Control, value: ControlValue)]
  ) -> [(control: Control, value: ControlValue)] {
    var merged: [(control: Control, value: ControlValue)] = []
    for setting in settings {
      if let place = merged.firstIndex(where: { $0.control.id == setting.control.id }) {
        merged[place].value = setting.value
      } else {
        merged.append(setting)
      }
    }
    return merged
  }

  private func settings(
    of control: CameraControl, _ value: CameraControlValue, _ pending: [ControlID: ControlValue]
  ) -> [(control: Control, value: ControlValue)]? {
    if control == .torch { return value.number.flatMap { torch?.settings(level: $0) } }
    if control == .tint { return value.number.flatMap { tint?.settings($0) } }
    if control == .focusMode, value == .choice("single"), let focusOnce {
      // During continuous focus, the effect of the button is undefined (V4L2, "Camera Control Reference"), so
      // stop continuous focus first.
      let stop = mapped[.focusMode].map { [(control: $0.source, value: ControlValue.boolean(false))] }
      return (stop ?? []) + [(control: focusOnce, value: ControlValue.integer(0))]
    }
    if let mapped = mapped[control] {
      var present: ControlValue?
      if mapped.rule.isPart { present = pending[mapped.source.id] ?? (try? device.value(of: mapped.source)) }
      return mapped.raw(of: value, present: present).map {
        links.settings(for: mapped.source.id, to: value) + [(control: mapped.source, value: $0)]
      }
    }
    guard let source = others[control] else { return nil }
    return switch (source.kind, value) {
    case (.boolean, .flag(let isOn)): [(source, .boolean(isOn))]
    case (.string, _), (.button, _), (.boolean, _): nil
    case (_, .number(let number)): Int64(exactly: number.rounded()).map { [(source, .integer($0))] }
    default: nil
    }
  }
}

extension V4L2ControlRule {
  /// Whether the control is one bit of a V4L2 control.
  fileprivate var isPart: Bool { if case .bit = form { true } else { false } }
}

extension Control {
  /// Whether the control is handled elsewhere: it is part of another control, reports how the sensor is mounted, or does not belong to the camera.
  fileprivate var isSpokenFor: Bool {
    [
      .flashMode, .torchIntensity, .autoFocusStart, .autoFocusStop, .cameraOrientation, .cameraSensorRotation,
    ].contains(id)
  }
}

/// A torch that is driven by V4L2's flash controls: a mode and, on some devices, an intensity.
struct V4L2Torch {
  private let mode: Control
  private let intensity: (control: Control, range: ControlRange)?

  /// The capability of a camera without a torch, with the reason. Lights of the kernel's LED class are not used: they belong to no
  /// camera, and only root may light them.
  static let absence = CameraControlCapability(
    .torch,
    absence:
      "its driver has no flash mode (V4L2_CID_FLASH_LED_MODE); lights of /sys/class/leds belong to no camera")

  /// Nil if the device has no torch.
  init?(_ list: ControlList) {
    guard let mode = list[.flashMode], case .menu(let items, _) = mode.kind,
      items.contains(where: { $0.index == 2 })
    else { return nil }
    self.mode = mode
    intensity = list[.torchIntensity].flatMap { control in
      guard case .integer(let range) = control.kind else { return nil }
      return (control, range)
    }
  }

  var capability: CameraControlCapability {
    var capability = CameraControlCapability(.torch, 0...1, step: step)
    capability.defaultValue = .number(0)
    return capability
  }

  /// The step of the level: 1 for a torch without an adjustable intensity, which is either off or on;
  /// otherwise nil, for any level.
  private var step: Double? {
    guard let range = intensity?.range, range.maximum > range.minimum else { return 1 }
    return nil
  }

  func settings(level: Double) -> [(control: Control, value: ControlValue)] {
    guard level > 0 else { return [(mode, .integer(0))] }
    guard let (control, range) = intensity else { return [(mode, .integer(2))] }
    let width = Double(range.maximum) - Double(range.minimum)
    let value = range.nearest(to: Int64(clamping: (Double(range.minimum) + min(level, 1) * width).rounded()))
    return [(control, .integer(value)), (mode, .integer(2))]
  }

  func level(on device: VideoDevice) -> Double? {
    guard case .integer(let index)? = try? device.value(of: mode) else { return nil }
    guard index == 2 else { return 0 }
    guard let (control, range) = intensity, range.maximum > range.minimum,
      case .integer(let value)? = try? device.value(of: control)
    else { return 1 }
    return max(
      0.001, (Double(value) - Double(range.minimum)) / (Double(range.maximum) - Double(range.minimum)))
  }
}
