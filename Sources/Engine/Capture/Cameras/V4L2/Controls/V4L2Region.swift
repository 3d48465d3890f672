import Video4Linux

/// A region of interest, as UVC 1.5 cameras have it (4.2.2.1.20 "Digital Region of Interest") and `uvcvideo` of kernels after 6.1 exposes it
/// (Linux commit 7171c9cb519f, "media: uvcvideo: document UVC v1.5 ROI"):
/// one rectangle, and a mask of the automatics that follow it instead of the whole picture. Auto focus follows the rectangle after a
/// tap; auto exposure follows it if that is requested. There is only one rectangle, so the last request wins.
///
/// The rectangle is in pixels of the sensor, in any format. The stored picture is assumed to show the whole sensor. If the
/// format has another aspect ratio than the sensor and therefore crops it, a point is off by the cropped part.
struct V4L2Region {
  static let ids: [ControlID] = [.regionOfInterest, .regionOfInterestAutomatics]
  /// The share of width and height that the region covers, unless the device's minimum is larger.
  private static let share = 0.2

  private let automatics: Control
  private let whole: PixelRectangle
  private let least: FrameSize
  private let masks: [(control: CameraControl, bits: Int64)]

  /// Nil if the device has no region, or a region that neither focus nor exposure can follow.
  init?(_ list: ControlList, on device: VideoDevice) {
    guard let automatics = list[.regionOfInterestAutomatics], !automatics.flags.contains(.readOnly),
      case .bitmask(let mask, _) = automatics.kind, list.hasRectangle(.regionOfInterest),
      let whole = try? device.rectangle(of: .regionOfInterest, .greatest),
      let smallest = try? device.rectangle(of: .regionOfInterest, .least)
    else { return nil }
    // No sensor has more than 65,536 pixels a side, and sums of numbers within this limit cannot overflow.
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

  /// The controls that can be pointed at a region.
  var controls: [CameraControl] { masks.map { $0.control } }

  /// The middle of the region, if `control` follows the region; otherwise nil.
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

  /// Points `control` at a region. The rectangle is set first, so that the automatic never follows the previous one.
  func set(_ control: CameraControl, x: Double, y: Double, on device: VideoDevice) throws(VideoDeviceError) {
    guard let bits = masks.first(where: { $0.control == control })?.bits else { return }
    try device.setRectangle(.regionOfInterest, to: rectangle(x: x, y: y))
    try device.set(automatics, to: .integer(bits))
  }

  /// The rectangle about a point from 0 to 1, kept within the sensor.
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
