import Glibc

/// Measures the brightness of a picture relative to the mean that cameras expose for: 18 % grey (ISO 2720).
///
/// It reads 32 × 18 places of the picture, with double weight in the middle half, which takes microseconds. A
/// place is four pixels whose light is averaged, not their codes: codes are not linear, so the mean code of a
/// noisy area would be too dark. Averaging also reduces noise, which would be mistaken for objects of different
/// brightness: the spread of objects changes with the light, the spread of noise does not. A compressed picture is decoded
/// at an eighth of its size.
///
/// It remembers the latest steady picture that was nearly right. If a later picture is too bright and white in parts, its offset is that of the
/// remembered picture plus the gain in EV that would make the remembered picture as white. One thread at a time.
public final class ExposureMeter {
  private let loader = PlanarLoader(damage: .keep)
  /// The codes of the present picture, and those of the remembered one.
  private var (codes, remembered) = (CodeWeights(), CodeWeights())
  private var hasRemembered = false
  /// The offset of the previous picture, in EV.
  private var lastOffset = Double.nan

  /// The light of 18 % grey, as a share of white.
  private static let grey = 0.18
  /// The least light that is distinguished from black.
  private static let least = 0.18 / 256
  /// The EV to add for a picture that is all white, so that it counts as 3 EV too bright: white itself is 2.47 EV above grey.
  private static let beyondWhite = 3 - log2(1 / 0.18)
  /// The largest offset in EV at which a picture is remembered; a picture with a larger offset is compared with the remembered one.
  private static let nearlyRight = 0.5
  /// The largest difference in EV between two pictures of the same light.
  private static let steady = 0.1
  /// The largest share of white at which the rest of a picture can be compared.
  private static let mostWhite = 0.98
  /// The largest offset in EV.
  private static let most = 4.0

  /// Creates a meter. It keeps its working memory, so reuse it.
  public init() {}

  /// - Returns: the offset in EV, above zero if the picture is too bright. Codes do not tell how much
  ///   brighter than white the light is: a picture that is all white counts as 3 EV too bright, and one
  ///   that is white in parts as at most 4 EV. Nil for a picture that cannot be read.
  public func offset(of image: PixelBuffer) -> Double? {
    let isLimited = image.format.color.range == .limited
    if let sampler = LumaSampler(image) {
      return offset(isLimited: isLimited) { sampler.pixels(u: $0, v: $1) }
    }
    guard let (planar, _) = try? loader.load(image, eighths: { _ in 1 }), let plane = planar.planes.first
    else { return nil }
    let size = planar.size
    return offset(isLimited: planar.color.range == .limited) { u, v in
      let (x, y) = (Int(u * Double(size.width)), Int(v * Double(size.height)))
      // Each pixel is already the mean of 64.
      let luma = plane.pointer[min(y, size.height - 1) * plane.bytesPerRow + min(x, size.width - 1)]
      return SIMD4(repeating: Double(luma))
    }
  }

  /// - Parameter luma: gives the codes of the pixels around a point of the unit square.
  private func offset(isLimited: Bool, luma: (Double, Double) -> SIMD4<Double>) -> Double {
    codes.clear()
    for row in 0..<18 {
      for column in 0..<32 {
        let (u, v) = ((Double(column) + 0.5) / 32, (Double(row) + 0.5) / 18)
        let pixels = isLimited ? (luma(u, v) - 16) * 255 / 219 : luma(u, v)
        codes.add(pixels, weight: abs(u - 0.5) < 0.25 && abs(v - 0.5) < 0.25 ? 2 : 1)
      }
    }
    let (offset, white) = (Self.offset(of: codes), codes.white)
    defer { lastOffset = offset }
    if abs(offset) <= Self.nearlyRight {
      remember(offset)
      return offset
    }
    guard offset > 0, hasRemembered, let white, white.share <= Self.mostWhite else { return offset }
    let gain = remembered.gain(toMean: codes.mean(), endingAt: white.level)
    return min(Self.offset(of: remembered) + gain, Self.most)
  }

  /// The offset by this picture alone.
  private static func offset(of codes: CodeWeights) -> Double {
    log2(max(codes.mean(), least) / grey) + beyondWhite * (codes.white?.share ?? 0)
  }

  /// Remembers the picture, unless it differs from the previous one: the light may have changed between its rows.
  private func remember(_ offset: Double) {
    guard abs(offset - lastOffset) <= Self.steady else { return }
    swap(&codes, &remembered)
    hasRemembered = true
  }
}

/// The weight of each code in a picture.
private struct CodeWeights {
  private var weights = [Double](repeating: 0, count: 256)
  private var sum = 0.0

  /// The light of each code, 1 for white: the inverse of BT.709's transfer.
  private static let light: [Double] = (0..<256).map { code in
    let value = Double(code) / 255
    return value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45)
  }

  mutating func clear() {
    for code in weights.indices { weights[code] = 0 }
    sum = 0
  }

  /// The code of the mean light of four pixels.
  mutating func add(_ pixels: SIMD4<Double>, weight: Double) {
    let codes = pixels.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)).rounded(.toNearestOrEven)
    var light = 0.0
    for index in codes.indices { light += Self.light[Int(codes[index])] / 4 }
    weights[Self.code(of: light)] += weight
    sum += weight
  }

  private static func code(of light: Double) -> Int {
    let value = light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
    return Int((255 * min(max(value, 0), 1)).rounded())
  }

  /// The mean light of the picture after a gain, clipped at a level.
  func mean(gain: Double = 1, endingAt end: Double = 1) -> Double {
    var light = 0.0
    for code in weights.indices where weights[code] > 0 {
      light += weights[code] * min(Self.light[code] * gain, end)
    }
    return light / max(sum, 1)
  }

  /// The level at which the picture is clipped, and the share of pixels at this level. Coloured light is clipped below 255, because the white
  /// balance scales it. Nil if less than a fiftieth of the picture is white.
  var white: (level: Double, share: Double)? {
    var (end, above) = (255, 0.0)
    while end >= 240 {
      above += weights[end]
      if above >= 0.01 * sum { break }
      end -= 1
    }
    guard end >= 240 else { return nil }
    let share = weights[(end - 3)...].reduce(0, +) / max(sum, 1)
    return share >= 0.02 ? (Self.light[end], share) : nil
  }

  /// The gain in EV at which the picture, clipped at the level `end`, has the mean light `mean`; at most 6.
  func gain(toMean mean: Double, endingAt end: Double) -> Double {
    var (least, most) = (0.0, 6.0)
    for _ in 0..<20 {
      let middle = (least + most) / 2
      if self.mean(gain: exp2(middle), endingAt: end) < mean { least = middle } else { most = middle }
    }
    return (least + most) / 2
  }
}

extension LumaSampler {
  /// The four pixels whose common corner is nearest to a point of the unit square.
  fileprivate func pixels(u: Double, v: Double) -> SIMD4<Double> {
    let (x, y) = ((u * Double(size.width)).rounded(), (v * Double(size.height)).rounded())
    return SIMD4(
      luma(x: x - 0.5, y: y - 0.5), luma(x: x + 0.5, y: y - 0.5), luma(x: x - 0.5, y: y + 0.5),
      luma(x: x + 0.5, y: y + 0.5))
  }
}
