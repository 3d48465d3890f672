/// The ids of requirements in the page of a report. Each links to its explanation at the end of the page.
enum RequirementLinks {
  typealias Model = ReportPage.Model

  /// Returns a single id. An id without an explanation is plain text: the report may come from another version.
  static func model(_ id: RequirementID) -> Model {
    let entry = RequirementGuide.standard[id]
    return [
      "id": id.rawValue, "isExplained": entry != nil, "anchor": anchor(id),
      "hint": entry.map { "\($0.id), \($0.title): \($0.explanation)" } ?? "",
    ]
  }

  /// Returns the explanations of all ids that a report cites, in the order of `docs/requirements.md`.
  static func explanations(of report: Report) -> [Model] {
    let cited = Set(report.scenarios.flatMap(\.citedRequirements))
    return RequirementGuide.standard.entries.filter { cited.contains($0.id) }.map {
      ["id": $0.id.rawValue, "anchor": anchor($0.id), "name": $0.title, "text": $0.explanation]
    }
  }

  private static func anchor(_ id: RequirementID) -> String { "requirement-\(id.rawValue.lowercased())" }
}

extension ScenarioReport {
  /// The requirements of the scenario, of its limits and of its checks.
  fileprivate var citedRequirements: [RequirementID] {
    requirements + metrics.compactMap { $0.limit?.requirement } + checks.compactMap(\.requirement)
  }
}
