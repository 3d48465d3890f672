/// The number of a control, with the names of the kernel's user, camera and flash classes.
public struct ControlID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The kernel's number (`V4L2_CID_…`).
  public let rawValue: UInt32

  /// Creates an ID from any number, including one without a name here, such as a driver's private control.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(user offset: UInt32) { rawValue = 0x0098_0900 + offset }  // V4L2_CID_USER_BASE
  private init(camera offset: UInt32) { rawValue = 0x009A_0900 + offset }  // V4L2_CID_CAMERA_CLASS_BASE
  private init(flash offset: UInt32) { rawValue = 0x009C_0900 + offset }  // V4L2_CID_FLASH_CLASS_BASE

  /// The black level of the picture.
  public static let brightness = ControlID(user: 0)
  /// The luma gain.
  public static let contrast = ControlID(user: 1)
  /// Colour saturation.
  public static let saturation = ControlID(user: 2)
  /// Colour balance.
  public static let hue = ControlID(user: 3)
  /// Automatic white balance.
  public static let autoWhiteBalance = ControlID(user: 12)
  /// A button: balances white once.
  public static let doWhiteBalance = ControlID(user: 13)
  /// The balance of red during manual white balance.
  public static let redBalance = ControlID(user: 14)
  /// The balance of blue during manual white balance.
  public static let blueBalance = ControlID(user: 15)
  /// Gamma correction.
  public static let gamma = ControlID(user: 16)
  /// Automatic gain.
  public static let autoGain = ControlID(user: 18)
  /// The gain, used while the device does not choose it.
  public static let gain = ControlID(user: 19)
  /// The picture is mirrored left to right.
  public static let horizontalFlip = ControlID(user: 20)
  /// The picture is mirrored top to bottom.
  public static let verticalFlip = ControlID(user: 21)
  /// A menu against flicker: 0 off, 1 50 Hz, 2 60 Hz, 3 automatic.
  public static let powerLineFrequency = ControlID(user: 24)
  /// The white balance temperature in kelvin.
  public static let whiteBalanceTemperature = ControlID(user: 26)
  /// Sharpening by the device.
  public static let sharpness = ControlID(user: 27)
  /// Exposes for a subject in front of a light.
  public static let backlightCompensation = ControlID(user: 28)
  /// The rotation in degrees; the kernel does not define its direction.
  public static let rotate = ControlID(user: 34)

  /// A menu: 0 automatic, 1 manual, 2 shutter priority, 3 aperture priority.
  public static let autoExposure = ControlID(camera: 1)
  /// The exposure time in units of 100 µs.
  public static let exposureTime = ControlID(camera: 2)
  /// Whether automatic exposure may lengthen the frame interval.
  public static let exposureAutoPriority = ControlID(camera: 3)
  /// The pan angle in arc seconds.
  public static let pan = ControlID(camera: 8)
  /// The tilt angle in arc seconds.
  public static let tilt = ControlID(camera: 9)
  /// The focus position in units of the device; larger is nearer.
  public static let focus = ControlID(camera: 10)
  /// Continuous auto focus.
  public static let autoFocus = ControlID(camera: 12)
  /// Focal length, in units of the device.
  public static let zoom = ControlID(camera: 13)
  /// Aperture, in units of the device.
  public static let iris = ControlID(camera: 17)
  /// The exposure bias: an integer menu, by convention in 0.001 EV.
  public static let exposureBias = ControlID(camera: 19)
  /// A menu of light sources: 0 manual, 1 automatic, 2 incandescent, and further ones.
  public static let whiteBalancePreset = ControlID(camera: 20)
  /// Exposes bright and dark parts separately.
  public static let wideDynamicRange = ControlID(camera: 21)
  /// Image stabilization by the device.
  public static let stabilization = ControlID(camera: 22)
  /// The ISO sensitivity: an integer menu, in 0.001 ISO.
  public static let isoSensitivity = ControlID(camera: 23)
  /// A menu: 0 manual, 1 automatic.
  public static let autoISOSensitivity = ControlID(camera: 24)
  /// A menu: 0 average, 1 centre-weighted, 2 spot, 3 matrix.
  public static let exposureMetering = ControlID(camera: 25)
  /// A bit mask: 1 exposure, 2 white balance, 4 focus.
  public static let lock3A = ControlID(camera: 27)
  /// A button: focuses once.
  public static let autoFocusStart = ControlID(camera: 28)
  /// A button: stops focusing.
  public static let autoFocusStop = ControlID(camera: 29)
  /// A bit mask: 0 idle, 1 busy, 2 reached, 4 failed.
  public static let autoFocusStatus = ControlID(camera: 30)
  /// The speed of a turn, in units of the device; above zero to the right, 0 stands still.
  public static let panSpeed = ControlID(camera: 32)
  /// The speed of a turn, in units of the device; above zero upwards, 0 stands still.
  public static let tiltSpeed = ControlID(camera: 33)
  /// A menu: 0 automatic, 1 normal, 2 macro, 3 infinity.
  public static let autoFocusRange = ControlID(camera: 31)
  /// The mounting of the sensor: 0 front, 1 back, 2 external.
  public static let cameraOrientation = ControlID(camera: 34)
  /// The angle in degrees by which an unflipped picture must be turned counter-clockwise to be upright.
  public static let cameraSensorRotation = ControlID(camera: 35)

  /// A menu: 0 off, 1 a flash for each picture, 2 a torch.
  public static let flashMode = ControlID(flash: 1)
  /// The intensity of a torch, in milliamperes.
  public static let torchIntensity = ControlID(flash: 8)

  /// A rectangle of the sensor that automatics may follow (`V4L2_CID_UVC_REGION_OF_INTEREST_RECT`); kernels later than 6.1.
  public static let regionOfInterest = ControlID(user: 0x11E1)
  /// A bit mask of the automatics that follow the region (`V4L2_CID_UVC_REGION_OF_INTEREST_AUTO`): 1 exposure, 2 iris, 4 white balance, 8 focus.
  public static let regionOfInterestAutomatics = ControlID(user: 0x11E2)

  /// Whether the control belongs to the camera class.
  public var isCameraClass: Bool { rawValue & 0x0FFF_0000 == 0x009A_0000 }
  /// The number in hexadecimal digits.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}
