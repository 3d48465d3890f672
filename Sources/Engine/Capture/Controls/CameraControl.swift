/// A control of a camera, identified by a stable name such as `exposure-bias`.
///
/// Names are used in settings, on the command line and by remotes, so they never change. A driver's control that is not in this list has the name
/// `v4l2:` plus the control's number, such as `v4l2:0x980913`. Later versions may add names.
public struct CameraControl: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
  /// The stable name of the control.
  public let rawValue: String

  /// Creates a control from its name: a decoded one, or a new one for a camera of your own.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension CameraControl {
  // MARK: Exposure

  /// A choice: `auto`, `manual`, `shutter-priority`, `aperture-priority`, as far as the device supports them.
  public static let exposureMode = CameraControl(rawValue: "exposure-mode")
  /// The exposure bias in EV, for automatic exposure only.
  public static let exposureBias = CameraControl(rawValue: "exposure-bias")
  /// The exposure time in seconds. Setting it makes the exposure manual.
  public static let exposureDuration = CameraControl(rawValue: "exposure-duration")
  /// The shutter angle in degrees: 360 is the whole frame interval. Another form of `exposureDuration`.
  public static let shutterAngle = CameraControl(rawValue: "shutter-angle")
  /// The sensitivity by ISO 12232. Setting it makes the exposure manual.
  public static let iso = CameraControl(rawValue: "iso")
  /// The difference between the picture's exposure and the camera's target, in EV; above zero the picture is too bright. Read only.
  public static let exposureTargetOffset = CameraControl(rawValue: "exposure-target-offset")
  /// A flag: locks exposure and gain.
  public static let exposureLock = CameraControl(rawValue: "exposure-lock")
  /// A flag: automatic exposure may lengthen the frame interval.
  public static let frameRateMayFall = CameraControl(rawValue: "frame-rate-may-fall")
  /// The point that automatic exposure meters, from 0 to 1 in the stored picture.
  public static let exposurePoint = CameraControl(rawValue: "exposure-point")
  /// A choice: `average`, `centre-weighted`, `spot`, `matrix`.
  public static let meteringMode = CameraControl(rawValue: "metering-mode")
  /// Exposes for a subject in front of a light; in units of the device.
  public static let backlightCompensation = CameraControl(rawValue: "backlight-compensation")
  /// A choice against flicker: `off`, `50 Hz`, `60 Hz`, `auto`.
  public static let powerLineFrequency = CameraControl(rawValue: "power-line-frequency")
  /// A flag: the device exposes bright and dark parts separately.
  public static let wideDynamicRange = CameraControl(rawValue: "wide-dynamic-range")

  // MARK: Colour

  /// A choice: `auto`, `manual`, and the light sources that the device has names for.
  public static let whiteBalanceMode = CameraControl(rawValue: "white-balance-mode")
  /// The colour temperature in kelvin. Setting it makes the white balance manual.
  public static let whiteBalanceTemperature = CameraControl(rawValue: "white-balance-temperature")
  /// The tint, from −150 (green) to +150 (magenta).
  public static let tint = CameraControl(rawValue: "tint")
  /// The gain of red during manual white balance, in units of the device.
  public static let redGain = CameraControl(rawValue: "red-gain")
  /// The gain of blue during manual white balance, in units of the device.
  public static let blueGain = CameraControl(rawValue: "blue-gain")
  /// A flag: locks the white balance.
  public static let whiteBalanceLock = CameraControl(rawValue: "white-balance-lock")

  // MARK: Lens

  /// A choice: `continuous`, `single`, `locked`.
  public static let focusMode = CameraControl(rawValue: "focus-mode")
  /// The focus position: 0 is the nearest, 1 the farthest. Setting it locks the focus.
  public static let lensPosition = CameraControl(rawValue: "lens-position")
  /// The point that auto focus uses, from 0 to 1 in the stored picture.
  public static let focusPoint = CameraControl(rawValue: "focus-point")
  /// A choice: `idle`, `busy`, `reached`, `failed`. Read only.
  public static let focusStatus = CameraControl(rawValue: "focus-status")
  /// The zoom factor; 1 shows the whole picture.
  public static let zoom = CameraControl(rawValue: "zoom")
  /// The pan angle in degrees, to the right.
  public static let pan = CameraControl(rawValue: "pan")
  /// The tilt angle in degrees, upwards.
  public static let tilt = CameraControl(rawValue: "tilt")
  /// The speed of panning to the right, in degrees a second, or in units of the device if its capability
  /// has no unit. It is never remembered as a wish: a camera that comes back stands still.
  public static let panSpeed = CameraControl(rawValue: "pan-speed")
  /// The speed of tilting upwards, in the unit of `panSpeed`.
  public static let tiltSpeed = CameraControl(rawValue: "tilt-speed")
  /// A flag: the device stabilizes the picture.
  public static let stabilization = CameraControl(rawValue: "stabilization")

  // MARK: Light

  /// The brightness of the torch: 0 is off, 1 the brightest.
  public static let torch = CameraControl(rawValue: "torch")

  // MARK: Battery

  /// The charge of the battery of a camera or its dock, from 0 to 1. Read only.
  public static let batteryLevel = CameraControl(rawValue: "battery-level")
  /// A flag: whether the battery is charging. Read only.
  public static let batteryCharging = CameraControl(rawValue: "battery-charging")

  // MARK: Picture

  /// The brightness, in units of the device.
  public static let brightness = CameraControl(rawValue: "brightness")
  /// The contrast, in units of the device.
  public static let contrast = CameraControl(rawValue: "contrast")
  /// The saturation, in units of the device.
  public static let saturation = CameraControl(rawValue: "saturation")
  /// The hue, in units of the device.
  public static let hue = CameraControl(rawValue: "hue")
  /// The gamma correction, in units of the device.
  public static let gamma = CameraControl(rawValue: "gamma")
  /// The sharpness, in units of the device.
  public static let sharpness = CameraControl(rawValue: "sharpness")
}

extension CameraControl {
  /// Whether the control keeps the camera turning until it gets another value.
  var isSpeed: Bool { self == .panSpeed || self == .tiltSpeed }
  /// Whether the control turns the camera, which leaves exposure and colour unchanged.
  var isMotion: Bool { isSpeed || self == .pan || self == .tilt }
}

extension CameraControl: CustomStringConvertible, Comparable {
  /// The stable name, `rawValue`.
  public var description: String { rawValue }
  /// Alphabetical order.
  public static func < (left: CameraControl, right: CameraControl) -> Bool { left.rawValue < right.rawValue }
}
