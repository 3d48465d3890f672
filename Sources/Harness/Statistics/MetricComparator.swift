import Foundation
import System

/// Says whether a metric changed between two runs that were made alike.
///
/// `regressed`: the interval of the ratio of medians lies beyond tolerance and noise, for the worse, or more samples lie far out
/// (`TailTest`). `improved`: the median's interval, for the better. `inconclusive`: neither, and a change as large as
/// `Tolerance.detectable` is not excluded; or the run grew worse while it ran (`DriftTest`), and only a second run can say whether
/// another program was the reason; or it would have regressed and other programs took the processors. `unchanged`: the rest. `recorded`:
/// neither run had enough samples to say, so it decides nothing.
///
/// A metric of the kind `exact` is compared as it is, sample by sample, without statistics or tolerance: any difference is a change.
///
/// A change is claimed on a 99 % interval. Its exclusion is an equivalence test at 5 % (Schuirmann 1987), so on the one-sided
/// 95 % bound.
struct MetricComparator {
  static let confidence = 0.99
  /// Both ends of the two one-sided tests at 5 %.
  static let equivalence = 0.9
  static let resamples = 2000
  /// Fewer samples of a metric that is not counted say nothing.
  static let leastSamples = 5

  var yardsticks = (base: 0.0, new: 0.0)
  /// Differences seen between runs of the same build on this machine, by metric.
  var calibration: [String: Double] = [:]
  /// What other programs took of the processors meanwhile.
  var disturbance = Disturbance()

  func compare(_ base: MetricReport, _ new: MetricReport) -> MetricComparison {
    if let reason = unlike(base, new) { return MetricComparison(incomparable: reason, p50: base.p50) }
    guard let was = base.p50, let now = new.p50 else {
      return MetricComparison(
        p50: base.p50, noise: 0, verdict: .inconclusive, reason: "one run has no samples")
    }
    if base.kind == .exact, new.kind == .exact { return exact(base, new) }
    if new.unit.isDiscrete || new.polarity == .exact { return counted(was, now, new) }
    if min(base.samples.count, new.samples.count) < Self.leastSamples { return tooFew(base, new) }
    guard was > 0, now > 0 else { return counted(was, now, new) }
    return measured(base, new)
  }

  private func unlike(_ base: MetricReport, _ new: MetricReport) -> String? {
    if base.unit != new.unit { return "the unit is \(new.unit.rawValue), was \(base.unit.rawValue)" }
    if base.polarity != new.polarity { return "the polarity differs" }
    if let was = base.kind, let now = new.kind, was != now {
      return "it is \(now.rawValue), was \(was.rawValue)"
    }
    if base.evidence != new.evidence {
      return "the evidence is \(new.evidence.rawValue), was \(base.evidence.rawValue)"
    }
    return nil
  }

  func ratio(_ now: Double, _ was: Double) -> Double? {
    was > 0 && (now / was).isFinite ? now / was : nil
  }

  /// A metric that has too few samples in both runs is `recorded`; one that had enough before is `inconclusive`.
  private func tooFew(_ base: MetricReport, _ new: MetricReport) -> MetricComparison {
    let was = base.p50 ?? 0
    let figures = "\(Figure.text(new.p50, new.unit)), was \(Figure.text(was, new.unit))"
    let count = min(base.samples.count, new.samples.count)
    return MetricComparison(
      p50: was, ratio: ratio(new.p50 ?? 0, was), noise: 0,
      verdict: base.samples.count < Self.leastSamples ? .recorded : .inconclusive,
      reason: "\(figures); too few samples to compare (\(count), and it takes \(Self.leastSamples))")
  }

  /// Counted figures have no noise to resample: the medians are compared as they are.
  private func counted(_ was: Double, _ now: Double, _ new: MetricReport) -> MetricComparison {
    let slack = max(new.tolerance.absolute, new.tolerance.relative * abs(was))
    let worse = new.polarity.worsening(from: was, to: now)
    let verdict: Verdict = worse > slack ? .regressed : worse < -slack ? .improved : .unchanged
    let figures = "\(Figure.text(now, new.unit)), was \(Figure.text(was, new.unit))"
    return MetricComparison(p50: was, ratio: ratio(now, was), noise: 0, verdict: verdict, reason: figures)
  }

  private func measured(_ base: MetricReport, _ new: MetricReport) -> MetricComparison {
    let draws = ratios(base.samples, new.samples)
    guard let claim = Interval(draws: draws, confidence: Self.confidence),
      let bound = Interval(draws: draws, confidence: Self.equivalence), claim.low > 0
    else { return counted(base.p50 ?? 0, new.p50 ?? 0, new) }
    var noise = NoiseFloor(base, new, yardsticks: yardsticks)
    noise.worse = max(noise.worse, calibration[new.id] ?? 0)
    noise.better = max(noise.better, calibration[new.id] ?? 0)
    var comparison = medians(base, new, claim: claim, bound: bound, noise: noise)
    comparison.judgeDrift(of: base, new)
    comparison.judgeTail(of: base, new, noise: noise.worse)
    disturbance.excuse(&comparison, of: new)
    return comparison
  }

  private func medians(
    _ base: MetricReport, _ new: MetricReport, claim: Interval, bound: Interval, noise: NoiseFloor
  ) -> MetricComparison {
    let was = base.p50 ?? 0
    let worse = 1 + max(new.tolerance.part(of: was), noise.worse)
    // As far as the relative tolerance is on a ratio, and the absolute one in the metric's unit.
    let better = min(1 / (1 + max(new.tolerance.relative, noise.better)), 1 - new.tolerance.absolute / was)
    let detectable = max(new.tolerance.detectable, 2 * new.tolerance.absolute / was)
    let (claimed, excluded) = (claim.cost(new.polarity), bound.cost(new.polarity))
    let verdict: Verdict =
      claimed.low > worse
      ? .regressed
      : claimed.high < better
        ? .improved : excluded.high > 1 + detectable ? .inconclusive : .unchanged
    return MetricComparison(
      p50: was, ratio: ratio(new.p50 ?? 0, was), interval: [claim.low, claim.high],
      noise: noise.worse, cause: verdict == .unchanged ? nil : .median, verdict: verdict,
      reason: sentence(new, was, claim, worse))
  }

  /// Ratios of resampled medians, new over base.
  private func ratios(_ base: [Double], _ new: [Double]) -> [Double] {
    let (before, after) = (MedianBootstrap(base), MedianBootstrap(new))
    var random = SplitMix64(seed: 0x5EED)
    let draws = (0..<Self.resamples).map { _ in after.draw(&random) / before.draw(&random) }
    return draws.filter(\.isFinite)
  }

  private func sentence(
    _ new: MetricReport, _ was: Double, _ interval: Interval, _ threshold: Double
  ) -> String {
    let figures = "\(Figure.text(new.p50, new.unit)), was \(Figure.text(was, new.unit))"
    let range = "\(Figure.change(interval.low)) to \(Figure.change(interval.high))"
    let change = Figure.change(ratio(new.p50 ?? 0, was))
    return
      "\(figures): \(change) (99 % interval \(range)); a change counts beyond \(Figure.change(threshold))"
  }
}

extension Interval {
  /// The same of the costs, which are the inverse where more is better.
  fileprivate func cost(_ polarity: Polarity) -> Interval {
    polarity == .higherIsBetter ? Interval(low: 1 / high, high: 1 / low) : self
  }
}

extension Tolerance {
  /// The change that is never called one, as a part of a median.
  func part(of median: Double) -> Double {
    median > 0 ? max(relative, absolute / median) : relative
  }
}

extension Polarity {
  /// How much worse, in the metric's unit; negative for better.
  func worsening(from was: Double, to now: Double) -> Double {
    switch self {
    case .lowerIsBetter: now - was
    case .higherIsBetter: was - now
    case .exact: abs(now - was)
    }
  }
}
