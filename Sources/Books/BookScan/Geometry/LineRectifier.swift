/// Cuts a line of text out of a photo for the recogniser: upright, sampled at a height of 48 pixels.
struct LineRectifier {
  let photo: Raster
  /// The height of the result, pixels.
  static let height = 48

  /// Returns the width, in pixels, of a line scaled to `height` pixels.
  static func width(of region: TextRegion) -> Int {
    max(8, Int((region.length * Double(height) / max(region.height, 1)).rounded()))
  }

  /// Writes the line into the left part of three planes (blue, green, red), each of `height` rows of `rowLength` floats, −1…1.
  /// Where the line reaches outside the photo, the nearest pixel is used.
  /// - Parameter width: the width of the line in the planes, pixels; at most `rowLength`.
  func write(
    _ region: TextRegion, width: Int, rowLength: Int, into planes: UnsafeMutablePointer<Float>
  ) {
    let stepX = region.along * (region.length / Double(width))
    let stepY = region.down * (region.height / Double(Self.height))
    // Average as many samples in each direction as the output pixel covers pixels of the photo, so that none is skipped.
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
            sum += photo.sample(
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

  /// Returns the line as luma: `height` rows of `width` bytes.
  func luma(_ region: TextRegion, width: Int) -> [UInt8] {
    let plane = Self.height * width
    var planes = [Float](repeating: 0, count: 3 * plane)
    planes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      write(region, width: width, rowLength: width, into: base)
    }
    return (0..<plane).map { index in
      let value = 0.114 * planes[index] + 0.587 * planes[plane + index] + 0.299 * planes[2 * plane + index]
      return UInt8(min(255, max(0, (value + 1) * 127.5)))
    }
  }

  /// Stretches the contrast of a line in `planes` that uses little of the range −1…1, such as faint print on a spine.
  static func stretch(_ planes: UnsafeMutablePointer<Float>, width: Int, rowLength: Int) {
    var histogram = [Int](repeating: 0, count: 64)
    let total = 3 * height * width
    for row in 0..<(3 * height) {
      for x in 0..<width { histogram[min(63, max(0, Int((planes[row &* rowLength &+ x] + 1) * 32)))] += 1 }
    }
    let (low, high) = (quantile(histogram, total / 50), quantile(histogram, total - total / 50))
    guard high > low, high - low < 1.4 else { return }
    let gain = min(4, 1.8 / (high - low))
    for row in 0..<(3 * height) {
      for x in 0..<width {
        let index = row &* rowLength &+ x
        planes[index] = min(1, max(-1, (planes[index] - (low + high) / 2) * gain))
      }
    }
  }

  /// Returns the value of the histogram below which `count` samples lie, −1…1.
  private static func quantile(_ histogram: [Int], _ count: Int) -> Float {
    var sum = 0
    for (bin, samples) in histogram.enumerated() {
      sum += samples
      if sum >= count { return (Float(bin) + 0.5) / 32 - 1 }
    }
    return 1
  }
}
