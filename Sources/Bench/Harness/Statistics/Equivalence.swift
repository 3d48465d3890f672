import Foundation

/// The range of changes that do not matter, from `better` to `worse`, on a scale on which higher is worse.
struct Equivalence: Equatable {
  /// The scale on which two figures of a metric are compared.
  enum Scale: Equatable {
    /// The logarithm of new ÷ base, or of base ÷ new if higher is better.
    case ratio
    /// New − base in the metric's unit, used if a figure is 0 or below; base − new if higher is better.
    case difference
  }

  let scale: Scale
  let polarity: Polarity
  let better: Double
  let worse: Double

  /// - Parameters:
  ///   - relative: the share of the base's figure within which a change does not matter.
  ///   - absolute: the amount in the metric's unit within which it does not matter; the larger of both applies.
  ///   - base: figures of the base; `relative` applies to their median.
  init(relative: Double, absolute: Double, polarity: Polarity, base: [Double], new: [Double]) {
    let was = Summary(base)?.median ?? 0
    self.polarity = polarity
    scale = (base + new).allSatisfy { $0 > 0 } && polarity != .exact ? .ratio : .difference
    switch scale {
    case .ratio:
      worse = log(1 + max(relative, absolute / was))
      let least = min(1 / (1 + relative), 1 - absolute / was)
      better = least > 0 ? log(least) : -.infinity
    case .difference:
      worse = max(absolute, relative * abs(was))
      better = -worse
    }
  }

  /// Returns how much worse the new figure is, on this scale. Negative if it is better.
  func cost(_ base: Double, _ new: Double) -> Double {
    switch scale {
    case .ratio: polarity == .higherIsBetter ? log(base / new) : log(new / base)
    case .difference: polarity.worsening(from: base, to: new)
    }
  }

  /// Decides by inclusion: an interval entirely beyond the range is a change, an interval entirely within the range is no change, and any
  /// other interval decides nothing.
  func verdict(_ interval: Interval) -> Verdict {
    if interval.low > worse { return .regressed }
    if interval.high < better { return .improved }
    return interval.low >= better && interval.high <= worse ? .unchanged : .inconclusive
  }

  /// Converts a cost for reports: to new ÷ base, or to new − base in the metric's unit.
  func shown(_ cost: Double) -> Double {
    let signed = polarity == .higherIsBetter ? -cost : cost
    return scale == .ratio ? exp(signed) : signed
  }

  /// Converts an interval of costs for reports, the lower end first.
  func shown(_ interval: Interval) -> [Double] { [shown(interval.low), shown(interval.high)].sorted() }

  /// Both ends of the range, converted for reports, the lower end first. If no improvement of a ratio is large enough, the end on the
  /// better side is 0, or 1,000,000 if higher is better.
  var shown: [Double] {
    let least = better.isFinite ? shown(better) : polarity == .higherIsBetter ? 1e6 : 0
    return [least, shown(worse)].sorted()
  }

  /// Returns a cost in the terms of a tolerance: `7.1 %`, or `3 ms`.
  func amount(_ cost: Double, _ unit: MeasurementUnit) -> String {
    switch scale {
    case .ratio: Figure.percent(cost < 0 ? 1 - exp(cost) : exp(cost) - 1)
    case .difference: Figure.text(abs(cost), unit)
    }
  }
}

extension Polarity {
  /// Returns how much worse `now` is than `was`, in the metric's unit. Negative if it is better.
  func worsening(from was: Double, to now: Double) -> Double {
    switch self {
    case .lowerIsBetter: now - was
    case .higherIsBetter: was - now
    case .exact: abs(now - was)
    }
  }
}
