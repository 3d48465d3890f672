/// A property of a camera that can be operated, by a stable name such as `exposure-bias`.
///
/// Names are for settings, the command line and remotes, so they never change. What a driver has and this list has not is named
/// `v4l2:` and the control's number, such as `v4l2:0x980913`. More names may be added.
public struct CameraControl: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
  /// The name.
  public let rawValue: String

  /// A name that was read, or one of a camera of your own.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension CameraControl {
  // MARK: Exposure

  /// A choice: `auto`, `manual`, `shutter-priority`, `aperture-priority`, as far as the device has them.
  public static let exposureMode = CameraControl(rawValue: "exposure-mode")
  /// In EV, for automatic exposure only.
  public static let exposureBias = CameraControl(rawValue: "exposure-bias")
  /// In seconds. Setting it makes the exposure manual.
  public static let exposureDuration = CameraControl(rawValue: "exposure-duration")
  /// In degrees: 360 is the whole frame interval. Another way to say `exposureDuration`.
  public static let shutterAngle = CameraControl(rawValue: "shutter-angle")
  /// Sensitivity, as ISO 12232 counts it. Setting it makes the exposure manual.
  public static let iso = CameraControl(rawValue: "iso")
  /// How far the picture is from the exposure that the camera aims at, in EV; above zero it is too bright. Read only.
  public static let exposureTargetOffset = CameraControl(rawValue: "exposure-target-offset")
  /// A flag: exposure and gain stay as they are.
  public static let exposureLock = CameraControl(rawValue: "exposure-lock")
  /// A flag: automatic exposure may lengthen the frame interval.
  public static let frameRateMayFall = CameraControl(rawValue: "frame-rate-may-fall")
  /// Where the automatic exposure looks, from 0 to 1 in the stored picture.
  public static let exposurePoint = CameraControl(rawValue: "exposure-point")
  /// A choice: `average`, `centre-weighted`, `spot`, `matrix`.
  public static let meteringMode = CameraControl(rawValue: "metering-mode")
  /// Exposes for what is in front of the light; in units of the device.
  public static let backlightCompensation = CameraControl(rawValue: "backlight-compensation")
  /// A choice against flicker: `off`, `50 Hz`, `60 Hz`, `auto`.
  public static let powerLineFrequency = CameraControl(rawValue: "power-line-frequency")
  /// A flag: bright and dark parts are exposed apart.
  public static let wideDynamicRange = CameraControl(rawValue: "wide-dynamic-range")

  // MARK: Colour

  /// A choice: `auto`, `manual`, and the lights that the device has names for.
  public static let whiteBalanceMode = CameraControl(rawValue: "white-balance-mode")
  /// In kelvin. Setting it makes the white balance manual.
  public static let whiteBalanceTemperature = CameraControl(rawValue: "white-balance-temperature")
  /// −150 (green) to +150 (magenta).
  public static let tint = CameraControl(rawValue: "tint")
  /// Gain of red while white is balanced by hand, in units of the device.
  public static let redGain = CameraControl(rawValue: "red-gain")
  /// Gain of blue while white is balanced by hand, in units of the device.
  public static let blueGain = CameraControl(rawValue: "blue-gain")
  /// A flag: the white balance stays as it is.
  public static let whiteBalanceLock = CameraControl(rawValue: "white-balance-lock")

  // MARK: Lens

  /// A choice: `continuous`, `single`, `locked`.
  public static let focusMode = CameraControl(rawValue: "focus-mode")
  /// 0 is the nearest focus, 1 the farthest. Setting it locks the focus.
  public static let lensPosition = CameraControl(rawValue: "lens-position")
  /// Where the automatic focus looks, from 0 to 1 in the stored picture.
  public static let focusPoint = CameraControl(rawValue: "focus-point")
  /// A choice: `idle`, `busy`, `reached`, `failed`. Read only.
  public static let focusStatus = CameraControl(rawValue: "focus-status")
  /// A factor; 1 shows everything.
  public static let zoom = CameraControl(rawValue: "zoom")
  /// In degrees, to the right.
  public static let pan = CameraControl(rawValue: "pan")
  /// In degrees, upwards.
  public static let tilt = CameraControl(rawValue: "tilt")
  /// How fast it turns to the right, in degrees a second; in units of the device where its capability has no unit. Never wished: a camera
  /// that comes back stands still.
  public static let panSpeed = CameraControl(rawValue: "pan-speed")
  /// How fast it turns upwards, as `panSpeed`.
  public static let tiltSpeed = CameraControl(rawValue: "tilt-speed")
  /// A flag: the device steadies the picture.
  public static let stabilization = CameraControl(rawValue: "stabilization")

  // MARK: Light

  /// 0 is off, 1 the brightest.
  public static let torch = CameraControl(rawValue: "torch")

  // MARK: Battery

  /// How full the battery of a camera or its dock is, from 0 to 1. Read only.
  public static let batteryLevel = CameraControl(rawValue: "battery-level")
  /// A flag: the battery is being charged. Read only.
  public static let batteryCharging = CameraControl(rawValue: "battery-charging")

  // MARK: Picture

  /// In units of the device.
  public static let brightness = CameraControl(rawValue: "brightness")
  /// In units of the device.
  public static let contrast = CameraControl(rawValue: "contrast")
  /// In units of the device.
  public static let saturation = CameraControl(rawValue: "saturation")
  /// In units of the device.
  public static let hue = CameraControl(rawValue: "hue")
  /// In units of the device.
  public static let gamma = CameraControl(rawValue: "gamma")
  /// In units of the device.
  public static let sharpness = CameraControl(rawValue: "sharpness")
}

extension CameraControl {
  /// It turns the camera for as long as it is not told otherwise.
  var isSpeed: Bool { self == .panSpeed || self == .tiltSpeed }
  /// It turns the camera, and leaves exposure and colour as they are.
  var isMotion: Bool { isSpeed || self == .pan || self == .tilt }
}

extension CameraControl: CustomStringConvertible, Comparable {
  /// The name.
  public var description: String { rawValue }
  /// In the order of the alphabet.
  public static func < (left: CameraControl, right: CameraControl) -> Bool { left.rawValue < right.rawValue }
}
