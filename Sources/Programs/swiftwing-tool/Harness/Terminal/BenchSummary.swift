import Harness

/// The last lines of a bench: the verdict, counts, and the place of the report.
struct BenchSummary {
  let report: Report
  let directory: String
  /// Whether to list failures. Not needed if each scenario was reported when it ended.
  var namesFailures = false

  var text: String {
    let counts = report.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    var lines = ["\(report.verdict.rawValue.uppercased())  \(counts.joined(separator: ", "))"]
    if namesFailures { lines += failures }
    for missing in report.missing ?? [] { lines.append("missing: \(missing.sentence)") }
    if let fault = report.fault { lines.append("broken on purpose: --fault \(fault)") }
    if let baseline = report.baseline {
      let other = baseline.interleaved == true ? "\(baseline.commit) by turns" : "the baseline"
      lines.append("against \(other): \(baseline.reason)")
      if baseline.interleaved == true { lines += doubts }
    }
    let open = report.inconclusive
    if !open.disturbed.isEmpty {
      lines.append("inconclusive because other programs were busy: \(open.disturbed.joined(separator: ", "))")
    }
    if !open.slow.isEmpty {
      lines.append("inconclusive because the processor is slow: \(open.slow.joined(separator: ", "))")
    }
    if let excuses = report.excuses { lines.append("excused: \(excuses)") }
    if let neighbours = report.neighbours { lines.append(neighbours) }
    if !open.others.isEmpty { lines.append("inconclusive: \(open.others.joined(separator: ", "))") }
    lines.append("\(directory)/report.html")
    return lines.joined(separator: "\n")
  }

  private var failures: [String] {
    report.scenarios.filter { $0.verdict.exitStatus == .failed }.map { scenario in
      let source = scenario.source.map { " (\($0))" } ?? ""
      return "  \(scenario.verdict.rawValue)  \(scenario.id)\(source): \(scenario.reason)"
    }
  }

  /// The metrics that need attention in a comparison by turns, and what would have changed their verdicts.
  private var doubts: [String] {
    report.scenarios.flatMap { scenario in
      scenario.decidingMetrics.compactMap { metric in
        guard let found = metric.baseline, found.verdict.needsAttention else { return nil }
        return "  \(found.verdict.rawValue)  \(metric.id): \(found.reason). \(found.otherwise ?? "")"
      }
    }
  }
}
