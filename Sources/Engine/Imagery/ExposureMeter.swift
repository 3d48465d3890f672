import Glibc

/// Tells how bright a picture is beside the mean that cameras expose for: 18 % grey (ISO 2720).
///
/// It looks at 32 × 18 places of the picture, those of the middle half counting twice, which takes microseconds. A place is four pixels
/// whose light is averaged, not their codes: these bend, so that the mean of noise is darker than its light, and noise that is left looks
/// like things of many brightnesses, which another light would not spread so. A compressed picture is decoded at an eighth of its size.
///
/// It remembers the latest steady picture that was nearly right: where another one is white in parts, it tells by how much that one would
/// have to be brighter to become as white. One thread at a time.
public final class ExposureMeter {
  private let loader = PlanarLoader(damage: .keep)
  /// The codes of the picture at hand, and those of the one that is remembered.
  private var (codes, remembered) = (CodeWeights(), CodeWeights())
  private var hasRemembered = false
  /// Of the picture before, in EV.
  private var lastOffset = Double.nan

  /// The light of 18 % grey.
  private static let grey = 0.18
  /// A picture darker than this cannot be told from black.
  private static let least = 0.18 / 256
  /// What is added for all that is white: white itself is 2.47 EV above grey.
  private static let beyondWhite = 3 - log2(1 / 0.18)
  /// Nearly right, in EV: a picture is remembered up to here, and held against that one beyond.
  private static let nearlyRight = 0.5
  /// Two pictures no farther apart than this are of the same light, in EV.
  private static let steady = 0.1
  /// Of a picture that is whiter, nothing is left to compare.
  private static let mostWhite = 0.98
  /// No picture is told to be brighter, in EV.
  private static let most = 4.0

  /// A meter keeps its working memory, so keep the meter.
  public init() {}

  /// - Returns: in EV, above zero where the picture is too bright. A code cannot tell how much brighter than white it is: a picture that
  ///   is all white is taken to be three steps too bright, and one that is white in parts at most four. Nil for a picture that cannot be
  ///   read.
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
      // The mean of 64 pixels already.
      let luma = plane.pointer[min(y, size.height - 1) * plane.bytesPerRow + min(x, size.width - 1)]
      return SIMD4(repeating: Double(luma))
    }
  }

  /// - Parameter luma: of the pixels around a point of the unit square.
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

  /// By this picture alone.
  private static func offset(of codes: CodeWeights) -> Double {
    log2(max(codes.mean(), least) / grey) + beyondWhite * (codes.white?.share ?? 0)
  }

  /// A picture that has rows of two lights is not like the one before.
  private func remember(_ offset: Double) {
    guard abs(offset - lastOffset) <= Self.steady else { return }
    swap(&codes, &remembered)
    hasRemembered = true
  }
}

/// How often a picture has each code.
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

  /// The mean light, of a picture that is so much brighter and ends at a level.
  func mean(gain: Double = 1, endingAt end: Double = 1) -> Double {
    var light = 0.0
    for code in weights.indices where weights[code] > 0 {
      light += weights[code] * min(Self.light[code] * gain, end)
    }
    return light / max(sum, 1)
  }

  /// Where the picture is white: the level at which it ends, and how much of it is there. Coloured light ends below 255, since the white
  /// balance makes up for it. Nil for a picture that has less than a fiftieth of white.
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

  /// By how many EV this picture would have to be brighter to have a mean, where it ends at a level; at most 6.
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
  /// The four whose common corner is nearest to a point of the unit square.
  fileprivate func pixels(u: Double, v: Double) -> SIMD4<Double> {
    let (x, y) = ((u * Double(size.width)).rounded(), (v * Double(size.height)).rounded())
    return SIMD4(
      luma(x: x - 0.5, y: y - 0.5), luma(x: x + 0.5, y: y - 0.5), luma(x: x - 0.5, y: y + 0.5),
      luma(x: x + 0.5, y: y + 0.5))
  }
}
