import Video4Linux

/// The state of a device that this program may change, as it was found.
struct CameraState: Sendable {
  var input: Int?
  var timings: DVTimings?
  var format: VideoFormat
  var interval: TimePerFrame?
  var crop: PixelRectangle?
  var compose: PixelRectangle?
  /// Of those controls that keep what they are set to.
  var controls: [Setting]

  struct Setting: Hashable, Sendable {
    let control: Control
    var value: ControlValue
  }

  /// Of a device that has nothing to set but its format.
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

  /// Sets everything as it was, in the order in which one follows from the other. What a device refuses is seen by reading back.
  /// - Throws: when it cannot even be asked.
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

  /// Automatic modes lock others and change them, so it is tried until nothing differs, three times at most.
  private func restoreControls(on device: VideoDevice) {
    for _ in 0..<3 {
      let changed = controls.filter { (try? device.value(of: $0.control)) != $0.value }
      guard !changed.isEmpty else { return }
      for setting in changed { try? device.set(setting.control, to: setting.value) }
    }
  }

  /// What `other` has otherwise, a clause for each.
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

  /// How many things are kept in mind.
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
  /// Reading it back says what it was set to.
  var keepsItsValue: Bool {
    if kind == .button { return false }
    // What an automatic mode drives now is its, not ours.
    return flags.isDisjoint(with: [.disabled, .readOnly, .writeOnly, .volatile, .inactive])
  }
}
