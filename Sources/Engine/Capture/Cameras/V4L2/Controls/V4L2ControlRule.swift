import Video4Linux

/// Maps a control of the engine to one of V4L2: "User Controls", "Camera Control Reference" and "Flash Control Reference" of the kernel's
/// documentation, and their use by `uvcvideo`.
struct V4L2ControlRule {
  /// The translation of values.
  enum Form {
    /// A number: the device's value times the case's factor.
    case number(Double)
    /// A ratio: the device's value divided by its least value.
    case multiple
    /// An integer menu: the number in the item's label times the case's factor.
    case menuOfNumbers(Double)
    case flag
    /// A Boolean control, shown as one of two words.
    case words(on: String, off: String)
    /// A menu: the word for each item, by the item's index.
    case menu([Int64: String])
    /// A share from 0 to 1 in reverse order: V4L2's greatest focus value is the nearest.
    case reversedShare
    /// A linear gain as ISO sensitivity: the least gain is ISO 100.
    case gain
    /// One bit of a mask.
    case bit(Int64)
    /// A bit mask of states, in order of priority.
    case status([(bit: Int64, word: String)])
  }

  let control: CameraControl
  let id: ControlID
  let form: Form
  var unit = CameraControlCapability.Unit.none
  /// The origin of the engine's control. It is `mapped` if V4L2 has the control under another name.
  var origin = CameraControlCapability.Origin.device
  var isVolatile = false
}

extension V4L2ControlRule {
  /// All rules. If several rules lead to one control, the first whose V4L2 control the device has is used.
  static let all: [V4L2ControlRule] = exposure + colour + lens + picture

  private static let exposure: [V4L2ControlRule] = [
    V4L2ControlRule(
      control: .exposureMode, id: .autoExposure,
      form: .menu([0: "auto", 1: "manual", 2: "shutter-priority", 3: "aperture-priority"])),
    V4L2ControlRule(
      control: .exposureDuration, id: .exposureTime, form: .number(1e-4), unit: .seconds, isVolatile: true),
    V4L2ControlRule(
      control: .iso, id: .isoSensitivity, form: .menuOfNumbers(1e-3), unit: .iso, isVolatile: true),
    V4L2ControlRule(
      control: .iso, id: .gain, form: .gain, unit: .iso, origin: .mapped("gain"), isVolatile: true),
    V4L2ControlRule(control: .exposureBias, id: .exposureBias, form: .menuOfNumbers(1e-3), unit: .ev),
    V4L2ControlRule(control: .exposureLock, id: .lock3A, form: .bit(1)),
    V4L2ControlRule(control: .frameRateMayFall, id: .exposureAutoPriority, form: .flag),
    V4L2ControlRule(
      control: .meteringMode, id: .exposureMetering,
      form: .menu([0: "average", 1: "centre-weighted", 2: "spot", 3: "matrix"])),
    V4L2ControlRule(control: .backlightCompensation, id: .backlightCompensation, form: .number(1)),
    V4L2ControlRule(
      control: .powerLineFrequency, id: .powerLineFrequency,
      form: .menu([0: "off", 1: "50 Hz", 2: "60 Hz", 3: "auto"])),
    V4L2ControlRule(control: .wideDynamicRange, id: .wideDynamicRange, form: .flag),
  ]

  private static let colour: [V4L2ControlRule] = [
    V4L2ControlRule(
      control: .whiteBalanceMode, id: .whiteBalancePreset,
      form: .menu([
        0: "manual", 1: "auto", 2: "incandescent", 3: "fluorescent", 4: "fluorescent-h", 5: "horizon",
        6: "daylight", 7: "flash", 8: "cloudy", 9: "shade",
      ])),
    V4L2ControlRule(
      control: .whiteBalanceMode, id: .autoWhiteBalance, form: .words(on: "auto", off: "manual")),
    V4L2ControlRule(
      control: .whiteBalanceTemperature, id: .whiteBalanceTemperature, form: .number(1), unit: .kelvin,
      isVolatile: true),
    V4L2ControlRule(control: .redGain, id: .redBalance, form: .number(1), isVolatile: true),
    V4L2ControlRule(control: .blueGain, id: .blueBalance, form: .number(1), isVolatile: true),
    V4L2ControlRule(control: .whiteBalanceLock, id: .lock3A, form: .bit(2)),
  ]

  private static let lens: [V4L2ControlRule] = [
    V4L2ControlRule(control: .focusMode, id: .autoFocus, form: .words(on: "continuous", off: "locked")),
    V4L2ControlRule(control: .lensPosition, id: .focus, form: .reversedShare, isVolatile: true),
    V4L2ControlRule(
      control: .focusStatus, id: .autoFocusStatus,
      form: .status([(1, "busy"), (4, "failed"), (2, "reached"), (0, "idle")]), isVolatile: true),
    V4L2ControlRule(control: .zoom, id: .zoom, form: .multiple, unit: .factor, origin: .device),
    V4L2ControlRule(control: .pan, id: .pan, form: .number(1.0 / 3600), unit: .degrees),
    V4L2ControlRule(control: .tilt, id: .tilt, form: .number(1.0 / 3600), unit: .degrees),
    V4L2ControlRule(control: .panSpeed, id: .panSpeed, form: .number(1)),
    V4L2ControlRule(control: .tiltSpeed, id: .tiltSpeed, form: .number(1)),
    V4L2ControlRule(control: .stabilization, id: .stabilization, form: .flag),
  ]

  private static let picture: [V4L2ControlRule] = [
    V4L2ControlRule(control: .brightness, id: .brightness, form: .number(1)),
    V4L2ControlRule(control: .contrast, id: .contrast, form: .number(1)),
    V4L2ControlRule(control: .saturation, id: .saturation, form: .number(1)),
    V4L2ControlRule(control: .hue, id: .hue, form: .number(1)),
    V4L2ControlRule(control: .gamma, id: .gamma, form: .number(1)),
    V4L2ControlRule(control: .sharpness, id: .sharpness, form: .number(1)),
  ]
}
