/// A piece of evidence, as values for the page's template.
struct EvidenceModel {
  enum Kind { case picture, timeline, curves, text }

  let kind: Kind
  let model: ReportPage.Model

  init(_ item: EvidenceReport, at index: Int, of section: ScenarioSection) {
    var model: ReportPage.Model = ["itemTitle": item.title]
    switch item.kind {
    case .image where !section.budget.keeps(picture: index, of: section.index):
      kind = .text
      model["text"] = "Left out to keep this page under 2 MB; the picture is in report.json."
    case .image:
      kind = .picture
      model.merge(Self.picture(item, failed: section.scenario.showsFailure(at: index))) { $1 }
    case .timeline:
      kind = .timeline
      model["svg"] = item.timeline.map { TimelineDrawing(timeline: $0).svg } ?? ""
    case .curves:
      kind = .curves
      model.merge(item.curves.map(Self.curves) ?? [:]) { $1 }
    case .text:
      kind = .text
      model["text"] = ScenarioSection.cut(item.data)
    }
    self.model = model
  }

  /// Maximum numbers of charts and table rows in a page; `report.json` has all of them.
  private static let (panelLimit, rowLimit) = (40, 400)

  private static func curves(_ curves: Curves) -> ReportPage.Model {
    let panels = curves.panels.prefix(panelLimit).map { panel -> ReportPage.Model in
      ["panelTitle": panel.title, "drawing": CurveDrawing(panel: panel, curves: curves).svg]
    }
    let rows = curves.rows.prefix(rowLimit).map { row -> ReportPage.Model in
      ["first": row.first ?? "", "cells": Array(row.dropFirst())]
    }
    var model: ReportPage.Model = [
      "panels": Array(panels), "columns": curves.columns, "curveRows": Array(rows),
      "curveCount": curves.panels.count,
    ]
    if curves.panels.count > panelLimit || curves.rows.count > rowLimit {
      model["isCut"] = "The rest is in report.json."
    }
    return model
  }

  /// - Parameter failed: whether to mark the picture with a cross.
  static func picture(_ item: EvidenceReport, failed: Bool) -> ReportPage.Model {
    [
      "itemTitle": item.title, "mime": item.mime == "image/png" ? "image/png" : "image/jpeg",
      "data": item.data,
      "crossed": failed,
    ]
  }
}
