import Foundation

/// By how much the same build differs from itself: the part of the median below which a change means nothing.
struct NoiseFloor: Equatable {
  /// What a change for the worse must exceed.
  var worse: Double
  /// What a change for the better must exceed.
  var better: Double

  /// What noise may excuse at most, so that it never hides a change of a third.
  static let mostExcused = 0.15

  /// Noise within a run is the relative difference between the medians of its first and second half, which an interval over
  /// shuffled samples cannot see. A new run that grew worse while it ran is granted none of that.
  ///
  /// Noise between the runs, for times, is how much longer or shorter the machine took for the same fixed work. A slower machine
  /// excuses only slower figures, and a faster machine only faster ones.
  /// - Parameter yardsticks: milliseconds of the fixed work; 0 when not known.
  init(_ base: MetricReport, _ new: MetricReport, yardsticks: (base: Double, new: Double)) {
    let (before, after) = (Self.drift(base), Self.drift(new))
    let isTime = new.unit == .milliseconds || new.unit == .framesPerSecond
    let (slower, faster) = isTime ? Self.excess(yardsticks.base, yardsticks.new) : (0, 0)
    worse = min(Self.mostExcused, max(before.extent, after.isWorse ? 0 : after.extent, slower))
    better = min(Self.mostExcused, max(before.extent, after.extent, faster))
  }

  /// The larger over the smaller, less 1; 0 when either is not above 0, and at most a million.
  static func distance(_ first: Double, _ second: Double) -> Double {
    first > 0 && second > 0 ? min(1e6, max(first / second, second / first) - 1) : 0
  }

  /// How much slower the machine was in the new run, and how much faster; one of them is 0.
  private static func excess(_ was: Double, _ now: Double) -> (slower: Double, faster: Double) {
    let extent = distance(was, now)
    return now > was ? (extent, 0) : (0, extent)
  }

  private static func drift(_ metric: MetricReport) -> (extent: Double, isWorse: Bool) {
    let samples = metric.samples
    guard samples.count >= DriftTest.leastSamples,
      let first = Summary(Array(samples[..<(samples.count / 2)])),
      let second = Summary(Array(samples[(samples.count / 2)...]))
    else { return (0, false) }
    let isWorse = metric.polarity.worsening(from: first.median, to: second.median) > 0
    return (distance(first.median, second.median), isWorse)
  }
}
