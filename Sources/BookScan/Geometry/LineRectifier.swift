/// Cuts a line of text out of a photo, upright, at the photo's own resolution, as the recogniser wants it.
struct LineRectifier {
  let photo: Raster
  /// Of the result, pixels.
  static let height = 48

  /// Pixels the line is wide when `height` pixels high.
  static func width(of region: TextRegion) -> Int {
    max(8, Int((region.length * Double(height) / max(region.height, 1)).rounded()))
  }

  /// Writes the line into the left of three planes (blue, green, red) of `height` rows of `rowLength` floats, −1…1; what
  /// lies outside the photo takes the nearest pixel.
  /// - Parameter width: of the line in the planes, pixels; at most `rowLength`.
  func write(
    _ region: TextRegion, width: Int, rowLength: Int, into planes: UnsafeMutablePointer<Float>
  ) {
    let stepX = region.along * (region.length / Double(width))
    let stepY = region.down * (region.height / Double(Self.height))
    // As many samples a pixel as it covers photo pixels, so that nothing is skipped.
    let samples = max(1, min(4, Int((region.height / Double(Self.height)).rounded(.up))))
    let scale = Float(1) / Float(samples * samples) / 127.5
    let planeLength = Self.height * rowLength
    let start = region.corners[0]
    for y in 0..<Self.height {
      for x in 0..<width {
        var sum = SIMD4<Float>()
        for subY in 0..<samples {
          for subX in 0..<samples {
            let (across, down) = (
              Double(x) + (Double(subX) + 0.5) / Double(samples),
              Double(y) + (Double(subY) + 0.5) / Double(samples)
            )
            sum += sample(
              Float(start.x + stepX.x * across + stepY.x * down) - 0.5,
              Float(start.y + stepX.y * across + stepY.y * down) - 0.5)
          }
        }
        let value = sum * scale - 1
        let index = y &* rowLength &+ x
        planes[index] = value.x
        planes[index &+ planeLength] = value.y
        planes[index &+ 2 &* planeLength] = value.z
      }
    }
  }

  /// Bilinear; x and y count from the middle of the first pixel.
  @inline(__always)
  private func sample(_ x: Float, _ y: Float) -> SIMD4<Float> {
    let (boundedX, boundedY) = (
      min(max(x, 0), Float(photo.width - 1)), min(max(y, 0), Float(photo.height - 1))
    )
    let (left, top) = (Int(boundedX), Int(boundedY))
    let (right, bottom) = (min(left &+ 1, photo.width &- 1), min(top &+ 1, photo.height &- 1))
    let (fractionX, fractionY) = (boundedX - Float(left), boundedY - Float(top))
    let upper = pixel(left, top) * (1 - fractionX) + pixel(right, top) * fractionX
    let lower = pixel(left, bottom) * (1 - fractionX) + pixel(right, bottom) * fractionX
    return upper * (1 - fractionY) + lower * fractionY
  }

  @inline(__always)
  private func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let bytes = photo.base + (y &* photo.bytesPerRow &+ x &* 4)
    return SIMD4(Float(bytes[0]), Float(bytes[1]), Float(bytes[2]), 0)
  }
}
