package import Harness

/// Finds the commit that made a counted metric worse, by bisection, with as few builds as possible.
///
/// The search keeps no state except which commits were counted and which cannot be counted. `measure` keeps
/// the reports, so an interrupted search continues where it stopped. Each commit is compared with the newest
/// commit, so the oldest commit is built only if every other commit was slow.
package struct BisectSearch {
  /// The result of building and counting one commit.
  package enum Reading {
    case counted(Report)
    /// The commit cannot be built or counted. The value is the reason.
    case failed(String)
  }

  package struct Outcome {
    /// The first commit with the change.
    package var commit: String
    /// The newest earlier commit that was counted.
    package var before: String
    /// The change of the metric from `before` to `commit`.
    package var change: Comparison.Row
    /// Further commits that may contain the change, because they could not be counted.
    package var others: [String]
  }

  /// The id of the metric to search for. If nil, the search follows the metric that grew most at the first
  /// difference found.
  private var metric: String?
  /// A function that lists the commits before `bad` that none of `good` contains, without `bad` itself, the commit nearest to the middle
  /// first (`git rev-list --bisect-all`).
  private let between: (_ bad: String, _ good: [String]) throws -> [String]
  private let measure: (_ commit: String) async throws -> Reading

  package init(
    metric: String?, between: @escaping (_ bad: String, _ good: [String]) throws -> [String],
    measure: @escaping (_ commit: String) async throws -> Reading
  ) {
    self.metric = metric
    self.between = between
    self.measure = measure
  }

  /// - Returns: nil if the newest commit takes no more instructions than the oldest.
  /// - Throws: `Failure` if one end of the range cannot be counted; the errors of `between` and `measure`.
  package mutating func first(after good: String, upTo bad: String) async throws -> Outcome? {
    let worst = try await end(bad, nil)
    var (slow, slowReport) = (bad, worst)
    var quick: (commit: String, report: Report)?
    var (passed, failed): ([String], Set<String>) = ([good], [])
    while let next = try between(slow, passed).first(where: { !failed.contains($0) }) {
      guard case .counted(let report) = try await reading(next, worst) else {
        failed.insert(next)
        continue
      }
      if row(report, worst) == nil {
        (slow, slowReport) = (next, report)
      } else {
        quick = (next, report)
        passed.append(next)
      }
    }
    let before: (commit: String, report: Report)
    if let quick { before = quick } else { before = (good, try await end(good, worst)) }
    guard let change = row(before.report, slowReport) ?? row(before.report, worst) else { return nil }
    return Outcome(
      commit: slow, before: before.commit, change: change, others: try between(slow, passed))
  }

  private func end(_ commit: String, _ worst: Report?) async throws -> Report {
    switch try await reading(commit, worst) {
    case .counted(let report): return report
    case .failed(let reason):
      throw Failure(
        "\(commit) is an end of the range and cannot be counted: \(reason); choose another end",
        .inconclusive)
    }
  }

  /// Measures a commit. A commit that was counted in another way than the newest commit is reported as failed: if it were treated as slow,
  /// the search would name a wrong commit.
  private func reading(_ commit: String, _ worst: Report?) async throws -> Reading {
    let reading = try await measure(commit)
    guard case .counted(let report) = reading else { return reading }
    if let metric, !report.scenarios.contains(where: { $0.metrics.contains { $0.id == metric } }) {
      return .failed("its report has no metric \(metric)")
    }
    guard let worst else { return reading }
    let comparison = Comparison(base: report, new: worst)
    if !comparison.differences.isEmpty { return .failed(comparison.differences.joined(separator: "; ")) }
    let rows = comparison.rows.filter {
      metric == nil ? $0.metric.hasSuffix(".instructions") : $0.metric == metric
    }
    guard let unlike = rows.first, rows.allSatisfy({ $0.baseline.verdict == .incomparable }) else {
      return reading
    }
    return .failed("\(unlike.metric): \(unlike.baseline.reason)")
  }

  /// Returns the comparison of the followed metric, or nil if the metric is not worse in `new`. Without a followed metric, the deciding count of
  /// instructions that became worse by most is followed from now on; other counts may differ between runs of one build.
  private mutating func row(_ base: Report, _ new: Report) -> Comparison.Row? {
    let worse = Comparison(base: base, new: new).rows.filter { row in
      row.baseline.verdict == .regressed
        && (metric.map { $0 == row.metric } ?? (row.decides && row.metric.hasSuffix("instructions")))
    }
    let most = worse.max { ($0.baseline.ratio ?? 0) < ($1.baseline.ratio ?? 0) }
    metric = metric ?? most?.metric
    return most
  }
}
