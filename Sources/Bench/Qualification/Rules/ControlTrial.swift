import Video4Linux

/// A trial that writes the limits and other values of a control, and reads them back.
struct ControlTrial {
  let device: VideoDevice
  let control: Control

  struct Finding: Sendable {
    let control: Control
    var writes = 0
    var flaws: [String] = []
    /// Why the control was not written. Nil if it was.
    var omission: String?
  }

  /// Whether the control is private to a driver (`V4L2_CID_USER_BASE` + 0x1000 and up), so that its effect is unknown.
  private var isPrivate: Bool { control.id.rawValue & 0xFFFF >= 0x1000 || control.id.rawValue >= 0x0800_0000 }

  func run() -> Finding {
    var finding = Finding(control: control)
    checkDefault(&finding)
    finding.omission = omission
    guard finding.omission == nil, let before = try? device.value(of: control) else { return finding }
    for value in inside { write(value, &finding) }
    for value in outside { writeOutside(value, &finding) }
    try? device.set(control, to: before)
    return finding
  }

  private var omission: String? {
    if !control.keepsItsValue { return "it cannot be written, or not now" }
    if control.flags.contains(.grabbed) { return "another program holds it" }
    if isPrivate { return "it is private to the driver" }
    if case .string = control.kind { return "it is a text control" }
    return nil
  }

  private func checkDefault(_ finding: inout Finding) {
    let isSound: Bool
    switch control.kind {
    case .integer(let range), .integer64(let range):
      let value = range.defaultValue
      isSound = value >= range.minimum && value <= range.maximum
    case .menu(let items, let index): isSound = items.contains { $0.index == index }
    case .bitmask(let mask, let value): isSound = value & ~mask == 0
    case .boolean, .button, .string: isSound = true
    }
    if !isSound { finding.flaws.append("its default is outside its range") }
  }

  /// The limits, the default, and one step from the default; of a menu, at most sixteen items.
  private var inside: [ControlValue] {
    switch control.kind {
    case .integer(let range), .integer64(let range):
      let start = range.nearest(to: range.defaultValue)
      let next = range.nearest(to: start.addingReportingOverflow(range.step).partialValue)
      let values = [range.minimum, range.nearest(to: range.maximum), start, next]
      return values.reduce(into: [Int64]()) { if !$0.contains($1) { $0.append($1) } }.map { .integer($0) }
    case .boolean: return [.boolean(false), .boolean(true)]
    case .menu(let items, _): return items.prefix(16).map { .integer($0.index) }
    case .bitmask(let mask, let value): return [.integer(0), .integer(Int64(mask)), .integer(Int64(value))]
    case .button, .string: return []
    }
  }

  private var outside: [ControlValue] {
    switch control.kind {
    case .integer(let range):
      let beyond = [
        range.maximum.addingReportingOverflow(range.step),
        range.minimum.subtractingReportingOverflow(range.step),
      ]
      return beyond.compactMap { value, overflow -> ControlValue? in
        overflow || Int64(Int32(clamping: value)) != value ? nil : .integer(value)
      }
    case .menu(let items, _): return [.integer((items.map(\.index).max() ?? 0) + 1)]
    case .integer64, .boolean, .button, .bitmask, .string: return []
    }
  }

  private func write(_ value: ControlValue, _ finding: inout Finding) {
    finding.writes += 1
    do throws(VideoDeviceError) {
      try device.set(control, to: value)
      let now = try device.value(of: control)
      if now != value { finding.flaws.append("\(value.text) was written and \(now.text) read back") }
    } catch {
      finding.flaws.append("\(value.text) was refused: \(error)")
    }
  }

  /// Writes a value outside the range. V4L2 lets a driver refuse such a value or use the nearest one; the value itself must never take effect.
  private func writeOutside(_ value: ControlValue, _ finding: inout Finding) {
    finding.writes += 1
    guard (try? device.set(control, to: value)) != nil, let now = try? device.value(of: control) else {
      return
    }
    if now == value { finding.flaws.append("\(value.text) lies outside its range and was accepted") }
  }
}
