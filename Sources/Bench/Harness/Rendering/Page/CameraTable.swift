/// The cameras of a merged report, side by side: for each its verdict, what needs attention, a picture and the time closest to its limit, those
/// that need attention first; then a table with a row for
/// each rule and a column for each camera.
struct CameraTable {
  let report: Report
  /// Maximum number of the characters of all pictures together.
  private static let characterLimit = 400_000

  /// The values for the page's template. Nil for a report of a single source.
  var model: ReportPage.Model? {
    let sources = report.scenarios.compactMap(\.source).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    guard sources.count > 1, sources.count <= 100 else { return nil }
    let rules = report.scenarios.reduce(into: [String]()) { rules, scenario in
      if rules.last != scenario.rule, !rules.contains(scenario.rule) { rules.append(scenario.rule) }
    }
    let cells = Dictionary(
      report.scenarios.map { (Cell(rule: $0.rule, source: $0.source), $0) },
      uniquingKeysWith: { first, _ in first })
    return [
      "cards": cards(of: sources),
      "sources": sources.map { source in
        let verdicts = report.scenarios.filter { $0.source == source }.map(\.verdict)
        return ["source": source, "sourceTally": Tally(verdicts).words] as ReportPage.Model
      },
      "rules": rules.prefix(1000).map { rule in
        ["rule": rule, "cells": sources.map { Self.cell(cells[Cell(rule: rule, source: $0)]) }]
          as ReportPage.Model
      },
    ]
  }

  private func cards(of sources: [String]) -> [ReportPage.Model] {
    var left = Self.characterLimit
    let members = sources.map { source in report.scenarios.filter { $0.source == source } }
    let all = zip(sources, members).map {
      (source: $0, scenarios: $1, urgent: $1.filter(\.verdict.needsAttention))
    }
    return (all.filter { !$0.urgent.isEmpty } + all.filter(\.urgent.isEmpty)).map {
      source, scenarios, urgent in
      let verdicts = scenarios.map(\.verdict)
      let verdict = Verdict.worst(verdicts) ?? .inconclusive
      var card: ReportPage.Model = [
        "source": source, "sourceTally": Tally(verdicts).words, "cardMark": ReportPage.mark(verdict),
        "cardVerdict": ReportPage.word(verdict), "cardAlert": verdict.needsAttention,
      ]
      if let first = urgent.first {
        card["urgent"] =
          ["title": first.title, "address": RowAnchors.address(first.id), "reason": first.shortReason]
          as ReportPage.Model
      }
      let pictures = scenarios.flatMap { scenario in
        scenario.evidence.indices.filter { scenario.evidence[$0].kind == .image }.map {
          (item: scenario.evidence[$0], failed: scenario.showsFailure(at: $0))
        }
      }.filter { $0.item.data.utf8.count <= left }
      if let picture = pictures.first(where: \.failed) ?? pictures.first {
        left -= picture.item.data.utf8.count
        card["picture"] = EvidenceModel.picture(picture.item, failed: picture.failed)
      }
      if let closest = MetricReport.closest(scenarios.flatMap(\.metrics)), let words = LimitWords(closest) {
        card["closest"] =
          [
            "figureTitle": closest.title, "spare": words.room ?? "", "words": words.brief,
            "drawing": RoomDrawing(closest)?.svg ?? "",
          ] as ReportPage.Model
      }
      return card
    }
  }

  private struct Cell: Hashable {
    let rule: String
    let source: String?
  }

  private static func cell(_ scenario: ScenarioReport?) -> ReportPage.Model {
    guard let scenario else { return ["empty": true] }
    return [
      "cellMark": ReportPage.mark(scenario.verdict), "cellVerdict": ReportPage.word(scenario.verdict),
      "cellAlert": scenario.verdict.needsAttention, "cellAddress": RowAnchors.address(scenario.id),
    ]
  }
}

extension ScenarioReport {
  /// The id without the source, which a merged report appends after an @.
  fileprivate var rule: String { String(id.prefix { $0 != "@" }) }

  /// What was measured and asked of the first metric or check that needs attention.
  fileprivate var shortReason: String {
    let row = metrics.first(where: \.isRemarkable).map { metric in
      let words = LimitWords(metric).map(\.brief) ?? metric.baseline?.reason ?? metric.reason
      return "\(metric.title): \(words)"
    }
    let rule = checks.first { !$0.passed }.map { "\($0.title): \($0.detail)" }
    return ScenarioSection.cut(row ?? rule ?? reason, 200)
  }
}
