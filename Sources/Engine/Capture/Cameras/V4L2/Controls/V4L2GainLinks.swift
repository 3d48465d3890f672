import Video4Linux

/// Automatic gain controls that a driver has beside its exposure mode, as sensor drivers often do. They must
/// follow the mode; otherwise automatic gain would overwrite a manual gain in the next frame.
struct V4L2GainLinks {
  /// For each gain, its automatic control and the value with which the gain can be set manually.
  private var byHand: [(gain: ControlID, automatic: Control, value: ControlValue)] = []
  /// For each automatic gain control, the value with which the device chooses the gain.
  private var byItself: [(automatic: Control, value: ControlValue)] = []
  private var exposureMode: ControlID?

  init() {}

  /// - Parameter exposureMode: the V4L2 control of the exposure mode; nil if the device has none.
  init(_ list: ControlList, exposureMode: ControlID?) {
    self.exposureMode = exposureMode
    if list[.gain] != nil, let automatic = list[.autoGain], case .boolean = automatic.kind,
      automatic.isSettable
    {
      byHand.append((.gain, automatic, .boolean(false)))
      byItself.append((automatic, .boolean(true)))
    }
    if list[.isoSensitivity] != nil, let automatic = list[.autoISOSensitivity], case .menu = automatic.kind,
      automatic.isSettable
    {
      byHand.append((.isoSensitivity, automatic, .integer(0)))
      byItself.append((automatic, .integer(1)))
    }
  }

  /// Whether the control is an automatic gain that is set together with the exposure mode.
  /// Without an exposure mode, it remains a private control of the driver.
  func contains(_ id: ControlID) -> Bool {
    exposureMode != nil && byItself.contains { $0.automatic.id == id }
  }

  /// The settings that must come before a control is set.
  func settings(
    for id: ControlID, to value: CameraControlValue
  ) -> [(control: Control, value: ControlValue)] {
    if id == exposureMode, let mode = value.choice {
      // Only "auto" leaves the sensitivity to the device.
      guard mode == "auto" else { return byHand.map { ($0.automatic, $0.value) } }
      return byItself.map { ($0.automatic, $0.value) }
    }
    return byHand.filter { $0.gain == id }.map { ($0.automatic, $0.value) }
  }
}

extension Control {
  fileprivate var isSettable: Bool { !flags.contains(.readOnly) }
}
