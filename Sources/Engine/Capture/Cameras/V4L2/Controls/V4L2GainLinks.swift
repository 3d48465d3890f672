import Video4Linux

/// Automatics of the gain that a driver has beside the mode of its exposure, as those of sensors often do: they follow the mode, or a gain that
/// is set would be the automatic's again with the next frame.
struct V4L2GainLinks {
  /// What is to be what, for the gain to be set by hand.
  private var byHand: [(gain: ControlID, automatic: Control, value: ControlValue)] = []
  /// The same, for the device to choose it.
  private var byItself: [(automatic: Control, value: ControlValue)] = []
  private var exposureMode: ControlID?

  init() {}

  /// - Parameter exposureMode: the control behind the mode of the exposure; nil where the device has none.
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

  /// It is set together with the mode of the exposure. Without such a mode it is one of the driver's own.
  func contains(_ id: ControlID) -> Bool {
    exposureMode != nil && byItself.contains { $0.automatic.id == id }
  }

  /// What comes before a control is set.
  func settings(
    for id: ControlID, to value: CameraControlValue
  ) -> [(control: Control, value: ControlValue)] {
    if id == exposureMode, let mode = value.choice {
      // The modes that leave the sensitivity to the device.
      guard mode == "auto" else { return byHand.map { ($0.automatic, $0.value) } }
      return byItself.map { ($0.automatic, $0.value) }
    }
    return byHand.filter { $0.gain == id }.map { ($0.automatic, $0.value) }
  }
}

extension Control {
  fileprivate var isSettable: Bool { !flags.contains(.readOnly) }
}
