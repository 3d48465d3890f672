extension BaselineSummary {
  /// What the metrics of a run say of its baseline so far, re-runs included.
  init(of report: Report, against base: Report) {
    started = base.started
    commit = base.tool.commit
    let differences = Comparability.differences(base: base, new: report)
    guard differences.isEmpty else {
      verdict = .incomparable
      reason = "The runs were not made alike: \(differences.joined(separator: "; "))."
      return
    }
    let rows = Self.rows(report, base)
    let decisive = Verdict.decisive(rows.map(\.verdict)) ?? (rows.isEmpty ? .incomparable : .inconclusive)
    verdict = decisive
    reason = Self.sentence(decisive, rows.filter { $0.verdict == decisive }.map(\.words), of: rows.count)
  }

  /// One a metric that decides, that either run measured in the scenarios of this one, and the baseline had.
  private static func rows(_ report: Report, _ base: Report) -> [(verdict: Verdict, words: String)] {
    report.scenarios.flatMap { scenario in
      let before = base.scenarios.first { $0.id == scenario.id }?.decidingMetrics ?? []
      return before.map { metric in
        let comparison = scenario.metrics.first { $0.id == metric.id }?.baseline
        let change = comparison?.ratio.map { " \(Figure.change($0))" } ?? ""
        return (comparison?.verdict ?? .incomparable, metric.id + change)
      }
    }
  }

  private static func sentence(_ verdict: Verdict, _ names: [String], of total: Int) -> String {
    if total == 0 { return "The baseline has none of these metrics." }
    if verdict == .unchanged { return Verdict.sentence(unchanged: names.count, of: total) }
    if names.isEmpty { return "No metric has enough samples to compare." }
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    let listed = names.prefix(3).joined(separator: ", ")
    return "\(names.count) of \(total) metrics \(verdict.rawValue): \(listed)\(more)."
  }
}
