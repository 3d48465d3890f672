import Capture

/// The motors of a camera, as described by its capabilities.
struct DockMotors: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// `pan` and `tilt` set the position.
    case absolute
    /// `pan-speed` and `tilt-speed` set the speed; the factors convert degrees a second to values of the device.
    case speed(pan: Double, tilt: Double)
  }

  var kind: Kind
  /// The range of pan, in radians; 0...0 if the camera cannot pan.
  var pan: ClosedRange<Double>
  /// The range of tilt, in radians; 0...0 if the camera cannot tilt.
  var tilt: ClosedRange<Double>
  /// Whether the position can be read.
  var tellsPosition: Bool

  /// Nil if the camera has no motors. A camera with both kinds of control is driven by position, because its units are known.
  init?(_ controls: ControlsState, fullSpeed: Double) {
    func settable(_ control: CameraControl) -> ClosedRange<Double>? {
      guard let capability = controls.capability(control), capability.isSettable else { return nil }
      return capability.range
    }
    let places = (pan: settable(.pan), tilt: settable(.tilt))
    let speeds = (pan: settable(.panSpeed), tilt: settable(.tiltSpeed))
    if places.pan != nil || places.tilt != nil {
      kind = .absolute
      pan = Self.radians(places.pan)
      tilt = Self.radians(places.tilt)
      tellsPosition = true
    } else if speeds.pan != nil || speeds.tilt != nil {
      func factor(_ range: ClosedRange<Double>?, _ control: CameraControl) -> Double {
        guard let range else { return 0 }
        if controls.capability(control)?.unit == .degreesPerSecond { return 1 }
        return range.upperBound / (max(fullSpeed, 1e-3) * 180 / .pi)
      }
      kind = .speed(pan: factor(speeds.pan, .panSpeed), tilt: factor(speeds.tilt, .tiltSpeed))
      let anywhere = -1e3...1e3
      pan = speeds.pan == nil ? 0...0 : anywhere
      tilt = speeds.tilt == nil ? 0...0 : anywhere
      tellsPosition = false
    } else {
      return nil
    }
  }

  private static func radians(_ degrees: ClosedRange<Double>?) -> ClosedRange<Double> {
    guard let degrees else { return 0...0 }
    return degrees.lowerBound * .pi / 180...degrees.upperBound * .pi / 180
  }

  /// The angles clamped to the range of the motors.
  func bounded(_ angles: DockAngles) -> DockAngles {
    DockAngles(
      pan: min(max(angles.pan, pan.lowerBound), pan.upperBound),
      tilt: min(max(angles.tilt, tilt.lowerBound), tilt.upperBound))
  }

  /// The settings of pan and tilt for one request, because in UVC both are one control (UVC 1.5, 4.2.2.1.14 and
  /// 4.2.2.1.15, `CT_PANTILT_ABSOLUTE_CONTROL` and `CT_PANTILT_RELATIVE_CONTROL`), and some cameras cancel
  /// the movement of the axis that a request does not name.
  /// - Parameters:
  ///   - speed: in radians a second.
  ///   - place: the angles to reach by the next order, in radians.
  func settings(speed: DockAngles, place: DockAngles) -> [(control: CameraControl, value: CameraControlValue)]
  {
    switch kind {
    case .absolute:
      var settings: [(control: CameraControl, value: CameraControlValue)] = []
      if pan.lowerBound < pan.upperBound { settings.append((.pan, .number(place.pan * 180 / .pi))) }
      if tilt.lowerBound < tilt.upperBound { settings.append((.tilt, .number(place.tilt * 180 / .pi))) }
      return settings
    case .speed(let panFactor, let tiltFactor):
      var settings: [(control: CameraControl, value: CameraControlValue)] = []
      if panFactor > 0 { settings.append((.panSpeed, .number(speed.pan * 180 / .pi * panFactor))) }
      if tiltFactor > 0 { settings.append((.tiltSpeed, .number(speed.tilt * 180 / .pi * tiltFactor))) }
      return settings
    }
  }
}
