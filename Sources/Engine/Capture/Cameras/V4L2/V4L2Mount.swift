import Imagery
import Video4Linux

/// The mounting of a sensor in its device, as its driver reports it: V4L2, "Camera Control Reference".
///
/// - `V4L2_CID_CAMERA_ORIENTATION`: front faces the user; back and external do not.
/// - `V4L2_CID_CAMERA_SENSOR_ROTATION`: the counter-clockwise turn that makes an unflipped picture upright.
/// - The engine does not change `V4L2_CID_HFLIP` and `V4L2_CID_VFLIP`. If the driver reports a rotation, the flips are part of the
///   mounting: drivers report the flips of their set-up in them (kernel, "Writing camera sensor drivers"), and another program may have left
///   them set. If the driver reports no rotation, the flips are the user's choice of how the picture looks, as with a webcam.
/// - The engine does not change `V4L2_CID_ROTATE` either. The kernel does not define its direction, and a user
///   who sets it wants upright pictures from the driver: then the engine adds no turn of its own.
struct V4L2Mount {
  private let device: VideoDevice

  init(of device: VideoDevice) { self.device = device }

  /// The orientation and the facing that the driver reports; nil for each one that it does not report or that cannot be read.
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
  /// The mount that the user specified, completed by the driver's report.
  func mount(of device: VideoDevice) -> SensorMount {
    // Ask the driver only if something is missing: most cameras report nothing, and each question is a call.
    let isWhole = orientation != nil && isFrontFacing != nil
    let told: (orientation: Orientation?, isFrontFacing: Bool?) =
      isWhole ? (nil, nil) : V4L2Mount(of: device).tell()
    return SensorMount(
      orientation: orientation ?? told.orientation ?? .upright,
      isFrontFacing: isFrontFacing ?? told.isFrontFacing ?? false)
  }
}
