/// The weights of the pixels around a position between pixels, in 1024ths: a cubic B-spline, which blurs all positions equally, or its mean along
/// the motion during the exposure.
struct Taps {
  /// The pixel of the first weight.
  let first: Int
  let weights: [Int32]

  /// - Parameter travel: the motion in pixels, half of it before `position` and half after it.
  init(_ position: Double, travel: Double) {
    let (start, end) = (position - abs(travel) / 2, position + abs(travel) / 2)
    first = Int(start.rounded(.down)) - 1
    let last = Int(end.rounded(.down)) + 2
    var weights = (first...last).map { pixel in
      let (from, to) = (start - Double(pixel), end - Double(pixel))
      // A motion of less than a 64th of a pixel is invisible, and the quotient would consist of rounding errors.
      let weight =
        to - from < 0x1p-6
        ? Self.spline(position - Double(pixel)) : (Self.integral(to) - Self.integral(from)) / (to - from)
      return Int32((weight * 1024).rounded())
    }
    weights[Int(position.rounded()) - first] += 1024 - weights.reduce(0, +)
    self.weights = weights
  }

  private static let binomials: [Double] = [1, -4, 6, -4, 1]

  /// The cubic B-spline around 0, by truncated powers.
  private static func spline(_ x: Double) -> Double {
    binomials.indices.reduce(0) { sum, index in
      let t = max(x + 2 - Double(index), 0)
      return sum + binomials[index] * t * t * t / 6
    }
  }

  /// The integral of the spline from −∞ to `x`.
  private static func integral(_ x: Double) -> Double {
    let x = min(x, 2)
    return binomials.indices.reduce(0) { sum, index in
      let t = max(x + 2 - Double(index), 0)
      return sum + binomials[index] * t * t * t * t / 24
    }
  }
}
