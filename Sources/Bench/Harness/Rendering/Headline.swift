extension ScenarioReport {
  /// The most telling figure of a scenario, in a few words: that of the first failed limit, or else of the
  /// first limit, with the limit. If there are no limits, the first median; if there are no metrics, the
  /// number of rules that hold. Nil if nothing was measured.
  public var headline: String? {
    let limited = metrics.filter { $0.limit?.measured != nil }
    if let metric = limited.first(where: { $0.verdict == .fail }) ?? limited.first, let limit = metric.limit {
      let words = [name(of: metric), limit.statistic.label(metric.unit)].compactMap { $0 }
      let figure = (words + [Figure.text(limit.measured, metric.unit)]).joined(separator: " ")
      return limit.value.map { "\(figure) (\(limit.op.words) \(Figure.text($0, metric.unit)))" } ?? figure
    }
    if let metric = metrics.first(where: { $0.p50 != nil }) {
      return [name(of: metric), "p50", Figure.text(metric.p50, metric.unit)].compactMap { $0 }
        .joined(separator: " ")
    }
    guard !checks.isEmpty else { return nil }
    return "\(checks.count { $0.passed }) of \(checks.count) rules hold"
  }

  /// Returns the last part of a metric's id. Nil if the id is that of the scenario.
  private func name(of metric: MetricReport) -> String? {
    metric.id == id ? nil : metric.id.split(separator: ".").last.map(String.init)
  }
}

extension Statistic {
  /// Returns the name of the figure, such as p99. Nil for counted metrics, which have only one figure.
  fileprivate func label(_ unit: MeasurementUnit) -> String? {
    switch self {
    case .max, .min, .each, .count: unit.isDiscrete ? nil : self == .each ? "worst" : rawValue
    case .p50, .p90, .p99, .mean: rawValue
    }
  }
}

extension Relation {
  /// The words before a limit.
  var words: String {
    switch self {
    case .atMost: "at most"
    case .below: "below"
    case .atLeast: "at least"
    case .above: "above"
    case .equal: "exactly"
    }
  }
}
