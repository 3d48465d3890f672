import Glibc
import Imagery

/// A spot in a picture, and its measured place on the preview.
struct Spot {
  static let size = PixelSize(width: 320, height: 240)
  /// Standard deviation at zoom 1, in stored pixels. On the surface it is nearly the same at every zoom.
  private static let radius = 3.0
  private let pool = PixelBufferPool()

  /// Draws the spot where a tap is converted to.
  /// - Parameter place: the place of the tap on the surface, as shares of its width and height.
  /// - Returns: the error in pixels of the surface; infinite if nothing is visible.
  func error(_ geometry: PreviewGeometry, at place: (Double, Double)) throws -> Double {
    let surface = geometry.surface
    let tap = (x: place.0 * Double(surface.width), y: place.1 * Double(surface.height))
    return try error(geometry, of: tap, drawnAt: geometry.devicePoint(x: tap.x, y: tap.y))
  }

  /// - Parameters:
  ///   - tap: the tapped point, in pixels of the surface.
  ///   - point: the place of the spot in the stored picture, from 0 to 1.
  func error(
    _ geometry: PreviewGeometry, of tap: (x: Double, y: Double), drawnAt point: (x: Double, y: Double)
  ) throws -> Double {
    let canvas = Canvas(geometry)
    let place = (
      x: (point.x - 0.5) * Double(Self.size.width) * canvas.scale + Double(canvas.size.width) / 2,
      y: (point.y - 0.5) * Double(Self.size.height) * canvas.scale + Double(canvas.size.height) / 2
    )
    let picture = try drawn(canvas.size, at: place, radius: max(1, Self.radius / canvas.zoom))
    let shown = try pool.makeBuffer(
      ImageFormat(
        pixelFormat: .bgra, size: geometry.surface, color: ColorDescription(matrix: .bt709, range: .full)))
    try PreviewRenderer().render(
      picture, orientation: geometry.orientation, zoom: canvas.zoom, into: shown)
    guard let centre = Self.centre(of: shown) else { return .infinity }
    return ((centre.x - tap.x) * (centre.x - tap.x) + (centre.y - tap.y) * (centre.y - tap.y)).squareRoot()
  }

  /// The picture as it is given to the renderer. The renderer rotates it, and can only fill the surface; for the gravity `fit`, the picture is
  /// scaled about its centre here, with bars.
  private struct Canvas {
    var size = Spot.size
    /// Pixels per pixel of the stored picture.
    var scale = 1.0
    /// The zoom that is left to the renderer.
    var zoom: Double

    init(_ geometry: PreviewGeometry) {
      zoom = geometry.zoom
      guard geometry.gravity == .fit else { return }
      size = geometry.orientation.applied(to: geometry.surface)
      let fitting = min(
        Double(size.width) / Double(Spot.size.width), Double(size.height) / Double(Spot.size.height))
      scale = fitting * geometry.zoom
      zoom = 1
    }
  }

  private func drawn(_ size: PixelSize, at point: (x: Double, y: Double), radius: Double) throws
    -> PixelBuffer
  {
    let picture = try pool.makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: size, color: ColorDescription(matrix: .bt709, range: .full)))
    let plane = picture.planes[0]
    for y in 0..<size.height {
      for x in 0..<size.width {
        plane.base.storeBytes(
          of: UInt32(0xFF00_0000).littleEndian, toByteOffset: y * plane.bytesPerRow + 4 * x, as: UInt32.self)
      }
    }
    // Beyond five standard deviations, the spot is invisible.
    let reach = Int(5 * radius)
    let rows = (0..<size.height).clamped(to: Int(point.y) - reach..<Int(point.y) + reach + 1)
    let columns = (0..<size.width).clamped(to: Int(point.x) - reach..<Int(point.x) + reach + 1)
    for y in rows {
      for x in columns {
        let (dx, dy) = (Double(x) + 0.5 - point.x, Double(y) + 0.5 - point.y)
        let code = UInt8((250 * exp(-(dx * dx + dy * dy) / (2 * radius * radius))).rounded())
        let pixel = UInt32(code) * 0x01_0101 | 0xFF00_0000
        plane.base.storeBytes(
          of: pixel.littleEndian, toByteOffset: y * plane.bytesPerRow + 4 * x, as: UInt32.self)
      }
    }
    return picture
  }

  /// Returns the centre of the bright part, in pixels. Nil for a dark picture.
  private static func centre(of picture: PixelBuffer) -> (x: Double, y: Double)? {
    let (plane, size) = (picture.planes[0], picture.format.size)
    var (sum, across, down) = (0.0, 0.0, 0.0)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let code = plane.base.load(fromByteOffset: y * plane.bytesPerRow + 4 * x + 1, as: UInt8.self)
        guard code > 8 else { continue }
        sum += Double(code)
        across += Double(code) * (Double(x) + 0.5)
        down += Double(code) * (Double(y) + 0.5)
      }
    }
    return sum > 1000 ? (across / sum, down / sum) : nil
  }
}
