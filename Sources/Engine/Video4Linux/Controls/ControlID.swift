import CVideo4Linux

/// The number of a control; the names are those of the kernel's camera and user classes.
public struct ControlID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number as the kernel has it (`V4L2_CID_…`).
  public let rawValue: UInt32

  /// Any number, also one that has no name here, such as a control of one driver alone.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(user offset: UInt32) { rawValue = 0x0098_0900 + offset }  // V4L2_CID_USER_BASE
  private init(camera offset: UInt32) { rawValue = 0x009A_0900 + offset }  // V4L2_CID_CAMERA_CLASS_BASE
  private init(flash offset: UInt32) { rawValue = 0x009C_0900 + offset }  // V4L2_CID_FLASH_CLASS_BASE

  /// Black level of the picture.
  public static let brightness = ControlID(user: 0)
  /// Gain of brightness.
  public static let contrast = ControlID(user: 1)
  /// Colour saturation.
  public static let saturation = ControlID(user: 2)
  /// Colour balance.
  public static let hue = ControlID(user: 3)
  /// The device balances white by itself.
  public static let autoWhiteBalance = ControlID(user: 12)
  /// A button: balances white once.
  public static let doWhiteBalance = ControlID(user: 13)
  /// Share of red while white is balanced by hand.
  public static let redBalance = ControlID(user: 14)
  /// Share of blue while white is balanced by hand.
  public static let blueBalance = ControlID(user: 15)
  /// Gamma correction.
  public static let gamma = ControlID(user: 16)
  /// The device chooses gain and exposure by itself.
  public static let autoGain = ControlID(user: 18)
  /// Gain while the device does not choose it.
  public static let gain = ControlID(user: 19)
  /// The picture is mirrored left to right.
  public static let horizontalFlip = ControlID(user: 20)
  /// The picture is mirrored top to bottom.
  public static let verticalFlip = ControlID(user: 21)
  /// A menu against flicker: 0 off, 1 50 Hz, 2 60 Hz, 3 automatic.
  public static let powerLineFrequency = ControlID(user: 24)
  /// In kelvin.
  public static let whiteBalanceTemperature = ControlID(user: 26)
  /// Sharpening by the device.
  public static let sharpness = ControlID(user: 27)
  /// Exposes for what is in front of the light.
  public static let backlightCompensation = ControlID(user: 28)
  /// In degrees; the kernel does not say in which direction.
  public static let rotate = ControlID(user: 34)

  /// A menu: 0 automatic, 1 manual, 2 shutter priority, 3 aperture priority.
  public static let autoExposure = ControlID(camera: 1)
  /// In units of 100 µs.
  public static let exposureTime = ControlID(camera: 2)
  /// Automatic exposure may lengthen the frame interval.
  public static let exposureAutoPriority = ControlID(camera: 3)
  /// In arc seconds.
  public static let pan = ControlID(camera: 8)
  /// In arc seconds.
  public static let tilt = ControlID(camera: 9)
  /// In units of the device; larger is nearer.
  public static let focus = ControlID(camera: 10)
  /// The device focuses continuously by itself.
  public static let autoFocus = ControlID(camera: 12)
  /// Focal length, in units of the device.
  public static let zoom = ControlID(camera: 13)
  /// Aperture, in units of the device.
  public static let iris = ControlID(camera: 17)
  /// An integer menu, by convention in 0.001 EV.
  public static let exposureBias = ControlID(camera: 19)
  /// A menu of lights: 0 manual, 1 automatic, 2 incandescent and on.
  public static let whiteBalancePreset = ControlID(camera: 20)
  /// Exposes bright and dark parts apart.
  public static let wideDynamicRange = ControlID(camera: 21)
  /// The device steadies the picture.
  public static let stabilization = ControlID(camera: 22)
  /// An integer menu, in 0.001 ISO.
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
  /// How fast it turns, in units of the device; above zero to the right, 0 stands still.
  public static let panSpeed = ControlID(camera: 32)
  /// How fast it turns, in units of the device; above zero upwards, 0 stands still.
  public static let tiltSpeed = ControlID(camera: 33)
  /// A menu: 0 automatic, 1 normal, 2 macro, 3 infinity.
  public static let autoFocusRange = ControlID(camera: 31)
  /// How the sensor is mounted: 0 front, 1 back, 2 external.
  public static let cameraOrientation = ControlID(camera: 34)
  /// Degrees by which a picture that is not flipped must be turned counter-clockwise to be upright.
  public static let cameraSensorRotation = ControlID(camera: 35)

  /// A menu: 0 off, 1 a flash for each picture, 2 a torch.
  public static let flashMode = ControlID(flash: 1)
  /// How bright a torch is, in milliamperes.
  public static let torchIntensity = ControlID(flash: 8)

  /// A rectangle of the sensor that automatics may follow (`V4L2_CID_UVC_REGION_OF_INTEREST_RECT`); kernels later than 6.1.
  public static let regionOfInterest = ControlID(user: 0x11E1)
  /// A bit mask of the automatics that follow it (`V4L2_CID_UVC_REGION_OF_INTEREST_AUTO`): 1 exposure, 2 iris, 4 white balance, 8 focus.
  public static let regionOfInterestAutomatics = ControlID(user: 0x11E2)

  /// It belongs to the camera class, not to the user class.
  public var isCameraClass: Bool { rawValue & 0x0FFF_0000 == 0x009A_0000 }
  /// The number, in hexadecimal digits.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}
