/// Interpolates the brightness of any uncompressed picture between its pixels. Valid only while its `PixelBuffer` is held.
package struct LumaSampler {
  package let size: PixelSize
  private let base: UnsafeRawPointer
  private let bytesPerRow: Int
  private let pixelStride: Int
  private let isColor: Bool

  /// Nil for compressed pictures, and for planes too small for their format.
  package init?(_ image: PixelBuffer) {
    guard let place = image.format.pixelFormat.lumaPlace, let plane = image.planes.first else { return nil }
    let size = image.format.size
    guard size.width > 0, size.height > 0, plane.height >= size.height,
      plane.bytesPerRow / place.stride >= size.width
    else { return nil }
    self.size = size
    base = UnsafeRawPointer(plane.base) + place.offset
    bytesPerRow = plane.bytesPerRow
    pixelStride = place.stride
    isColor = image.format.pixelFormat.isRGB
  }

  /// The luma 0–255 of a pixel, which must be inside. Red and blue have the same weight, so that their order does not
  /// matter. This is exact enough for charts, which are grey.
  private func luma(_ x: Int, _ y: Int) -> Int {
    let pixel = base + (y * bytesPerRow + x * pixelStride)
    let first = Int(pixel.load(as: UInt8.self))
    guard isColor else { return first }
    let green = Int(pixel.load(fromByteOffset: 1, as: UInt8.self))
    return (first + 2 * green + Int(pixel.load(fromByteOffset: 2, as: UInt8.self))) / 4
  }

  /// The interpolated luma (bilinear); the first pixel covers 0 to 1, and positions outside use the nearest pixel.
  package func luma(x: Double, y: Double) -> Double {
    let x = min(max(x - 0.5, 0), Double(size.width - 1))
    let y = min(max(y - 0.5, 0), Double(size.height - 1))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
    let (dx, dy) = (x - Double(left), y - Double(top))
    let upper = Double(luma(left, top)) * (1 - dx) + Double(luma(right, top)) * dx
    let lower = Double(luma(left, bottom)) * (1 - dx) + Double(luma(right, bottom)) * dx
    return upper * (1 - dy) + lower * dy
  }
}
