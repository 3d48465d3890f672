import Harness
import System

extension Trend {
  /// Sets the verdict from the deciding series. A recent regression in any setting that is not retired fails the trend. Otherwise, the
  /// trend is inconclusive if the setting of the newest run has no deciding series, or an inconclusive one.
  mutating func conclude() {
    guard let current = settings.first else {
      verdict = .inconclusive
      reason = "The history has no run."
      return
    }
    let living = settings.filter { !$0.isRetired }
    let regressed = living.flatMap { setting in setting.deciding(.regressed).map { (setting, $0) } }
    let open = current.deciding(.inconclusive)
    let deciding = current.series.filter(\.decides).count
    if !regressed.isEmpty {
      verdict = .regressed
      reason = Self.sentence(regressed.map(\.1), "regressed")
    } else if deciding == 0 {
      verdict = .inconclusive
      reason = "No metric of the newest run decides."
    } else if !open.isEmpty {
      verdict = .inconclusive
      reason = Self.sentence(open, "inconclusive")
    } else {
      verdict = .unchanged
      reason =
        "\(deciding) \(deciding == 1 ? "figure" : "figures") over \(current.runs.count) runs: none regressed."
    }
  }

  private static func sentence(_ series: [Series], _ word: String) -> String {
    let named = series.prefix(3).map { "\($0.metric) \($0.statistic.rawValue): \($0.reason)" }
    let more = series.count > 3 ? "; and \(series.count - 3) more" : ""
    return
      "\(series.count) \(series.count == 1 ? "figure" : "figures") \(word). \(named.joined(separator: "; "))\(more)."
  }
}

extension SettingTrend {
  /// The series that are shown one by one, and those that are only counted: exact figures that never changed, if there are many.
  var shown: (each: [Series], counted: [Series]) {
    let quiet = series.filter { $0.kind == .exact && $0.changes.isEmpty && $0.verdict == .unchanged }
    guard quiet.count > 12 else { return (series, []) }
    return (series.filter { !quiet.contains($0) }, quiet)
  }

  fileprivate func deciding(_ verdict: Verdict) -> [Series] {
    series.filter { $0.decides && $0.verdict == verdict }
  }
}

extension ChangePoint {
  /// Returns a description such as `+23 % at 3f2a9c1 (+19 % to +27 %), 10.2 ms to 12.5 ms, confidence 99.99 %`.
  package func sentence(_ series: Series) -> String {
    let size = ratio.map { Figure.change($0) } ?? "changed"
    let range = interval.flatMap { ends -> String? in
      guard let low = ends.first, let high = ends.last else { return nil }
      return ratio == nil
        ? "by \(Figure.text(low, series.unit)) to \(Figure.text(high, series.unit))"
        : "\(Figure.change(low)) to \(Figure.change(high))"
    }
    let levels = "\(Figure.text(from, series.unit)) to \(Figure.text(to, series.unit))"
    let words = ["\(size) \(place)", range.map { "99 % interval \($0)" }, levels, sureness(series)]
    return words.compactMap { $0 }.joined(separator: ", ")
  }

  /// Returns the command that finds the commit, for a counted figure that got worse. Nil for other figures, and if either end is no clean commit.
  package func bisection(_ series: Series) -> String? {
    let isNamed = [before, commit].allSatisfy { name in
      (7...64).contains(name.utf8.count)
        && name.utf8.allSatisfy { $0 < 0x80 && Character(UnicodeScalar($0)).isHexDigit }
    }
    guard series.kind == .counted, verdict == .regressed, isNamed, before != commit else { return nil }
    return "swiftwing bisect \(before) \(commit) \(ShellCommand.option("--metric", series.metric))"
  }

  /// The commit that the change came with, as far as known.
  package var place: String {
    guard let first = candidates.first else { return "between two runs of \(commit)" }
    switch candidates.count {
    case 1: return "at \(first)"
    case 2: return "at \(first) or \(candidates[1])"
    default: return "at \(first) or one of \(candidates.count - 1) beside it"
    }
  }

  /// The word for the change in a list.
  var word: String {
    switch verdict {
    case .unchanged: "within tolerance"
    case .inconclusive: "may matter"
    case .pass, .fail, .regressed, .improved, .incomparable, .unsupported, .recorded, .interrupted:
      verdict.rawValue
    }
  }

  private func sureness(_ series: Series) -> String {
    if series.kind == .exact { return "exact" }
    // Truncated instead of rounded, because no confidence is 100 %.
    let tenths = Int(confidence * 1000)
    return confidence > 0.9999 ? "confidence above 99.99 %" : "confidence \(tenths / 10).\(tenths % 10) %"
  }
}
