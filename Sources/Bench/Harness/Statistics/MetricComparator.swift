/// Decides whether a metric changed between the runs of a stored baseline and a new run.
///
/// Metrics of the kind `exact` are compared sample by sample: any difference is a change. Counts are compared
/// as they are, without a test. All other metrics are compared by the medians of the runs (`RunsTest`).
struct MetricComparator {
  /// The least number of samples for comparing a metric that is not a count.
  static let leastSamples = 5

  /// - Parameters:
  ///   - base: the metric in each run of the baseline, at least one.
  ///   - new: the metric in the new run, and in its repetitions.
  ///   - whileBusy: whether other programs were busy during all of these runs.
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
        reason: "a run \((base + new).compactMap(\.lackOfMedian).first ?? "has no samples")")
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

  /// Compares a new run with the baseline. If the metric regressed or is inconclusive, a second run is included, if there is one.
  func compare(_ base: [MetricReport], _ new: MetricReport, again: MetricReport?) -> MetricComparison {
    let found = compare(base, [new])
    guard let again, found.needsSecondOpinion else { return found }
    return compare(base, [new, again])
  }

  func compare(_ base: MetricReport, _ new: MetricReport) -> MetricComparison { compare([base], [new]) }

  /// The reason why two reports of a metric cannot be compared, as a clause. Nil if they can.
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

  /// The result if there are too few samples, otherwise nil. `recorded` if the baseline has too few samples, `inconclusive` if only the new
  /// runs have too few.
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
  /// Adds the functions that account for a change.
  fileprivate mutating func name(_ base: FunctionCount, _ new: FunctionCount) {
    let changes = FunctionChange.between(base, new)
    guard !changes.isEmpty else { return }
    functions = changes
    guard verdict == .regressed || verdict == .improved else { return }
    reason += ". Own instructions: \(changes.prefix(3).map(\.words).joined(separator: "; "))"
    let frames = CallFrame.between(base, new)
    if !frames.isEmpty { calls = frames }
  }

  /// Whether another run may resolve a suspected regression or a doubt. An exact metric is the same in every
  /// run.
  var needsSecondOpinion: Bool { method == .runs && (verdict == .regressed || verdict == .inconclusive) }
}

extension Tolerance {
  /// The tolerance for counts. They do not depend on the session, so that the tolerance for builds by turns
  /// also applies to a stored baseline.
  fileprivate var counting: Tolerance {
    var tolerance = self
    tolerance.detectable = relative
    return tolerance
  }
}

extension MetricReport {
  /// The reason why it has no median, as a predicate. Nil if it has one.
  var lackOfMedian: String? {
    guard p50 == nil else { return nil }
    return count == 0 ? "has no samples" : "has samples that are not finite numbers"
  }
}
