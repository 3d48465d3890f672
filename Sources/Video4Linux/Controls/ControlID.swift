import CVideo4Linux

/// The number of a control; the names are those of the kernel's camera and user classes.
public struct ControlID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(user offset: UInt32) { rawValue = 0x0098_0900 + offset }  // V4L2_CID_USER_BASE
  private init(camera offset: UInt32) { rawValue = 0x009A_0900 + offset }  // V4L2_CID_CAMERA_CLASS_BASE

  public static let brightness = ControlID(user: 0)
  public static let contrast = ControlID(user: 1)
  public static let saturation = ControlID(user: 2)
  public static let hue = ControlID(user: 3)
  public static let autoWhiteBalance = ControlID(user: 12)
  public static let doWhiteBalance = ControlID(user: 13)
  public static let redBalance = ControlID(user: 14)
  public static let blueBalance = ControlID(user: 15)
  public static let gamma = ControlID(user: 16)
  public static let autoGain = ControlID(user: 18)
  public static let gain = ControlID(user: 19)
  public static let horizontalFlip = ControlID(user: 20)
  public static let verticalFlip = ControlID(user: 21)
  public static let powerLineFrequency = ControlID(user: 24)
  /// In kelvin.
  public static let whiteBalanceTemperature = ControlID(user: 26)
  public static let sharpness = ControlID(user: 27)
  public static let backlightCompensation = ControlID(user: 28)
  /// In degrees; the kernel does not say in which direction.
  public static let rotate = ControlID(user: 34)

  /// A menu: 0 automatic, 1 manual, 2 shutter priority, 3 aperture priority.
  public static let autoExposure = ControlID(camera: 1)
  /// In units of 100 µs.
  public static let exposureTime = ControlID(camera: 2)
  public static let exposureAutoPriority = ControlID(camera: 3)
  /// In arc seconds.
  public static let pan = ControlID(camera: 8)
  /// In arc seconds.
  public static let tilt = ControlID(camera: 9)
  public static let focus = ControlID(camera: 10)
  public static let autoFocus = ControlID(camera: 12)
  public static let zoom = ControlID(camera: 13)
  public static let iris = ControlID(camera: 17)
  /// An integer menu, by convention in 0.001 EV.
  public static let exposureBias = ControlID(camera: 19)
  public static let whiteBalancePreset = ControlID(camera: 20)
  public static let wideDynamicRange = ControlID(camera: 21)
  public static let stabilization = ControlID(camera: 22)
  /// An integer menu, in 0.001 ISO.
  public static let isoSensitivity = ControlID(camera: 23)
  public static let autoISOSensitivity = ControlID(camera: 24)
  public static let exposureMetering = ControlID(camera: 25)
  /// A bit mask: 1 exposure, 2 white balance, 4 focus.
  public static let lock3A = ControlID(camera: 27)
  public static let autoFocusStart = ControlID(camera: 28)
  public static let autoFocusStop = ControlID(camera: 29)
  public static let autoFocusStatus = ControlID(camera: 30)
  public static let autoFocusRange = ControlID(camera: 31)
  /// How the sensor is mounted: 0 front, 1 back, 2 external.
  public static let cameraOrientation = ControlID(camera: 34)
  /// Degrees by which a picture that is not flipped must be turned counter-clockwise to be upright.
  public static let cameraSensorRotation = ControlID(camera: 35)

  public var isCameraClass: Bool { rawValue & 0x0FFF_0000 == 0x009A_0000 }
  public var description: String { "0x" + String(rawValue, radix: 16) }
}
