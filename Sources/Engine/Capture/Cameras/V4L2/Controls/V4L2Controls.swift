import Video4Linux

/// The controls of an open V4L2 device. Confined to the capture thread.
struct V4L2Controls {
  private let device: VideoDevice
  private var mapped: [CameraControl: V4L2MappedControl] = [:]
  private var order: [CameraControl] = []
  /// A driver's own, by the names that they have here.
  private var others: [CameraControl: Control] = [:]
  private var names: [ControlID: [CameraControl]] = [:]
  private var torch: V4L2Torch?
  private var tint: V4L2Tint?
  private var region: V4L2Region?
  private var focusOnce: Control?
  private var links = V4L2GainLinks()

  /// Asks the device what it has, and to tell of changes by other programs, as far as it can.
  /// A control that cannot be asked of is left out: a camera gives pictures without it.
  /// - Parameter only: those that it is asked of, without hearing of their changes; nil for all.
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

  /// Those that a control of the device is behind.
  func controls(behind id: ControlID) -> [CameraControl] { names[id] ?? [] }

  // MARK: What there is

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

  /// All in one request. Where the driver refuses that, one after another, so that each has its own answer.
  func set(_ values: [(control: CameraControl, value: CameraControlValue)]) -> [CameraControlResult] {
    var results = values.map { CameraControlResult($0.control, wanted: $0.value, took: nil) }
    var request: [(place: Int, settings: [(control: Control, value: ControlValue)])] = []
    // Two of ours may be bits of one of the device's.
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
          refusal: "cannot set \(wanted.control) to \(wanted.value): the device has no such value")
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
      // It is over with itself: what is read is the mode after it.
      if values[place].control == .focusMode, values[place].value == .choice("single") {
        results[place].took = values[place].value
      }
    }
    return results
  }

  /// A rectangle is a request of its own.
  /// - Returns: why it could not be set.
  private func set(_ region: V4L2Region, _ control: CameraControl, value: CameraControlValue) -> String? {
    guard case .point(let x, let y) = value else {
      return "cannot set \(control) to \(value): it is a point"
    }
    do throws(VideoDeviceError) { try region.set(control, x: x, y: y, on: device) } catch {
      return "cannot set \(control): \(error)"
    }
    return nil
  }

  /// Each control of the device once, with the last of its values.
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
      // While it focuses continuously, what the button does is not defined (V4L2, "Camera Control Reference").
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
  /// The control is one bit of the device's.
  fileprivate var isPart: Bool { if case .bit = form { true } else { false } }
}

extension Control {
  /// It is behind something else that is operated, says how the sensor sits, or is none of the camera's.
  fileprivate var isSpokenFor: Bool {
    [
      .flashMode, .torchIntensity, .autoFocusStart, .autoFocusStop, .cameraOrientation, .cameraSensorRotation,
    ].contains(id)
  }
}

/// A torch behind the flash class: a mode and, on some devices, how bright it is.
struct V4L2Torch {
  private let mode: Control
  private let intensity: (control: Control, range: ControlRange)?

  /// Why there is none. A light of the kernel's LED class belongs to no camera, and only root may light it.
  static let absence = CameraControlCapability(
    .torch,
    absence:
      "its driver has no flash mode (V4L2_CID_FLASH_LED_MODE); lights of /sys/class/leds belong to no camera")

  /// Nil where the device has none.
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

  /// Without an intensity it is on or off.
  private var step: Double? {
    guard let range = intensity?.range, range.maximum > range.minimum else { return 1 }
    return nil
  }

  func settings(level: Double) -> [(control: Control, value: ControlValue)] {
    guard level > 0 else { return [(mode, .integer(0))] }
    guard let (control, range) = intensity else { return [(mode, .integer(2))] }
    let width = Double(range.maximum) - Double(range.minimum)
    let value = range.nearest(to: Int64((Double(range.minimum) + min(level, 1) * width).rounded()))
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
