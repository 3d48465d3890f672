/// One piece of evidence as the page's template wants it.
struct EvidenceModel {
  enum Kind { case picture, timeline, text }

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
    case .text:
      kind = .text
      model["text"] = ScenarioSection.cut(item.data)
    }
    self.model = model
  }

  /// - Parameter failed: it gets a cross.
  static func picture(_ item: EvidenceReport, failed: Bool) -> ReportPage.Model {
    [
      "itemTitle": item.title, "mime": item.mime == "image/png" ? "image/png" : "image/jpeg",
      "data": item.data,
      "crossed": failed,
    ]
  }
}
