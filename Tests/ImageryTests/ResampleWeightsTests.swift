import System
import Testing

@testable import Imagery

/// The weights for scaling a picture up or down, compared with a plain implementation of their formula.
@Suite struct ResampleWeightsTests {
  /// Returns the index of the first source sample and the weights, in 1/16384, of one destination sample.
  private func plain(_ source: Int, _ taps: Int, centre: Double, stretch: Double, sharp: Bool) -> (Int, [Int])
  {
    let radius = stretch * (sharp ? 2 : 1)
    let first = Int((centre - radius).rounded(.down)) + 1
    let last = Int((centre + radius).rounded(.up)) - 1
    let start = min(max(first, 0), source - taps)
    var values = [Double](repeating: 0, count: taps)
    for tap in first...max(first, last) {
      values[min(max(tap, start), start + taps - 1) - start] += kernel(
        abs(Double(tap) - centre) / stretch, sharp)
    }
    let sum = values.reduce(0, +)
    guard sum > 0 else { return (start, [16384] + [Int](repeating: 0, count: taps - 1)) }
    var rounded = values.map { Int(($0 / sum * 16384).rounded()) }
    let largest = rounded.indices.max { rounded[$0] < rounded[$1] } ?? 0
    rounded[largest] += 16384 - rounded.reduce(0, +)
    return (start, rounded)
  }

  private func kernel(_ x: Double, _ sharp: Bool) -> Double {
    guard sharp else { return max(0, 1 - x) }
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }

  @Test(arguments: [true, false])
  func theyAreThoseOfTheFormula(sharp: Bool) {
    var random = SplitMix64(seed: 11)
    for round in 0..<300 {
      let source = 1 + Int(random.next() % (round % 3 == 0 ? 8 : 900))
      let destination = 1 + Int(random.next() % 300)
      let share = 0.3 + Double(random.next() % 1000) / 1400
      let ratio = Double(source) * share / Double(destination)
      let phase = (Double(random.next() % 1000) / 1000 - 0.2) * Double(source) * 0.5
      let weights = ResampleWeights(
        source: source, destination: destination, ratio: ratio, phase: phase, sharp: sharp)
      #expect(weights.starts.count == destination && weights.weights.count == destination * weights.taps)
      for index in 0..<destination {
        let (start, wanted) = plain(
          source, weights.taps, centre: phase + (Double(index) + 0.5) * ratio - 0.5, stretch: max(ratio, 1),
          sharp: sharp)
        let found = weights.weights[index * weights.taps..<(index + 1) * weights.taps].map(Int.init)
        guard weights.starts[index] == start, found == wanted else {
          Issue.record(
            "\(source) to \(destination) by \(ratio) from \(phase), sample \(index): \(found), not \(wanted)")
          return
        }
      }
    }
  }

  /// The weights of thousands of samples are one or two units each. Their rounding errors must not add up in one sample.
  @Test(arguments: [5_000, 9_000, 16_001, 32_768], [true, false])
  func thousandsOfSamplesAreAllWeighed(source: Int, sharp: Bool) {
    for destination in [1, 2, 3] {
      let ratio = Double(source) / Double(destination)
      let weights = ResampleWeights(
        source: source, destination: destination, ratio: ratio, phase: 0, sharp: sharp)
      for index in 0..<destination {
        let found = weights.weights[index * weights.taps..<(index + 1) * weights.taps].map(Int.init)
        #expect(found.reduce(0, +) == 16_384)
        let mean = found.enumerated().reduce(0.0) {
          $0 + Double(($1.offset + weights.starts[index]) * $1.element)
        }
        let wanted = (Double(index) + 0.5) * ratio - 0.5
        #expect(destination == 1 || abs(mean / 16_384 - wanted) < ratio * 0.2)
        #expect(destination > 1 || abs(mean / 16_384 - wanted) < ratio * 0.02)
      }
    }
  }
}
