import Imagery

/// A drawn scene in the sensor's format: luma and chroma at full size, in 64ths of a level, so that nothing is rounded to eight bits before noise
/// is added. BT.601 full range (JFIF).
final class ScenePicture {
  let size: PixelSize
  /// Luma, Cb and Cr, row by row.
  private(set) var channels: [[UInt16]]

  init(_ canvas: Canvas) {
    size = canvas.size
    channels = [[UInt16]](repeating: [UInt16](repeating: 0, count: canvas.size.area), count: 3)
    canvas.withPixels { base, bytesPerRow in
      for y in 0..<size.height { convert(base + y * bytesPerRow, row: y) }
    }
  }

  init(size: PixelSize, channels: [[UInt16]]) {
    self.size = size
    self.channels = channels
  }

  /// Converts a row by ITU-T T.871, in 16-bit fixed point. The results are in 64ths of a level.
  private func convert(_ pixels: UnsafePointer<UInt8>, row: Int) {
    for x in 0..<size.width {
      let (blue, green, red) = (Int(pixels[4 * x]), Int(pixels[4 * x + 1]), Int(pixels[4 * x + 2]))
      let index = row * size.width + x
      channels[0][index] = UInt16((19595 * red + 38470 * green + 7471 * blue) >> 10)
      channels[1][index] = UInt16(8192 + (-11059 * red - 21709 * green + 32768 * blue) >> 10)
      channels[2][index] = UInt16(8192 + (32768 * red - 27439 * green - 5329 * blue) >> 10)
    }
  }

  /// The scene blurred as by a lens: with the cubic B-spline at its knots, (1 4 1)/6 in both directions.
  func softened() -> ScenePicture {
    let (width, height) = (size.width, size.height)
    let soft = channels.map { channel in
      var result = channel
      for y in 0..<height {
        let (up, down) = (max(y - 1, 0) * width, min(y + 1, height - 1) * width)
        for x in 0..<width {
          let (left, right) = (max(x - 1, 0), min(x + 1, width - 1))
          func column(_ x: Int) -> Int {
            Int(channel[up + x]) + 4 * Int(channel[y * width + x]) + Int(channel[down + x])
          }
          result[y * width + x] = UInt16((column(left) + 4 * column(x) + column(right) + 18) / 36)
        }
      }
      return result
    }
    return ScenePicture(size: size, channels: soft)
  }
}
