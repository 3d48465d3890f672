import System

/// Says whether a run grew worse while it ran: a leak, a queue that fills. The median of the whole run hardly shows it, and the
/// difference between the halves must not count as noise.
struct DriftTest {
  /// Of the interval of the drift, so that some fifteen metrics a bench stay quiet.
  static let confidence = 0.998
  /// Fewest samples from which halves are taken.
  static let leastSamples = 20

  let polarity: Polarity
  /// A drift up to this part of the median does not matter.
  let tolerated: Double

  /// The second half's median over the first's in the new run, when that is beyond what is tolerated, and beyond the baseline's where
  /// the baseline grew worse too; nil when it is not, or when a run has too few samples.
  func drift(_ base: [Double], _ new: [Double]) -> Double? {
    guard let before = Halves(base), let after = Halves(new), after.ratio.isFinite,
      excess(after.ratio, before.ratio) > 1 + tolerated
    else { return nil }
    var random = SplitMix64(seed: 0xD21F7)
    let draws = (0..<MetricComparator.resamples).map { _ in
      excess(after.draw(&random), before.draw(&random))
    }
    let interval = Interval(draws: draws.filter(\.isFinite), confidence: Self.confidence)
    return interval.flatMap { $0.low > 1 + tolerated ? after.ratio : nil }
  }

  private func excess(_ after: Double, _ before: Double) -> Double { worse(after) / max(1, worse(before)) }
  private func worse(_ ratio: Double) -> Double { polarity == .lowerIsBetter ? ratio : 1 / ratio }

  private struct Halves {
    let first: MedianBootstrap
    let second: MedianBootstrap

    init?(_ samples: [Double]) {
      guard samples.count >= DriftTest.leastSamples else { return nil }
      first = MedianBootstrap(Array(samples[..<(samples.count / 2)]))
      second = MedianBootstrap(Array(samples[(samples.count / 2)...]))
    }

    var ratio: Double { second.median / first.median }
    func draw(_ random: inout SplitMix64) -> Double { second.draw(&random) / first.draw(&random) }
  }
}
