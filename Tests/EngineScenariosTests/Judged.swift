import Foundation

@testable import Harness

extension Observation {
  /// Returns the failed checks and metrics by the limits of the profile `seed`.
  func red() throws -> Set<String> {
    let judge = MetricJudge(profile: try Profile.load("seed"), metrics: metrics)
    return Set(
      checks.filter { !$0.passed }.map(\.id)
        + metrics.map(judge.report).filter { $0.verdict == .fail }.map(\.id))
  }
}
