/// A scenario that needs attention, for the top of the page: the requirement, the measured figure, and a picture.
struct FindingModel {
  let scenario: ScenarioReport
  let index: Int
  let anchors: RowAnchors
  let budget: PageBudget

  /// Maximum numbers of rows, pictures and charts in a finding.
  private static let (rowLimit, pictureLimit, chartLimit) = (8, 4, 2)
  /// Maximum number of findings in a page that have rows, pictures and charts.
  static let detailedLimit = 40

  /// - Parameter isDetailed: whether to add rows and pictures to the name.
  func model(isDetailed: Bool) -> ReportPage.Model {
    var model: ReportPage.Model = [
      "mark": ReportPage.mark(scenario.verdict), "verdict": ReportPage.word(scenario.verdict),
      "here": RowAnchors.address(scenario.id), "id": scenario.id, "title": scenario.title,
    ]
    let rows = JudgedRow.grouped(
      scenario.judgedRows(anchors.metrics(of: index), anchors.checks(of: index)).filter(\.isUrgent))
    if rows.isEmpty || !isDetailed { model["reason"] = scenario.reason }
    guard isDetailed else { return model }
    // No row says why a whole scenario could not be decided.
    if scenario.verdict == .inconclusive || scenario.verdict == .interrupted {
      model["reason"] = scenario.reason
    }
    // The first row stands above the pictures, so that the first screen of the page says what is wrong and shows it.
    model["hasRows"] = !rows.isEmpty
    model["leading"] = rows.prefix(1).map(\.model)
    model["hasOthers"] = rows.count > 1
    model["others"] = rows.prefix(Self.rowLimit).dropFirst().map(\.model)
    if rows.count > Self.rowLimit { model["more"] = "\(rows.count - Self.rowLimit) more" }
    let pictures = pictures
    let drawings = drawings(hasPictures: !pictures.isEmpty)
    model["pictures"] = pictures
    model["drawings"] = drawings
    if pictures.isEmpty, drawings.isEmpty, let timeline = scenario.evidence.lazy.compactMap(\.timeline).first
    {
      model["timeline"] = TimelineDrawing(timeline: timeline).svg
    }
    model["hasFigures"] = !pictures.isEmpty || !drawings.isEmpty
    return model
  }

  private var pictures: [ReportPage.Model] {
    let failing = scenario.evidence.indices.filter {
      scenario.showsFailure(at: $0) && budget.keeps(picture: $0, of: index)
    }
    return failing.prefix(Self.pictureLimit).map {
      EvidenceModel.picture(scenario.evidence[$0], failed: true)
    }
  }

  /// Drawings of what is wrong: of a change, the pairs or runs that it was found in; of a limit, the samples beside it, or the bar of a figure that
  /// has too few samples, if no picture shows what is wrong.
  private func drawings(hasPictures: Bool) -> [ReportPage.Model] {
    let failing = scenario.metrics.indices.filter {
      scenario.metrics[$0].isRemarkable && budget.draws(metric: $0, of: index)
        || !hasPictures && scenario.metrics[$0].isRemarkable && DrawnMetric(scenario.metrics[$0]) == nil
    }
    return failing.lazy.compactMap { drawing(scenario.metrics[$0]) }.prefix(Self.chartLimit).map { $0 }
  }

  private func drawing(_ metric: MetricReport) -> ReportPage.Model? {
    let change = metric.baseline.flatMap { baseline in
      baseline.verdict.needsAttention && metric.verdict != .fail
        ? ComparisonDrawing(baseline, metric.unit, title: metric.title)?.svg : nil
    }
    let samples = DrawnMetric(metric).map { StripDrawing(metric: $0).svg }
    guard let svg = change ?? samples ?? RoomDrawing(metric)?.svg, !svg.isEmpty else { return nil }
    return ["chartTitle": metric.title, "drawing": svg]
  }
}
