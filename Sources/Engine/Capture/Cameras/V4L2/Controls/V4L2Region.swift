import Video4Linux

/// A region of interest, as UVC 1.5 cameras have it (4.2.2.1.20 "Digital Region of Interest") and `uvcvideo` of later kernels than 6.1 tells it
/// (Linux commit 7171c9cb519f, "media: uvcvideo: document UVC v1.5 ROI"):
/// one rectangle, and a mask of the automatics that follow it instead of the whole picture. The automatic of the focus follows it after a
/// tap, that of the exposure where somebody asks for it; since there is but the one rectangle, the one that was asked last has it.
///
/// The rectangle counts the sensor's pixels, whatever the format is. The stored picture is taken to show the whole sensor: in a format of
/// another shape, which crops it, a point is off by what is cropped.
struct V4L2Region {
  static let ids: [ControlID] = [.regionOfInterest, .regionOfInterestAutomatics]
  /// Of width and height, where the device has it so small.
  private static let share = 0.2

  private let automatics: Control
  private let whole: PixelRectangle
  private let least: FrameSize
  private let masks: [(control: CameraControl, bits: Int64)]

  /// Nil where the device has none, or none that focus or exposure could follow.
  init?(_ list: ControlList, on device: VideoDevice) {
    guard let automatics = list[.regionOfInterestAutomatics], !automatics.flags.contains(.readOnly),
      case .bitmask(let mask, _) = automatics.kind, list.hasRectangle(.regionOfInterest),
      let whole = try? device.rectangle(of: .regionOfInterest, .greatest),
      let smallest = try? device.rectangle(of: .regionOfInterest, .least)
    else { return nil }
    // No sensor is larger, and sums of what is smaller cannot overflow.
    let isSound = [whole, smallest].allSatisfy { rectangle in
      (1...65_536).contains(rectangle.size.width) && (1...65_536).contains(rectangle.size.height)
        && (0...65_536).contains(rectangle.left) && (0...65_536).contains(rectangle.top)
    }
    let known: [(control: CameraControl, bits: Int64)] = [(.focusPoint, 8), (.exposurePoint, 1)]
    let masks = known.filter { Int64(mask) & $0.bits != 0 }
    guard isSound, !masks.isEmpty else { return nil }
    self.automatics = automatics
    self.whole = whole
    least = smallest.size
    self.masks = masks
  }

  /// What can be pointed at.
  var controls: [CameraControl] { masks.map { $0.control } }

  /// The middle of the region, where this is what follows it.
  func point(of control: CameraControl, on device: VideoDevice) -> CameraControlValue? {
    guard let bits = masks.first(where: { $0.control == control })?.bits,
      case .integer(let present)? = try? device.value(of: automatics), present & bits != 0,
      let region = try? device.rectangle(of: .regionOfInterest)
    else { return nil }
    let x = Double(region.left - whole.left) + Double(region.size.width) / 2
    let y = Double(region.top - whole.top) + Double(region.size.height) / 2
    return .point(
      x: min(max(x / Double(whole.size.width), 0), 1), y: min(max(y / Double(whole.size.height), 0), 1))
  }

  /// The rectangle first, so that nothing follows the one before.
  func set(_ control: CameraControl, x: Double, y: Double, on device: VideoDevice) throws(VideoDeviceError) {
    guard let bits = masks.first(where: { $0.control == control })?.bits else { return }
    try device.setRectangle(.regionOfInterest, to: rectangle(x: x, y: y))
    try device.set(automatics, to: .integer(bits))
  }

  /// About a point from 0 to 1, within the sensor.
  func rectangle(x: Double, y: Double) -> PixelRectangle {
    func side(_ whole: Int, _ least: Int) -> Int {
      min(max(Int((Double(whole) * Self.share).rounded()), least, 1), whole)
    }
    func start(_ place: Double, _ side: Int, whole: Int) -> Int {
      let middle = min(max(place.isNaN ? 0.5 : place, 0), 1) * Double(whole)
      return min(max(Int((middle - Double(side) / 2).rounded()), 0), whole - side)
    }
    let size = FrameSize(
      width: side(whole.size.width, least.width), height: side(whole.size.height, least.height))
    return PixelRectangle(
      left: whole.left + start(x, size.width, whole: whole.size.width),
      top: whole.top + start(y, size.height, whole: whole.size.height), size: size)
  }
}
