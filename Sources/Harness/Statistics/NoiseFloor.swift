import Foundation

/// By how much the same build differs from itself: the part of the median below which a change means nothing.
struct NoiseFloor {
  /// Fewest samples from which halves are taken.
  private static let leastSamples = 20
  /// What a slower machine may excuse at most, so that it never hides a change of a third.
  private static let mostExcused = 0.15

  /// Within the runs: the larger of the two relative differences between the medians of a run's first and second half
  /// (what an interval over shuffled samples cannot see: drift, a neighbour that came or went). Between the runs, for
  /// times: how much faster or slower the machine did the same fixed work.
  static func between(_ base: MetricReport, _ new: MetricReport, yardsticks: (base: Double, new: Double))
    -> Double
  {
    let within = max(halves(base.samples), halves(new.samples))
    let isTime = new.unit == .milliseconds || new.unit == .framesPerSecond
    return max(within, isTime ? min(mostExcused, distance(yardsticks.base, yardsticks.new)) : 0)
  }

  /// The larger over the smaller, less 1; 0 when either is not above 0, and at most a million.
  static func distance(_ first: Double, _ second: Double) -> Double {
    first > 0 && second > 0 ? min(1e6, max(first / second, second / first) - 1) : 0
  }

  private static func halves(_ samples: [Double]) -> Double {
    guard samples.count >= leastSamples else { return 0 }
    let middle = samples.count / 2
    guard let first = Summary(Array(samples[..<middle])), let second = Summary(Array(samples[middle...]))
    else {
      return 0
    }
    return distance(first.median, second.median)
  }
}
