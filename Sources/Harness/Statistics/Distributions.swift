import Foundation
import System

/// The distributions that the statistics draw from.
extension SplitMix64 {
  /// Uniform in 0 ..< 1, 53 bits.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Standard normal, by Box and Muller.
  mutating func normal() -> Double {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    return radius * cos(2 * .pi * uniform())
  }

  /// Gamma with scale 1, by Marsaglia and Tsang (2000).
  /// - Parameter shape: ≥ 1.
  mutating func gamma(shape: Double) -> Double {
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let v = (1 + c * x) * (1 + c * x) * (1 + c * x)
      if v > 0, log(1 - uniform()) < 0.5 * x * x + d - d * v + d * log(v) { return d * v }
    }
  }

  /// Beta, as a ratio of gammas. Both shapes ≥ 1.
  mutating func beta(_ a: Double, _ b: Double) -> Double {
    let x = gamma(shape: a)
    return x / (x + gamma(shape: b))
  }
}
