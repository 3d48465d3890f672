import Harness

/// Finds the commit that made a counted metric worse, with as few builds as halving takes.
///
/// Nothing is remembered but which commits were counted and which cannot be: with the reports that are kept, a search that was interrupted goes
/// on where it was. What a commit may be compared with is the newest one, so that the oldest is built only where every other was slow.
struct BisectSearch {
  /// What became of one commit.
  enum Reading {
    case counted(Report)
    /// It cannot be built or counted, for this reason.
    case failed(String)
  }

  struct Outcome {
    /// The first commit with the change, and what it changed, against the newest one before it that was counted.
    var commit: String
    var before: String
    var change: Comparison.Row
    /// Commits that may have it as well, because they could not be counted.
    var others: [String]
  }

  /// A metric that the change is looked for in; nil for the one that grew most where the first difference is met.
  var metric: String?
  /// The commits between, nearest to the middle first; git's `rev-list --bisect-all`. Without `bad` itself.
  let between: (_ bad: String, _ good: [String]) throws -> [String]
  let measure: (_ commit: String) async throws -> Reading

  /// - Returns: nil where the newest takes no more than the oldest.
  /// - Throws: `Failure` where one end cannot be counted; what `between` and `measure` throw.
  mutating func first(after good: String, upTo bad: String) async throws -> Outcome? {
    let worst = try await end(bad)
    var (slow, slowReport) = (bad, worst)
    var quick: (commit: String, report: Report)?
    var (passed, failed): ([String], Set<String>) = ([good], [])
    while let next = try between(slow, passed).first(where: { !failed.contains($0) }) {
      guard case .counted(let report) = try await measure(next) else {
        failed.insert(next)
        continue
      }
      if try row(report, worst) == nil {
        (slow, slowReport) = (next, report)
      } else {
        quick = (next, report)
        passed.append(next)
      }
    }
    let before: (commit: String, report: Report)
    if let quick { before = quick } else { before = (good, try await end(good)) }
    guard let change = try row(before.report, slowReport) ?? row(before.report, worst) else { return nil }
    return Outcome(
      commit: slow, before: before.commit, change: change, others: try between(slow, passed))
  }

  private func end(_ commit: String) async throws -> Report {
    switch try await measure(commit) {
    case .counted(let report): return report
    case .failed(let reason):
      throw Failure("\(commit) is an end of the range and cannot be counted: \(reason)", .inconclusive)
    }
  }

  /// The followed metric if it is worse in `new`; the first time, that which is worse by most is followed from then on.
  private mutating func row(_ base: Report, _ new: Report) throws -> Comparison.Row? {
    let comparison = Comparison(base: base, new: new)
    guard comparison.differences.isEmpty else {
      throw Failure(
        "the counts cannot be compared: \(comparison.differences.joined(separator: "; "))", .inconclusive)
    }
    if let metric, let row = comparison.rows.first(where: { $0.metric == metric }),
      row.baseline.verdict == .incomparable
    {
      throw Failure("\(metric) cannot be compared: \(row.baseline.reason)", .inconclusive)
    }
    let worse = comparison.rows.filter {
      $0.baseline.verdict == .regressed && (metric.map { [$0] } ?? [$0.metric]).contains($0.metric)
    }
    let most = worse.max { ($0.baseline.ratio ?? 0) < ($1.baseline.ratio ?? 0) }
    metric = metric ?? most?.metric
    return most
  }
}
