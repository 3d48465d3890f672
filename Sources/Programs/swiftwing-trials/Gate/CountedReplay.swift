import Harness

/// Comparisons of counting runs of one build: each run with every run that was recorded before it, at any load.
struct CountedReplay: Sendable {
  let archive: GateArchive

  /// Returns a row for each load of the new run.
  func rows() throws -> [GateRow] {
    let runs = archive.counts.sorted { $0.key < $1.key }.flatMap { load, reports in
      reports.map { (load: load, report: $0) }
    }.sorted { $0.report.started < $1.report.started }
    var rows: [Int: GateRow] = [:]
    for (number, new) in runs.enumerated() {
      for base in runs.prefix(number) {
        let comparison = Comparison(baseline: try Baseline([base.report]), new: new.report)
        let blamed = comparison.rows.filter { $0.decides && $0.baseline.verdict == comparison.verdict }
        rows[new.load, default: GateRow(method: "by counts", load: new.load)].add(
          comparison.verdict, blaming: comparison.verdict == .unchanged ? [] : blamed.map(\.metric))
      }
    }
    return rows.values.sorted { $0.load < $1.load }
  }
}
