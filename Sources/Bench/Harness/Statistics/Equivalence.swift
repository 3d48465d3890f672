import Foundation

/// The changes that do not matter: between `better` and `worse`, on a scale on which more is worse.
struct Equivalence: Equatable {
  /// How two figures of a metric are held against each other.
  enum Scale: Equatable {
    /// The logarithm of new ÷ base; of base ÷ new where more is better.
    case ratio
    /// New − base in the metric's unit, where a figure is 0 or below; the other way round where more is better.
    case difference
  }

  let scale: Scale
  let polarity: Polarity
  let better: Double
  let worse: Double

  /// - Parameters:
  ///   - relative: the part of the base's figure that does not matter.
  ///   - absolute: the same in the metric's unit; the larger of both holds.
  ///   - base: figures of the base, to which a part is a part of; their median counts.
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

  /// How much worse the new figure is, on this scale; below 0 for better.
  func cost(_ base: Double, _ new: Double) -> Double {
    switch scale {
    case .ratio: polarity == .higherIsBetter ? log(base / new) : log(new / base)
    case .difference: polarity.worsening(from: base, to: new)
    }
  }

  /// By inclusion: an interval that lies wholly beyond what does not matter is a change, one that lies wholly within is none.
  func verdict(_ interval: Interval) -> Verdict {
    if interval.low > worse { return .regressed }
    if interval.high < better { return .improved }
    return interval.low >= better && interval.high <= worse ? .unchanged : .inconclusive
  }

  /// A cost as reports show it: new ÷ base, or new − base in the metric's unit.
  func shown(_ cost: Double) -> Double {
    let signed = polarity == .higherIsBetter ? -cost : cost
    return scale == .ratio ? exp(signed) : signed
  }

  /// An interval of costs as reports show it, the lower end first.
  func shown(_ interval: Interval) -> [Double] { [shown(interval.low), shown(interval.high)].sorted() }

  /// Both ends of what does not matter, as reports show them; 0 for a ratio that no improvement is large enough for.
  var shown: [Double] {
    let least = better.isFinite ? shown(better) : polarity == .higherIsBetter ? 1e6 : 0
    return [least, shown(worse)].sorted()
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
