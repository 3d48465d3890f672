import Foundation
import System

/// A seeded model of run times on a shared machine. They drift (an autoregression), the machine sometimes changes between two
/// speeds, and other programs take the processor in bursts.
struct SimulatedMachine {
  private var random: SplitMix64
  private var drift = 0.0
  private var isSlow = false

  struct Noise {
    /// The standard deviation of a turn.
    var turn = 0.01
    /// The standard deviation of the drift's steps.
    var step = 0.01
    /// The probability of a change of speed.
    var change = 0.03
    /// The probability of a burst.
    var burst = 0.05
  }
  let noise: Noise

  init(seed: UInt64, noise: Noise = Noise()) { (random, self.noise) = (SplitMix64(seed: seed), noise) }

  /// Returns the median time of one turn. The median on a quiet machine is `median`.
  mutating func turn(_ median: Double) -> Double {
    drift = 0.9 * drift + noise.step * random.normal()
    if random.uniform() < noise.change { isSlow.toggle() }
    let burst = random.uniform() < noise.burst ? 1 + random.uniform() : 1
    return median * exp(drift + noise.turn * random.normal()) * (isSlow ? 1.4 : 1) * burst
  }
}

extension SplitMix64 {
  /// Returns a uniform number in 0 ..< 1, with 53 bits.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a standard normal number (Box and Muller).
  mutating func normal() -> Double {
    (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
  }
}
