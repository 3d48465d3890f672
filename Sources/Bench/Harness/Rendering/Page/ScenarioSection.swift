/// A scenario, as values for the page's template.
struct ScenarioSection: Sendable {
  typealias Model = ReportPage.Model

  let scenario: ScenarioReport
  let index: Int
  let anchors: RowAnchors
  let budget: PageBudget
  /// Maximum length of a text that is shown, in characters.
  private static let textLimit = 8_000
  /// Maximum number of notes that are shown unfolded.
  private static let openNotes = 3

  /// The values for the list of all scenarios.
  var heading: Model {
    [
      "here": RowAnchors.address(scenario.id), "title": scenario.title, "figure": keyFigure,
      "mark": ReportPage.mark(scenario.verdict), "attention": scenario.verdict.needsAttention,
    ]
  }

  var model: Model {
    let rows = scenario.judgedRows(anchors.metrics(of: index), anchors.checks(of: index))
    var model: Model = heading.merging([
      "id": scenario.id, "purpose": scenario.purpose, "exampleFailure": scenario.exampleFailure,
      "verdict": ReportPage.word(scenario.verdict), "key": scenario.verdict.rawValue,
      "requirements": scenario.requirements.map(RequirementLinks.model),
      "seconds": Figure.seconds(scenario.seconds), "reproduce": HTMLText.escape(scenario.reproduce),
      "hasRows": !rows.isEmpty, "rows": rows.map(\.model),
      "isPlain": rows.allSatisfy { $0.model["isCheck"] != nil },
    ]) { $1 }
    if !scenario.reason.isEmpty { model["reason"] = scenario.reason }
    if let selfTest = scenario.selfTest { model["selfTest"] = selfTest }
    if let source = scenario.source { model["measuredOn"] = source }
    model.merge(notes) { $1 }
    model.merge(figures(shown: Set(rows.map(\.anchor)))) { $1 }
    model.merge(charts) { $1 }
    model.merge(comparison) { $1 }
    model.merge(evidence) { $1 }
    return model
  }

  /// The notes. Those about injected faults are separate: the page shows them beside the example of a failure.
  private var notes: Model {
    let (faults, others) = (
      scenario.notes.filter(Self.isOfFaults), scenario.notes.filter { !Self.isOfFaults($0) }
    )
    return others.count > Self.openNotes
      ? ["faultNotes": faults, "foldedNotes": ["notes": others, "count": others.count] as Model]
      : ["faultNotes": faults, "notes": others]
  }

  private static func isOfFaults(_ note: String) -> Bool { note.hasPrefix("`qualify --fault` breaks") }

  /// Returns all metrics with their percentiles. A metric without a row of its own gets a link target here.
  private func figures(shown: Set<String>) -> Model {
    guard !scenario.metrics.isEmpty else { return [:] }
    let rows = zip(scenario.metrics, anchors.metrics(of: index)).map { metric, anchor in
      var row: Model = [
        "figureTitle": metric.title, "figureID": metric.id, "figureVerdict": ReportPage.mark(metric.verdict),
        "p50": Figure.text(metric.p50, metric.unit), "p90": Figure.text(metric.p90, metric.unit),
        "p99": Figure.text(metric.p99, metric.unit), "max": Figure.text(metric.max, metric.unit),
        "samples": Figure.number(Double(metric.count)), "evidence": metric.evidence.rawValue,
        "origin": LimitWords(metric)?.origin ?? "",
      ]
      if !shown.contains(anchor) { row["figureAnchor"] = anchor }
      return row
    }
    return ["figures": ["figureRows": rows, "count": rows.count] as Model]
  }

  private var charts: Model {
    let drawn = scenario.metrics.indices.filter { budget.draws(metric: $0, of: index) }
    let charts = drawn.compactMap { ChartModel(metric: scenario.metrics[$0]).model }
    return charts.isEmpty ? [:] : ["charts": ["drawings": charts, "count": charts.count] as Model]
  }

  /// The metrics that were compared with the baseline, with their tests.
  private var comparison: Model {
    let rows = scenario.metrics.compactMap { metric in
      metric.baseline.map { baseline -> Model in
        var row = JudgedRow.change(baseline, of: metric)
        row["changeTitle"] = metric.title
        row["changeID"] = metric.id
        return row
      }
    }
    return rows.isEmpty ? [:] : ["comparison": ["changes": rows, "count": rows.count] as Model]
  }

  private var evidence: Model {
    let items = scenario.evidence.enumerated().map { EvidenceModel($1, at: $0, of: self) }
    var model: Model = [:]
    let pictures = items.filter { $0.kind == .picture }.map(\.model)
    if !pictures.isEmpty { model["pictures"] = ["pictures": pictures, "count": pictures.count] as Model }
    model["timelines"] = items.filter { $0.kind == .timeline }.map(\.model)
    model["curves"] = items.filter { $0.kind == .curves }.map(\.model)
    model["texts"] = items.filter { $0.kind == .text }.map(\.model)
    return model
  }

  static func cut(_ text: String) -> String {
    let isCut = text.count > textLimit
    return String(text.prefix(textLimit)) + (isCut ? "\n… the rest is in report.json" : "")
  }

  /// Returns the first characters of a sentence.
  static func cut(_ text: String, _ most: Int) -> String {
    text.count > most ? text.prefix(most) + "…" : text
  }

  /// The figure for the overview: the figure of the deciding metric, or the number of checks that hold.
  private var keyFigure: String {
    if scenario.verdict == .regressed,
      let worse = scenario.metrics.first(where: { $0.baseline?.verdict == .regressed })
    {
      let change = worse.baseline?.change(worse.unit)
      return "median \(Figure.text(worse.p50, worse.unit)), \(change ?? "")"
    }
    let failing = scenario.metrics.first { $0.verdict == .fail && $0.limit != nil }
    if let metric = failing ?? scenario.metrics.first(where: { $0.limit != nil }),
      let words = LimitWords(metric)
    {
      return words.brief
    }
    let passed = scenario.checks.count(where: \.passed)
    if !scenario.checks.isEmpty { return "\(passed) of \(scenario.checks.count) rules hold" }
    return scenario.metrics.first.map { "median \(Figure.text($0.p50, $0.unit))" } ?? ""
  }
}
