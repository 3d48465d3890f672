/// How many samples of a run lie far out, by the baseline's measure.
public struct Tail: Sendable, Hashable, Codable {
  /// The baseline's p90 (p10 where more is better) and four times the tolerance beyond it, in the metric's unit.
  public var threshold: Double
  /// The part of the baseline's samples beyond it, 0...1.
  public var base: Double
  /// The part of the new run's samples beyond it, 0...1.
  public var new: Double
  /// One-sided p of Fisher's exact test: how surprising it is that so many are the new run's.
  public var surprise: Double
}

/// Says whether the samples that lie far out have become more: what a median cannot see.
///
/// Fisher's exact test on the samples beyond a threshold that the baseline sets. Samples far out come in bursts, when another
/// program has the processor, so both counts are those of independent samples.
struct TailTest {
  /// A longer tail is claimed below this p. About five metrics of a bench have samples enough to come near it, and what is
  /// claimed is measured again, so that ten runs of one build stay quiet.
  static let claim = 0.002
  /// Below this it is not excluded either.
  static let doubt = 0.01
  /// Tails move more than medians: how many tolerances beyond the baseline's p90 a sample lies far out.
  static let margin = 4.0

  let polarity: Polarity
  let tolerance: Tolerance
  /// By how much more the same build may differ from itself, as a part of the figure.
  let noise: Double

  func compare(_ base: [Double], _ new: [Double]) -> Tail? {
    guard let threshold = threshold(base) else { return nil }
    let (before, after) = (marks(base, threshold), marks(new, threshold))
    let (was, now) = (before.independent, after.independent)
    return Tail(
      threshold: threshold, base: before.share, new: after.share,
      surprise: FisherExact.more(
        first: was.marked, of: was.count, second: now.marked, of: now.count))
  }

  private func threshold(_ base: [Double]) -> Double? {
    guard let summary = Summary(base) else { return nil }
    let isCost = polarity == .lowerIsBetter
    let edge = summary.percentile(isCost ? 90 : 10)
    let part = max(Self.margin * tolerance.relative, noise)
    let absolute = Self.margin * tolerance.absolute
    let threshold =
      isCost ? edge + max(part * edge, absolute) : edge - max(edge - edge / (1 + part), absolute)
    return threshold.isFinite ? threshold : nil
  }

  private func marks(_ samples: [Double], _ threshold: Double) -> Marks {
    Marks(samples.map { (polarity == .lowerIsBetter ? $0 > threshold : $0 < threshold) ? 1 : 0 })
  }

  /// Samples that lie far out, as ones among zeros.
  private struct Marks {
    let series: [Double]
    init(_ series: [Double]) { self.series = series }

    var share: Double { series.reduce(0, +) / Double(max(1, series.count)) }

    /// The same share of as many samples as are independent.
    var independent: (marked: Int, count: Int) {
      let count = Int(Autocorrelation.effectiveCount(series, insignificant: 2).rounded())
      return (min(count, Int((share * Double(count)).rounded())), count)
    }
  }
}
