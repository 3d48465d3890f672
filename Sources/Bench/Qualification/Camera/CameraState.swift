import Video4Linux

/// The state of a device before the run, as far as this program may change it.
struct CameraState: Sendable {
  var input: Int?
  var timings: DVTimings?
  var format: VideoFormat
  var interval: TimePerFrame?
  var crop: PixelRectangle?
  var compose: PixelRectangle?
  /// The controls that keep the values they are set to.
  var controls: [Setting]

  struct Setting: Hashable, Sendable {
    let control: Control
    var value: ControlValue
  }

  /// Creates the state of a device that can only set its format.
  init(format: VideoFormat) { (self.format, controls) = (format, []) }

  init(of device: VideoDevice) throws(VideoDeviceError) {
    input = try device.currentInput()
    timings = try device.currentTimings()
    format = try device.format()
    interval = try device.frameInterval()
    crop = try device.selection(.crop)
    compose = try device.selection(.compose)
    controls = []
    for control in try device.controls().controls where control.keepsItsValue {
      guard let value = try? device.value(of: control) else { continue }
      controls.append(Setting(control: control, value: value))
    }
  }

  /// Restores everything, in order of dependence. Settings that the device refuses show up when the state is read back.
  /// - Throws: `VideoDeviceError` if reading the device fails, or if it refuses input, timings, format or interval.
  func restore(on device: VideoDevice) throws(VideoDeviceError) {
    if let input, try device.currentInput() != input { try device.setInput(input) }
    if let timings, try device.currentTimings()?.description != timings.description {
      try device.setTimings(timings)
    }
    _ = try device.setFormat(format)
    if let crop, try device.selection(.crop) != crop { _ = try? device.setSelection(.crop, to: crop) }
    if let compose, try device.selection(.compose) != compose {
      _ = try? device.setSelection(.compose, to: compose)
    }
    if let interval { _ = try device.setFrameInterval(interval) }
    restoreControls(on: device)
  }

  /// Restores the controls. Automatic modes lock and change other controls, so this is repeated until nothing differs, at most three times.
  private func restoreControls(on device: VideoDevice) {
    for _ in 0..<3 {
      let changed = controls.filter { (try? device.value(of: $0.control)) != $0.value }
      guard !changed.isEmpty else { return }
      for setting in changed { try? device.set(setting.control, to: setting.value) }
    }
  }

  /// Returns the settings in which `other` differs, each as a clause.
  func differences(from other: CameraState) -> [String] {
    var found: [String] = []
    func compare(_ name: String, _ before: String?, now: String?) {
      if before != now { found.append("\(name) was \(before ?? "none") and is \(now ?? "none")") }
    }
    compare("the input", input.map(String.init), now: other.input.map(String.init))
    compare("the signal timing", timings?.description, now: other.timings?.description)
    compare("the format", format.everything, now: other.format.everything)
    compare("the frame interval", interval?.description, now: other.interval?.description)
    compare("the crop", crop?.description, now: other.crop?.description)
    compare("the composition", compose?.description, now: other.compose?.description)
    for setting in controls {
      let now = other.controls.first { $0.control.id == setting.control.id }?.value
      compare("\(setting.control.name)", setting.value.text, now: now?.text)
    }
    return found
  }

  /// Number of remembered settings.
  var count: Int {
    controls.count + 1
      + [input != nil, timings != nil, interval != nil, crop != nil, compose != nil].count { $0 }
  }

  var description: String {
    let lines = controls.map { "\($0.control.name): \($0.value.text)" }
    return (["format: \(format.everything)", "interval: \(interval?.description ?? "none")"] + lines)
      .joined(separator: "\n")
  }
}

extension VideoFormat {
  fileprivate var everything: String {
    let planes = planes.map { "\($0.bytesPerLine)/\($0.sizeImage)" }.joined(separator: " ")
    return "\(self) \(field) \(planes)"
  }
}

extension ControlValue {
  var text: String {
    switch self {
    case .integer(let value): "\(value)"
    case .boolean(let value): value ? "on" : "off"
    case .string(let text): "“\(text.prefix(80))”"
    }
  }
}

extension Control {
  /// Whether reading the control returns the value that it was set to.
  var keepsItsValue: Bool {
    if kind == .button { return false }
    // A control that an automatic mode drives at the moment must not be restored.
    return flags.isDisjoint(with: [.disabled, .readOnly, .writeOnly, .volatile, .inactive])
  }
}
