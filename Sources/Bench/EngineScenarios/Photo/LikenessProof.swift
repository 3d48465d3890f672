import Imagery
import Probes

/// The proof, on a drawn picture, that differences are read correctly.
struct LikenessProof {
  let seed: UInt64

  /// Returns the misreading. Nil if there is none.
  func mistake() throws -> String? {
    let drawn = try drawing()
    let bright = RGBSamples(size: drawn.size, values: drawn.values.map { $0 + 5 })
    let same = PictureDifference(drawn, from: drawn)
    let brighter = PictureDifference(bright, from: drawn)
    let swapped = PictureDifference(drawn.exchangingChroma, from: drawn)
    let apart = drawn.chromaApart
    guard let same, same.likeness > 58.9, same.similarity > 0.9999, same.chromaMean == 0,
      same.chromaHigh <= 1.0 / 16
    else {
      return "a picture was found to differ from itself: \(String(describing: same))"
    }
    guard let brighter, abs(brighter.likeness - 34.151) < 0.01, brighter.chromaMean < 0.001 else {
      return
        "a picture made 5 levels brighter is 34.15 dB away, and was read as \(String(describing: brighter))"
    }
    guard let swapped, swapped.likeness > 58, abs(swapped.chromaMean - apart) < 0.01, apart > 10 else {
      return "exchanged Cb and Cr are \(apart) levels apart, and were read as \(String(describing: swapped))"
    }
    return nil
  }

  /// Returns squares of 2 pixels, each in a random colour, away from black and white.
  func drawing() throws -> RGBSamples {
    let (size, square) = (PixelSize(width: 64, height: 48), 2)
    let noise = try ReferencePicture(
      exactly: CodeNoise.picture(
        ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg), seed: seed)
    ).samples
    let values = (0..<size.area * 3).map { index in
      let (pixel, channel) = (index / 3, index % 3)
      let (x, y) = (pixel % size.width / square * square, pixel / size.width / square * square)
      return 80 + noise.values[(y * size.width + x) * 3 + channel] / 4
    }
    return RGBSamples(size: size, values: values)
  }
}

extension RGBSamples {
  /// The pixels with Cb and Cr exchanged, in full-range BT.601.
  fileprivate var exchangingChroma: RGBSamples {
    let values = (0..<size.area).flatMap { pixel in
      let (luma, cb, cr) = codes(pixel)
      return [luma + 1.402 * cb, luma - 0.344136 * cr - 0.714136 * cb, luma + 1.772 * cr]
    }
    return RGBSamples(size: size, values: values)
  }

  /// Mean distance between Cb and Cr.
  fileprivate var chromaApart: Double {
    let distances = (0..<size.area).map { pixel in
      let (_, cb, cr) = codes(pixel)
      return abs(cb - cr)
    }
    return distances.reduce(0, +) / Double(distances.count)
  }

  private func codes(_ pixel: Int) -> (luma: Double, cb: Double, cr: Double) {
    let (red, green, blue) = (values[pixel * 3], values[pixel * 3 + 1], values[pixel * 3 + 2])
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return (luma, (blue - luma) / 1.772, (red - luma) / 1.402)
  }
}
