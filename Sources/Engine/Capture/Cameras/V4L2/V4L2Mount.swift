import Imagery
import Video4Linux

/// How a sensor sits in its device, as its driver says: V4L2, "Camera Control Reference".
///
/// - `V4L2_CID_CAMERA_ORIENTATION`: front is facing the user; back, and a camera that can be moved freely, are not.
/// - `V4L2_CID_CAMERA_SENSOR_ROTATION`: the turn that makes the picture upright, counter-clockwise, of a picture that is not flipped.
/// - `V4L2_CID_HFLIP` and `V4L2_CID_VFLIP` are left as they are. Where a rotation is told, they count: drivers say by them which flips are
///   part of their set-up (kernel, "Writing camera sensor drivers"), and another program may have left them set. Where none is
///   told, they are their user's own wish of how the picture is to look, as with a webcam.
/// - `V4L2_CID_ROTATE` is left as it is too. The kernel does not say in which direction it turns, and who sets it wants
///   the picture to come upright from the driver: then the engine adds no turn of its own.
struct V4L2Mount {
  private let device: VideoDevice

  init(of device: VideoDevice) { self.device = device }

  /// What of it the driver tells. A control that cannot be read tells nothing.
  func tell() -> (orientation: Orientation?, isFrontFacing: Bool?) {
    (orientation, number(.cameraOrientation).map { $0 == 0 })
  }

  private var orientation: Orientation? {
    guard let degrees = number(.cameraSensorRotation), (0..<360).contains(degrees), degrees % 90 == 0 else {
      return nil
    }
    if let turned = number(.rotate), turned != 0 { return .upright }
    var unflipped = Orientation.upright
    if number(.horizontalFlip) == 1 { unflipped = Orientation(rotation: .none, isMirrored: true) }
    if number(.verticalFlip) == 1 {
      unflipped = unflipped.followed(by: Orientation(rotation: .half, isMirrored: true))
    }
    return unflipped.followed(by: Orientation(rotation: Rotation(quarterTurns: -Int(degrees) / 90)))
  }

  private func number(_ id: ControlID) -> Int64? {
    guard let control = try? device.control(id), let value = try? device.value(of: control) else {
      return nil
    }
    return switch value {
    case .integer(let number): number
    case .boolean(let isOn): isOn ? 1 : 0
    case .string: nil
    }
  }
}

extension V4L2Request {
  /// What the user says of the mount, completed by what the driver says.
  func mount(of device: VideoDevice) -> SensorMount {
    // A driver that is not needed is not asked: most cameras tell nothing, and each question is a call.
    let isWhole = orientation != nil && isFrontFacing != nil
    let told: (orientation: Orientation?, isFrontFacing: Bool?) =
      isWhole ? (nil, nil) : V4L2Mount(of: device).tell()
    return SensorMount(
      orientation: orientation ?? told.orientation ?? .upright,
      isFrontFacing: isFrontFacing ?? told.isFrontFacing ?? false)
  }
}
