/// A value for a control.
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

  /// The control and the value of each of its results.
  var settings: [ControlSetting] {
    switch self {
    case .set(let settings): settings
    case .reset(let controls): controls.map { ControlSetting($0, .choice("default")) }
    case .lockExposure(let isLocked): [ControlSetting(.exposureLock, .flag(isLocked))]
    case .shutterPriority(let angle):
      [ControlSetting(.shutterAngle, angle.map { .number($0) } ?? .choice("auto"))]
    case .lockForRecording(let isLocked): [ControlSetting(.exposureLock, .flag(isLocked))]
    case .focus(let x, let y, _): [ControlSetting(.focusPoint, .point(x: x, y: y))]
    case .rampZoom(let factor, _): [ControlSetting(.zoom, .number(factor))]
    case .cancelZoomRamp: [ControlSetting(.zoom, .choice("here"))]
    case .torch(let level, _): [ControlSetting(.torch, .number(level))]
    }
  }

  /// Refuses the whole command: the same reason for each result.
  func refused(_ reason: String) -> [CameraControlResult] {
    settings.map { CameraControlResult($0.control, wanted: $0.value, refusal: reason) }
  }
}
