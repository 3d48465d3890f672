/// Says whether a metric changed between the runs of a stored baseline and a new run.
///
/// A metric of the kind `exact` is compared sample by sample: any difference is a change. What is counted is compared as it is. All
/// else is compared by medians of runs (`RunsTest`).
struct MetricComparator {
  /// Fewer samples of a metric that is not counted say nothing.
  static let leastSamples = 5

  /// - Parameters:
  ///   - base: the metric in each run of the baseline, at least one.
  ///   - new: the metric in the new run, and in those that were made again.
  ///   - whileBusy: other programs were busy in all of these.
  func compare(_ base: [MetricReport], _ new: [MetricReport], whileBusy: Bool = false) -> MetricComparison {
    guard let before = base.first, let after = new.first else {
      return MetricComparison(incomparable: "one run does not have it", p50: base.first?.p50)
    }
    if let reason = Self.unlike(before, after) {
      return MetricComparison(incomparable: reason, p50: before.p50)
    }
    let (was, now) = (base.compactMap(\.p50), new.compactMap(\.p50))
    guard was.count == base.count, now.count == new.count else {
      return MetricComparison(
        method: nil, p50: was.first, verdict: .inconclusive,
        reason: "a run has no samples, or some that are no numbers")
    }
    if before.kind == .exact, after.kind == .exact { return ExactTest(before, after).comparison }
    let isCounted = after.unit.isDiscrete || after.polarity == .exact
    if !isCounted, let few = tooFew(base, new) { return few }
    let test = RunsTest(
      base: was, new: now, unit: after.unit, polarity: after.polarity,
      tolerance: isCounted ? after.tolerance.counting : after.tolerance, whileBusy: whileBusy && !isCounted)
    var found =
      test.compare(isCounted ? .counted : .runs)
      ?? MetricComparison(incomparable: "its figures cannot be compared", p50: was.first)
    if let was = before.functions, let now = after.functions { found.name(was, now) }
    return found
  }

  /// A new run that regressed or cannot be told is compared together with a second, where there is one.
  func compare(_ base: [MetricReport], _ new: MetricReport, again: MetricReport?) -> MetricComparison {
    let found = compare(base, [new])
    guard let again, found.needsSecondOpinion else { return found }
    return compare(base, [new, again])
  }

  func compare(_ base: MetricReport, _ new: MetricReport) -> MetricComparison { compare([base], [new]) }

  /// Why two rows are not of one metric, as a clause; nil when they are.
  static func unlike(_ base: MetricReport, _ new: MetricReport) -> String? {
    if base.unit != new.unit { return "the unit is \(new.unit.rawValue), was \(base.unit.rawValue)" }
    if base.polarity != new.polarity { return "the two runs do not agree on what is better" }
    if let was = base.kind, let now = new.kind, was != now {
      return "it is \(now.rawValue), was \(was.rawValue)"
    }
    if let was = base.functions?.counter, let now = new.functions?.counter, was != now {
      return "it was counted by \(now), and before by \(was)"
    }
    if base.evidence != new.evidence {
      return "the evidence is \(new.evidence.rawValue), was \(base.evidence.rawValue)"
    }
    return nil
  }

  /// A metric that has too few samples in both runs is `recorded`; one that had enough before is `inconclusive`.
  private func tooFew(_ base: [MetricReport], _ new: [MetricReport]) -> MetricComparison? {
    let (before, after) = (base.map(\.samples.count).min() ?? 0, new.map(\.samples.count).min() ?? 0)
    let count = min(before, after)
    guard count < Self.leastSamples, let row = new.first else { return nil }
    let was = base.first?.p50
    return MetricComparison(
      method: nil, p50: was, verdict: before < Self.leastSamples ? .recorded : .inconclusive,
      reason:
        "\(Figure.text(row.p50, row.unit)), was \(Figure.text(was, row.unit)); too few samples to compare "
        + "(\(count), and it takes \(Self.leastSamples))")
  }
}

extension MetricComparison {
  /// Says which functions account for a change.
  fileprivate mutating func name(_ base: FunctionCount, _ new: FunctionCount) {
    let changes = FunctionChange.between(base, new)
    guard !changes.isEmpty else { return }
    functions = changes
    guard verdict == .regressed || verdict == .improved else { return }
    reason += ". Own instructions: \(changes.prefix(3).map(\.words).joined(separator: "; "))"
    let frames = CallFrame.between(base, new)
    if !frames.isEmpty { calls = frames }
  }

  /// A suspected regression, or a doubt that another run may end. A metric that is exact is the same in every run.
  var needsSecondOpinion: Bool { method == .runs && (verdict == .regressed || verdict == .inconclusive) }
}

extension Tolerance {
  /// For what is counted, which is no matter of the session: what does not matter is the same against a stored baseline as by turns.
  fileprivate var counting: Tolerance {
    var tolerance = self
    tolerance.detectable = relative
    return tolerance
  }
}
