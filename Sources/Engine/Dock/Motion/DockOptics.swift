import Capture
import Glibc
import Imagery

/// Converts between places in the upright picture and angles of the motors. The motors turn about the axes of the device: if it is held turned, a
/// subject to the right in the upright picture may be above for them.
struct DockOptics: Hashable, Sendable {
  /// The tangent of half the horizontal field of view, for the picture while the device is held upright.
  private let across: Double
  /// The tangent of half the vertical field of view, for the picture while the device is held upright.
  private let down: Double
  private let toDevice: Orientation

  /// - Parameters:
  ///   - fieldOfView: the horizontal field of view of the stored picture, in radians.
  ///   - zoom: the zoom factor of the lens, by which `fieldOfView` is narrowed; below 1 counts as 1.
  init(
    _ orientation: FrameOrientation, mount: SensorMount, size: PixelSize, fieldOfView: Double, zoom: Double
  ) {
    let half = tan(min(max(fieldOfView, 0.01), 3) / 2) / max(zoom, 1)
    let other = half * Double(size.height) / Double(max(size.width, 1))
    let swaps = mount.orientation.rotation.swapsAxes
    (across, down) = swaps ? (other, half) : (half, other)
    toDevice = orientation.capture.inverse.followed(by: mount.orientation)
  }

  /// The angles by which the motors must turn to bring a point to the middle.
  func angles(of point: DockPoint) -> DockAngles {
    let vector = Self.turned(DockPoint(x: point.x - 0.5, y: point.y - 0.5), by: toDevice)
    return DockAngles(pan: atan(2 * vector.x * across), tilt: -atan(2 * vector.y * down))
  }

  /// The shift of the picture, in shares of its size, for a small turn of the motors; near the middle of the picture.
  func shift(of angles: DockAngles) -> DockPoint {
    let vector = DockPoint(x: -angles.pan / (2 * across), y: angles.tilt / (2 * down))
    return Self.turned(vector, by: toDevice.inverse)
  }

  private static func turned(_ vector: DockPoint, by orientation: Orientation) -> DockPoint {
    var vector = vector
    if orientation.isMirrored { vector.x = -vector.x }
    for _ in 0..<orientation.rotation.quarterTurns { vector = DockPoint(x: -vector.y, y: vector.x) }
    return vector
  }
}
