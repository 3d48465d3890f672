import Imagery

/// Makes the brightness of the whole upright picture of any frame, whatever the zoom. Confined to one thread.
final class FrameLuma {
  private let renderer = PreviewRenderer()
  private let pool = PixelBufferPool()
  private let longSide: Int

  init(longSide: Int) { self.longSide = longSide }

  /// - Throws: an error if the frame cannot be decoded.
  func picture(of frame: Frame) throws(ImageError) -> LumaPicture {
    let upright = frame.orientation.capture.applied(to: frame.image.format.size)
    let scale = min(1, Double(longSide) / Double(max(upright.longSide, 1)))
    let size = PixelSize(
      width: max(4, Int((Double(upright.width) * scale).rounded())),
      height: max(4, Int((Double(upright.height) * scale).rounded())))
    let format = ImageFormat(
      pixelFormat: .bgra, size: size, color: ColorDescription(matrix: .bt709, range: .full))
    let picture = try pool.makeBuffer(format)
    try renderer.render(frame.image, orientation: frame.orientation.capture, zoom: 1, into: picture)
    return LumaPicture(width: size.width, height: size.height, codes: Self.luma(picture))
  }

  /// The luma of each pixel: (blue + 2 × green + red) / 4.
  private static func luma(_ picture: PixelBuffer) -> [UInt8] {
    let (size, plane) = (picture.format.size, picture.planes[0])
    return [UInt8](unsafeUninitializedCapacity: size.width * size.height) { codes, count in
      for y in 0..<size.height {
        let row = (plane.base + y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
        for x in 0..<size.width {
          let sum = UInt16(row[4 * x]) + 2 * UInt16(row[4 * x + 1]) + UInt16(row[4 * x + 2])
          codes[y * size.width + x] = UInt8(sum / 4)
        }
      }
      count = size.width * size.height
    }
  }
}
