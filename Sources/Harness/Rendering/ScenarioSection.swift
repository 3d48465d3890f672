/// One scenario as the page's template wants it.
struct ScenarioSection {
  typealias Model = ReportPage.Model

  let scenario: ScenarioReport
  let pictures: PictureBudget
  /// Characters of a text shown.
  private static let textLimit = 8_000

  var model: Model {
    var model: Model = [
      "id": scenario.id, "title": scenario.title, "purpose": scenario.purpose,
      "exampleFailure": scenario.exampleFailure, "verdict": ReportPage.word(scenario.verdict),
      "mark": ReportPage.mark(scenario.verdict), "attention": scenario.verdict.needsAttention,
      "requirements": scenario.requirements.map(RequirementLinks.model),
      "seconds": Figure.seconds(scenario.seconds), "key": keyFigure,
      "notes": scenario.notes,
      "reproduce": scenario.reproduce, "hasMetrics": !scenario.metrics.isEmpty,
      "metrics": scenario.metrics.map(metric), "hasChecks": !scenario.checks.isEmpty,
      "checks": scenario.checks.map(check), "drawings": scenario.metrics.compactMap(drawing),
    ]
    if !scenario.reason.isEmpty { model["reason"] = scenario.reason }
    if let selfTest = scenario.selfTest { model["selfTest"] = selfTest }
    let evidence = scenario.evidence.enumerated().map { item($1, at: $0) }
    model["pictures"] = evidence.filter { $0["isPicture"] != nil }
    model["timelines"] = evidence.filter { $0["svg"] != nil }
    model["texts"] = evidence.filter { $0["text"] != nil }
    return model
  }

  /// The one figure of the overview: the metric that decides, or the checks.
  private var keyFigure: String {
    if scenario.verdict == .regressed,
      let worse = scenario.metrics.first(where: { $0.baseline?.verdict == .regressed })
    {
      let change = worse.baseline?.change(worse.unit)
      return "p50 \(Figure.text(worse.p50, worse.unit)), \(change ?? "")"
    }
    let failing = scenario.metrics.first { $0.verdict == .fail && $0.limit != nil }
    if let metric = failing ?? scenario.metrics.first(where: { $0.limit != nil }), let limit = metric.limit {
      let measured = Figure.text(limit.measured, metric.unit)
      let bound = "\(limit.op.sign) \(Figure.text(limit.value, metric.unit))"
      return "\(limit.statistic.rawValue) \(measured)"
        + (metric.verdict == .fail ? ", not \(bound)" : " \(bound)")
    }
    let passed = scenario.checks.count(where: \.passed)
    if !scenario.checks.isEmpty { return "\(passed) of \(scenario.checks.count) rules hold" }
    return scenario.metrics.first.map { "p50 \(Figure.text($0.p50, $0.unit))" } ?? ""
  }

  private func metric(_ metric: MetricReport) -> Model {
    var model: Model = [
      "id": metric.id, "title": metric.title, "count": Figure.number(Double(metric.count)),
      "p50": figure(metric.p50, metric), "p90": figure(metric.p90, metric), "p99": figure(metric.p99, metric),
      "max": figure(metric.max, metric), "unit": metric.unit.rawValue, "evidence": metric.evidence.rawValue,
      "verdict": ReportPage.word(metric.verdict), "mark": ReportPage.mark(metric.verdict),
      "attention": metric.verdict.needsAttention,
    ]
    if let limit = metric.limit {
      model["limit"] = "\(limit.statistic.rawValue) \(limit.op.sign) \(Figure.text(limit.value, metric.unit))"
      model["requirement"] = RequirementLinks.model(limit.requirement)
      model["limitSource"] = limit.source
    }
    if !metric.reason.isEmpty { model["reason"] = metric.reason }
    if let baseline = metric.baseline {
      var change: Model = [
        "verdict": ReportPage.word(baseline.verdict), "mark": ReportPage.mark(baseline.verdict),
        "attention": baseline.verdict.needsAttention, "reason": baseline.reason,
      ]
      change["otherwise"] = baseline.otherwise
      change["test"] = ComparisonDrawing(baseline, metric.unit, title: metric.title)?.svg
      model["change"] = change
    }
    return model
  }

  private func figure(_ value: Double?, _ metric: MetricReport) -> String {
    metric.unit == .bytes
      ? Figure.number(value.map { $0.rounded() })
      : Figure.text(value, metric.unit).replacing(" \(metric.unit.rawValue)", with: "")
  }

  private func drawing(_ metric: MetricReport) -> Model? {
    guard let drawn = DrawnMetric(metric) else { return nil }
    return [
      "title": metric.title, "histogram": HistogramDrawing(metric: drawn).svg,
      "strip": StripDrawing(metric: drawn).svg,
    ]
  }

  private func check(_ check: Check) -> Model {
    var model: Model = [
      "id": check.id, "title": check.title, "detail": check.detail,
      "subjects": Figure.number(Double(check.subjects)),
      "mark": check.passed ? "✓" : "✗", "verdict": check.passed ? "PASS" : "FAIL", "attention": !check.passed,
    ]
    if let requirement = check.requirement { model["requirement"] = RequirementLinks.model(requirement) }
    return model
  }

  private func item(_ item: EvidenceReport, at index: Int) -> Model {
    var model: Model = ["title": item.title]
    switch item.kind {
    case .image where !pictures.keeps(index, of: scenario):
      model["text"] = "Left out to keep this page under 5 MB; the picture is in report.json."
    case .image:
      model["isPicture"] = true
      model["mime"] = item.mime == "image/png" ? "image/png" : "image/jpeg"
      model["data"] = item.data
    case .timeline:
      if let timeline = item.timeline { model["svg"] = TimelineDrawing(timeline: timeline).svg }
    case .text:
      let isCut = item.data.count > Self.textLimit
      model["text"] =
        String(item.data.prefix(Self.textLimit)) + (isCut ? "\n… the rest is in report.json" : "")
    }
    return model
  }
}
