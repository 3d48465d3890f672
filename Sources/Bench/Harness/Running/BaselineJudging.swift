extension BaselineSummary {
  /// Summarises the comparison of a run with its baseline so far, re-runs included.
  init(of report: Report, against baseline: Baseline, _ comparability: Comparability) {
    let base = baseline.first
    started = base.started
    commit = base.tool.commit
    runs = baseline.runs.count > 1 ? baseline.runs.count : nil
    let sentence = ComparisonSentence(Self.rows(report, base), comparability)
    verdict = report.complete ? sentence.verdict : .interrupted
    reason = report.complete ? sentence.text : "The run was not finished. So far: \(sentence.text)"
  }

  /// Returns a row for each deciding metric of the baseline, in the scenarios of this run.
  private static func rows(_ report: Report, _ base: Report) -> [(verdict: Verdict, words: String)] {
    report.scenarios.flatMap { scenario in
      let before = base.scenarios.first { $0.id == scenario.id }?.decidingMetrics ?? []
      return before.map { metric in
        let comparison = scenario.metrics.first { $0.id == metric.id }?.baseline
        return (comparison?.verdict ?? .incomparable, metric.words(comparison))
      }
    }
  }
}
