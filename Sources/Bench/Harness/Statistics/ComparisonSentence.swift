/// The sentence that sums up all deciding metrics, and remarks on what was left out.
struct ComparisonSentence {
  /// The verdict: a regression comes first, then anything inconclusive, then an improvement.
  let verdict: Verdict
  let text: String

  /// - Parameter rows: for each deciding metric its verdict and, in a few words, its name and change.
  init(_ rows: [(verdict: Verdict, words: String)], _ comparability: Comparability) {
    let sentence = Self(rows, remarks: comparability.remarks)
    verdict = comparability.refusal == nil ? sentence.verdict : .incomparable
    text = comparability.refusal ?? sentence.text
  }

  /// Sums up rows that may be compared.
  init(_ rows: [(verdict: Verdict, words: String)], remarks: [String]) {
    let verdict = Verdict.decisive(rows.map(\.verdict)) ?? (rows.isEmpty ? .incomparable : .inconclusive)
    let named = rows.filter { $0.verdict == verdict }.map(\.words)
    let sentence = Self.sentence(verdict, named, of: rows.count)
    self.verdict = verdict
    text = ([sentence] + remarks).joined(separator: " ")
  }

  private static func sentence(_ verdict: Verdict, _ names: [String], of total: Int) -> String {
    if total == 0 { return "The runs have no metric in common." }
    if verdict == .unchanged { return unchanged(names.count, of: total) }
    if names.isEmpty { return "No metric has enough samples to compare." }
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    let listed = names.prefix(3).joined(separator: ", ")
    return "\(names.count) of \(total) metrics \(verdict.rawValue): \(listed)\(more)."
  }

  private static func unchanged(_ count: Int, of total: Int) -> String {
    let rest = total - count
    return rest == 0
      ? "All \(total) metrics are unchanged."
      : "All \(count) metrics with enough samples are unchanged, \(rest) \(rest == 1 ? "has" : "have") too few."
  }
}

extension Verdict {
  /// Returns the verdict that decides among several comparisons. Nil for none.
  static func decisive(_ verdicts: [Verdict]) -> Verdict? {
    [.regressed, .inconclusive, .incomparable, .improved, .unchanged].first(where: verdicts.contains)
  }
}

extension MetricReport {
  /// Returns the metric and its change, such as `latency.engine +31 %`.
  func words(_ comparison: MetricComparison?) -> String {
    let change = comparison?.change(unit) ?? ""
    let isMedian = comparison?.isByTail != true && comparison?.differing == nil
    return change.isEmpty ? id : isMedian ? "\(id) \(change)" : "\(id) (\(change))"
  }
}
