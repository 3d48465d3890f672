import CVideo4Linux

/// The value of a control.
public enum ControlValue: Hashable, Sendable {
  /// A number, the index of a menu item, or a bit mask. For a button, any number.
  case integer(Int64)
  /// The state of a control that is on or off.
  case boolean(Bool)
  /// The text of a string control.
  case string(String)

  /// The longest string to read or write, in bytes.
  static let longestString = 64 * 1024

  fileprivate var number: Int64 {
    switch self {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    case .string: 0
    }
  }
}

extension VideoDevice {
  /// The present value (`VIDIOC_G_EXT_CTRLS`).
  /// - Throws: `.refused` for a write-only control, or one that the device lacks.
  public func value(of control: Control) throws(VideoDeviceError) -> ControlValue {
    var raw = [v4l2_ext_control()]
    var text: [UInt8] = []
    if case .string(let length) = control.kind { text = [UInt8](repeating: 0, count: length.upperBound + 1) }
    try exchange(.getControls, [control], values: [.string("")], raw: &raw, text: &text)
    switch control.kind {
    case .string: return .string(Array(text.prefix { $0 != 0 }).withUnsafeBytes(String.init(deviceBytes:)))
    case .boolean: return .boolean(cv4l2_control_integer(&raw[0]) != 0)
    case .integer64: return .integer(cv4l2_control_integer64(&raw[0]))
    case .bitmask: return .integer(Int64(UInt32(bitPattern: cv4l2_control_integer(&raw[0]))))
    case .integer, .menu, .button: return .integer(Int64(cv4l2_control_integer(&raw[0])))
    }
  }

  /// Sets one control.
  public func set(_ control: Control, to value: ControlValue) throws(VideoDeviceError) {
    try set([(control, value)])
  }

  /// Sets several controls with one `VIDIOC_S_EXT_CTRLS`: the driver checks all of them before it changes any.
  /// - Throws: `.refused` for a value out of range, `.busy` for a control grabbed by another; both name the control.
  public func set(_ settings: [(control: Control, value: ControlValue)]) throws(VideoDeviceError) {
    guard !settings.isEmpty, settings.count <= 1024 else { return }
    var raw = [v4l2_ext_control](repeating: v4l2_ext_control(), count: settings.count)
    var text: [UInt8] = []
    for case (_, .string(let string)) in settings {
      text += Array(string.utf8.prefix(ControlValue.longestString)) + [0]
    }
    try exchange(.setControls, settings.map(\.control), values: settings.map(\.value), raw: &raw, text: &text)
  }

  /// Performs one `v4l2_ext_controls` call. `text` holds all strings, each NUL-terminated, in order.
  private func exchange(
    _ request: Request, _ controls: [Control], values: [ControlValue], raw: inout [v4l2_ext_control],
    text: inout [UInt8]
  ) throws(VideoDeviceError) {
    var list = v4l2_ext_controls()
    list.count = UInt32(controls.count)
    let result = text.withUnsafeMutableBytes { text in
      raw.withUnsafeMutableBufferPointer { raw in
        fill(raw, controls, values: values, text: text)
        list.controls = raw.baseAddress
        return Result { () throws(VideoDeviceError) in try outcome(of: request, &list) }
      }
    }
    guard let errno = try result.get() else { return }
    let index = Int(list.error_idx)
    let names = controls.indices.contains(index) ? [controls[index].name] : controls.map(\.name)
    throw VideoDeviceError(
      errno, .control(request), path: path, subject: names.prefix(8).joined(separator: ", "))
  }

  private func fill(
    _ raw: UnsafeMutableBufferPointer<v4l2_ext_control>, _ controls: [Control], values: [ControlValue],
    text: UnsafeMutableRawBufferPointer
  ) {
    var offset = 0
    for (place, (control, value)) in zip(controls, values).enumerated() {
      let target = raw.baseAddress.map { $0 + place }
      switch control.kind {
      case .string(let length):
        let size: Int
        if case .string(let string) = value, !string.isEmpty {
          size = min(string.utf8.count, ControlValue.longestString) + 1
        } else {
          size = min(length.upperBound + 1, text.count - offset)
        }
        let start = text.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        cv4l2_control_set_string(target, control.id.rawValue, start, UInt32(size))
        offset += size
      case .integer64: cv4l2_control_set_integer64(target, control.id.rawValue, value.number)
      case .bitmask:
        let bits = Int32(truncatingIfNeeded: value.number)
        cv4l2_control_set_integer(target, control.id.rawValue, bits)
      case .integer, .boolean, .menu, .button:
        cv4l2_control_set_integer(target, control.id.rawValue, Int32(clamping: value.number))
      }
    }
  }
}
