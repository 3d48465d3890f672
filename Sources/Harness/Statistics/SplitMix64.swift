import Foundation

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same numbers for the same seed everywhere.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

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
