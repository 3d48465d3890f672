import Foundation

/// The test of one figure of a metric in interleaved runs of two builds. The new build's figure is compared with the base's figure of the same
/// pair, pair by pair (`SignedRank`), by inclusion of the interval (`Equivalence`).
struct PairedTest {
  /// The base's figures, in the metric's unit, one per pair.
  let base: [Double]
  /// The new build's figures, in the metric's unit. Both figures of a pair have the same index.
  let new: [Double]
  let unit: MeasurementUnit
  let range: Equivalence
  /// The range that a comparison of everything can decide, if its time does not suffice for the tolerance.
  private let coarse: Equivalence
  let plan: PairedPlan

  /// - Parameter margin: the number of tolerances within which a change does not matter; tails vary more than medians.
  init(
    base: [Double], new: [Double], unit: MeasurementUnit, polarity: Polarity, tolerance: Tolerance,
    margin: Double = 1, plan: PairedPlan
  ) {
    self.base = base
    self.new = new
    self.unit = unit
    self.plan = plan
    range = Equivalence(
      relative: margin * tolerance.relative, absolute: margin * tolerance.absolute, polarity: polarity,
      base: base, new: new)
    coarse = Equivalence(
      relative: max(margin * tolerance.relative, PairedPlan.promise), absolute: margin * tolerance.absolute,
      polarity: polarity, base: base, new: new)
  }

  struct Result: Equatable {
    var verdict: Verdict
    /// The estimated change, as a cost. Nil without pairs.
    var estimate: Double?
    /// The interval that decided, or that shows why nothing is decided. Nil if there are too few pairs.
    var interval: Interval?
    /// The confidence of that interval, 0...1.
    var confidence: Double?
    /// A sentence about what would have changed the verdict.
    var otherwise: String
    /// Whether the verdict is `unchanged` only within the change that a comparison of everything promises to show, and undecided at the tolerance.
    var isCoarse = false
  }

  var result: Result {
    guard let ranks = SignedRank(zip(base, new).map(range.cost)) else {
      return Result(verdict: .inconclusive, otherwise: Self.needs(PairedPlan.looks[0]))
    }
    let claim = ranks.interval(error: plan.error)
    let narrow = ranks.interval(error: PairedPlan.missed)
    if let claim, [.regressed, .improved].contains(range.verdict(claim)) {
      return settled(range.verdict(claim), ranks, interval: claim, error: plan.error)
    }
    if let narrow, range.verdict(narrow) == .unchanged {
      return settled(.unchanged, ranks, interval: narrow, error: PairedPlan.missed)
    }
    return open(ranks, claim, narrow: narrow)
  }

  /// The result if no more pairs follow. A comparison of all scenarios promises to show a change of 5 %. So a
  /// change that is proved to be smaller counts as unchanged if its estimate lies within the tolerance.
  var last: Result {
    var found = result
    guard plan.isOfEverything, found.verdict == .inconclusive,
      let ranks = SignedRank(zip(base, new).map(range.cost)), !isChange(ranks),
      let interval = ranks.interval(error: PairedPlan.missed), coarse.verdict(interval) == .unchanged
    else { return found }
    found.verdict = .unchanged
    found.interval = interval
    found.confidence = 1 - 2 * PairedPlan.missed
    found.isCoarse = true
    found.otherwise =
      "A change below \(range.amount(max(abs(interval.low), abs(interval.high)), unit)) would not have been detected in this time; name the scenario to get more pairs of it."
    return found
  }

  /// Returns whether the estimate lies beyond the tolerance.
  private func isChange(_ ranks: SignedRank) -> Bool {
    !(range.better...range.worse).contains(ranks.estimate)
  }

  private func settled(
    _ verdict: Verdict, _ ranks: SignedRank, interval: Interval, error: Double
  ) -> Result {
    Result(
      verdict: verdict, estimate: ranks.estimate, interval: interval, confidence: 1 - 2 * error,
      otherwise: sentence(verdict, interval))
  }

  private func sentence(_ verdict: Verdict, _ interval: Interval) -> String {
    switch verdict {
    case .regressed: "It is at least \(range.amount(interval.low, unit)) worse."
    case .improved: "It is at least \(range.amount(interval.high, unit)) better."
    case .pass, .fail, .unchanged, .inconclusive, .incomparable, .unsupported, .recorded, .interrupted:
      "It would have been inconclusive at a tolerance below \(range.amount(max(abs(interval.low), abs(interval.high)), unit))."
    }
  }

  /// Returns a result that shows neither a change nor its absence, with the interval that is closer to a decision, and a sentence about how
  /// many pairs are still needed.
  private func open(_ ranks: SignedRank, _ claim: Interval?, narrow: Interval?) -> Result {
    let isChange = isChange(ranks)
    let (interval, error) = isChange && claim != nil ? (claim, plan.error) : (narrow, PairedPlan.missed)
    return Result(
      verdict: .inconclusive, estimate: ranks.estimate, interval: interval,
      confidence: interval.map { _ in 1 - 2 * error }, otherwise: remedy(ranks, interval, isChange: isChange))
  }

  private func remedy(_ ranks: SignedRank, _ interval: Interval?, isChange: Bool) -> String {
    let fewest = isChange ? SignedRank.fewestPairs(error: plan.error) : PairedPlan.looks[0]
    guard let interval, ranks.count >= fewest else { return Self.needs(fewest) }
    let room = min(abs(range.worse - ranks.estimate), abs(ranks.estimate - range.better))
    let half = (interval.high - interval.low) / 2
    let wanted = (Double(ranks.count) * (half / room) * (half / room)).rounded(.up)
    guard wanted.isFinite, wanted <= Double(PairedPlan.most) else {
      // A larger tolerance is not suggested to somebody whose figure may have become worse.
      guard !isChange else {
        return "The pairs scatter too much for a verdict; a quieter machine would scatter less."
      }
      let most = max(abs(interval.low), abs(interval.high))
      return
        "The pairs scatter too much for this tolerance; at one of \(range.amount(most, unit)) it would be unchanged."
    }
    let more = max(1, Int(wanted) - ranks.count)
    return "About \(more) more \(more == 1 ? "pair" : "pairs") that scatter as these would settle it."
  }

  private static func needs(_ pairs: Int) -> String { "It takes at least \(pairs) pairs." }
}
