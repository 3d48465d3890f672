/// The cameras of a merged report, side by side: a row for each rule, a column for each camera.
struct CameraTable {
  let report: Report

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
}
