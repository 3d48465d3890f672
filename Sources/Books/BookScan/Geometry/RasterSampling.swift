extension Raster {
  /// Returns blue, green and red at a point between pixels, 0…255, by bilinear interpolation. Outside the picture, the nearest
  /// pixel is used.
  /// - Parameters: x and y are counted from the middle of the first pixel.
  @inline(__always)
  func sample(_ x: Float, _ y: Float) -> SIMD4<Float> {
    let (boundedX, boundedY) = (min(max(x, 0), Float(width - 1)), min(max(y, 0), Float(height - 1)))
    let (left, top) = (Int(boundedX), Int(boundedY))
    let (right, bottom) = (min(left &+ 1, width &- 1), min(top &+ 1, height &- 1))
    let (fractionX, fractionY) = (boundedX - Float(left), boundedY - Float(top))
    let upper = pixel(left, top) * (1 - fractionX) + pixel(right, top) * fractionX
    let lower = pixel(left, bottom) * (1 - fractionX) + pixel(right, bottom) * fractionX
    return upper * (1 - fractionY) + lower * fractionY
  }

  @inline(__always)
  private func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let bytes = base + (y &* bytesPerRow &+ x &* 4)
    return SIMD4(Float(bytes[0]), Float(bytes[1]), Float(bytes[2]), 0)
  }
}
