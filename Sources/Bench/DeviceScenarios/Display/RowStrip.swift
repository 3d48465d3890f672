import Charts
import Imagery

/// A column of numbers, cut out of a BGRA picture: the same number from top to bottom, unless the picture consists of two frames.
struct RowStrip: Sendable {
  let pixels: [UInt8]
  /// Width and height of each number, in pixels.
  let side: Int

  /// - Parameter column: the places of the numbers. The initializer returns nil if they are not inside the picture.
  init?(_ image: PixelBuffer, column: [ChartRect]) {
    guard let first = column.first, let last = column.last, let plane = image.planes.first,
      first.isInside(image.format.size), last.isInside(image.format.size)
    else { return nil }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * first.width * (last.y + last.height - first.y))
    for row in first.y..<last.y + last.height {
      let start = plane.base + row * plane.bytesPerRow + 4 * first.x
      pixels += UnsafeRawBufferPointer(start: start, count: 4 * first.width)
    }
    self.pixels = pixels
    side = first.width
  }

  /// Returns the numbers from top to bottom; nil for a number that cannot be read.
  func codes() -> [UInt32?] {
    var pixels = pixels
    return pixels.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress, side > 0 else { return [] }
      let size = PixelSize(width: side, height: bytes.count / (4 * side))
      let image = PixelBuffer(
        format: ImageFormat(
          pixelFormat: .bgra, size: size, color: ColorDescription(matrix: .bt709, range: .full)),
        planes: [Plane(base: base, bytesPerRow: 4 * side, height: size.height)], lender: nil)
      return (0..<size.height / side).map { place in
        let rect = ChartRect(x: 0, y: place * side, width: side, height: side)
        return TimeCode.read(from: image, corners: ChartCorners(rect))
      }
    }
  }
}
