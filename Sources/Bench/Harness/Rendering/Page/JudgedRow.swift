/// A metric or check as a row of the page: the limit in plain words, and the measured figure.
struct JudgedRow {
  typealias Model = ReportPage.Model

  private(set) var model: Model
  let anchor: String
  /// Whether a reader must look at the row.
  let isUrgent: Bool

  init(_ metric: MetricReport, anchor: String) {
    self.anchor = anchor
    isUrgent = metric.isRemarkable
    var model = Self.head(
      metric.verdict, metric.title, id: metric.id, anchor: anchor, attention: metric.isRemarkable)
    let words = LimitWords(metric)
    model["asked"] = words?.asked ?? (metric.verdict == .recorded ? "nothing: for information" : "")
    if let meaning = words?.meaning { model["meaning"] = meaning }
    model["measured"] = words.map(\.measured) ?? Self.plain(metric)
    model["samples"] = Figure.number(Double(metric.count))
    if let words, metric.limit?.measured != nil {
      model["brief"] = words.brief
      if let room = words.room { model["room"] = room }
    }
    if let limit = metric.limit { model["requirement"] = RequirementLinks.model(limit.requirement) }
    // For a metric that failed its limit, the row already shows both figures.
    if !metric.reason.isEmpty, metric.limit?.measured == nil || metric.verdict != .fail {
      model["why"] = metric.reason
    }
    if let baseline = metric.baseline, baseline.verdict.needsAttention || baseline.verdict == .improved {
      model["change"] = Self.change(baseline, of: metric)
      // Without a limit, the mark of the change says more than that of the figure.
      if metric.limit == nil { model["rowMark"] = ReportPage.mark(baseline.verdict) }
    }
    self.model = model
  }

  init(_ check: Check, anchor: String) {
    self.anchor = anchor
    isUrgent = !check.passed
    var model = Self.head(
      check.passed ? .pass : .fail, check.title, id: check.id, anchor: anchor, attention: !check.passed)
    model["isCheck"] = true
    model["seen"] = check.detail
    model["samples"] = Figure.number(Double(check.subjects))
    if let requirement = check.requirement { model["requirement"] = RequirementLinks.model(requirement) }
    self.model = model
  }

  /// Makes one row of the checks that saw the same: one cause often breaks many rules. The row is that of the first check, and names the others.
  static func grouped(_ rows: [JudgedRow]) -> [JudgedRow] {
    var grouped: [(row: JudgedRow, others: [String])] = []
    var places: [String: Int] = [:]
    for row in rows {
      // Only a check has the first, and every row the second.
      let seen = row.model["seen"] as? String ?? ""
      if let place = places[seen], let title = row.model["rowTitle"] as? String {
        grouped[place].others.append(title)
      } else {
        if !seen.isEmpty { places[seen] = grouped.count }
        grouped.append((row, []))
      }
    }
    return grouped.map { group in
      var row = group.row
      guard !group.others.isEmpty else { return row }
      let named = group.others.prefix(namedLimit)
      let rest = group.others.count - named.count
      row.model["alike"] = named.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
      row.model["alikeCount"] = Figure.number(Double(group.others.count))
      return row
    }
  }

  /// Maximum number of checks that a row names beside its own.
  private static let namedLimit = 20

  /// Returns the change of a metric against the baseline, with its test.
  static func change(_ baseline: MetricComparison, of metric: MetricReport) -> Model {
    var model: Model = [
      "changeVerdict": ReportPage.word(baseline.verdict), "changeMark": ReportPage.mark(baseline.verdict),
      "changeAlert": baseline.verdict.needsAttention, "changeReason": baseline.reason,
    ]
    model["otherwise"] = baseline.otherwise
    model["test"] = ComparisonDrawing(baseline, metric.unit, title: metric.title)?.svg
    model["flames"] = FlameDrawing(baseline.calls, title: metric.title)?.svg
    return model
  }

  private static func head(
    _ verdict: Verdict, _ title: String, id: String, anchor: String, attention: Bool
  ) -> Model {
    [
      "rowTitle": title, "rowID": id, "anchor": anchor, "address": RowAnchors.address(anchor),
      "rowVerdict": ReportPage.word(verdict), "rowMark": ReportPage.mark(verdict), "rowKey": verdict.rawValue,
      "rowAlert": attention,
    ]
  }

  private static func plain(_ metric: MetricReport) -> String {
    let figure = Figure.text(metric.p50, metric.unit)
    return metric.count > 1 ? "median \(figure)" : figure
  }
}

extension ScenarioReport {
  /// Returns the rows that the page shows unfolded: all that were judged, failed ones first. If nothing was judged, the recorded metrics.
  func judgedRows(_ metricAnchors: [String], _ checkAnchors: [String]) -> [JudgedRow] {
    let isJudged = { (metric: MetricReport) in metric.verdict != .recorded || metric.isRemarkable }
    let shown = metrics.contains(where: isJudged) || !checks.isEmpty ? isJudged : { _ in true }
    let rows =
      zip(metrics, metricAnchors).filter { shown($0.0) }.map { JudgedRow($0, anchor: $1) }
      + zip(checks, checkAnchors).map { JudgedRow($0, anchor: $1) }
    return rows.filter(\.isUrgent) + rows.filter { !$0.isUrgent }
  }
}
