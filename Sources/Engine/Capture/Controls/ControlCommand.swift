struct ControlSetting: Hashable, Sendable {
  var control: CameraControl
  var value: CameraControlValue

  init(_ control: CameraControl, _ value: CameraControlValue) {
    self.control = control
    self.value = value
  }
}

/// A command to the operator of a camera.
enum ControlCommand: Hashable, Sendable {
  case set([ControlSetting])
  case reset([CameraControl])
  case lockExposure(Bool)
  /// Shutter priority at an angle in degrees; nil turns it off.
  case shutterPriority(angle: Double?)
  case lockForRecording(Bool)
  case focus(x: Double, y: Double, locks: Bool)
  case rampZoom(to: Double, rate: Double)
  case cancelZoomRamp
  case torch(level: Double, countsIn: Bool)
}
