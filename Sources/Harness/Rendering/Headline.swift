extension ScenarioReport {
  /// The figure that says most of a scenario, in at most 37 columns: the one that its first limit binds, and that limit; of a
  /// scenario without limits its first median; of one without metrics how many of its rules hold. Nil when nothing was
  /// measured.
  public var headline: String? {
    let limited = metrics.filter { $0.limit?.measured != nil }
    if let metric = limited.first(where: { $0.verdict == .fail }) ?? limited.first, let limit = metric.limit {
      let statistic = limit.statistic == .each ? "worst" : limit.statistic.rawValue
      let figure = "\(statistic) \(Figure.text(limit.measured, metric.unit))"
      return limit.value.map { "\(figure), \(limit.op.words) \(Figure.text($0, metric.unit))" } ?? figure
    }
    if let metric = metrics.first(where: { $0.p50 != nil }) {
      return "p50 \(Figure.text(metric.p50, metric.unit))"
    }
    guard !checks.isEmpty else { return nil }
    return "\(checks.count { $0.passed }) of \(checks.count) rules hold"
  }
}

extension Relation {
  /// As it stands before a limit.
  fileprivate var words: String {
    switch self {
    case .atMost: "at most"
    case .below: "below"
    case .atLeast: "at least"
    case .above: "above"
    case .equal: "exactly"
    }
  }
}
