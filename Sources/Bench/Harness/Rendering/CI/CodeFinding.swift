/// The flaws of a scenario, in the words of a CI job: the metric, the figure, the limit, and what to look at.
struct CodeFinding {
  /// A metric or rule that is a reason for the verdict.
  struct Cause: Equatable {
    /// The metric's or rule's id.
    var id: String
    /// The reason, such as `p99 53.1 ms, the limit is < 50 ms (LAT-1)`.
    var words: String
  }

  let scenario: ScenarioReport
  /// The causes. Empty if the scenario did not get as far as measuring; `scenario.reason` then says why.
  let causes: [Cause]

  init(_ scenario: ScenarioReport) {
    self.scenario = scenario
    let rules = scenario.checks.filter { !$0.passed }.map {
      Cause(id: $0.id, words: "\($0.title): no; \($0.detail)")
    }
    let deciding = Set(scenario.decidingMetrics.map(\.id))
    let metrics = scenario.metrics.filter { metric in
      metric.verdict.needsAttention
        || (deciding.contains(metric.id) && metric.baseline?.verdict.needsAttention == true)
    }
    causes = metrics.map(Self.cause) + rules
  }

  /// Returns the findings of the scenarios that need attention, in the order of the report.
  static func all(_ report: Report) -> [CodeFinding] {
    report.scenarios.filter(\.verdict.needsAttention).map(CodeFinding.init)
  }

  /// One sentence with the first cause and the number of further causes.
  var sentence: String {
    guard let first = causes.first else { return scenario.reason }
    let name = first.id == scenario.id ? "" : "\(first.id) "
    return name + first.words + (causes.count > 1 ? ", and \(causes.count - 1) more" : "")
  }

  /// The picture that shows the failure, else the first picture or timeline, with its place in the page. The place of the scenario if it has
  /// neither.
  var lookAt: String {
    let place = "report.html#\(scenario.id)"
    let kinds: [EvidenceReport.Kind] = [.image, .timeline]
    let drawn = kinds.flatMap { kind in scenario.evidence.filter { $0.kind == kind } }
    let shown = drawn.first { $0.failure == true } ?? drawn.first
    guard let shown else { return place }
    return "the \(shown.kind == .image ? "picture" : "timeline") “\(shown.title)” in \(place)"
  }

  private static func cause(_ metric: MetricReport) -> Cause {
    guard metric.count > 0 else { return Cause(id: metric.id, words: "no sample") }
    if metric.verdict == .fail, let limit = metric.limit {
      let value = limit.value.map { "the limit is \(limit.op.sign) \(Figure.text($0, metric.unit))" }
      let figure = "\(limit.statistic.rawValue) \(Figure.text(limit.measured, metric.unit))"
      return Cause(
        id: metric.id,
        words: "\(figure), \(value ?? "the limit's reference was not measured") (\(limit.requirement))")
    }
    return Cause(id: metric.id, words: metric.baseline?.reason ?? metric.reason)
  }
}

extension Report {
  /// Why the run needs attention though no scenario does: it was not compared or not finished, or nothing was measured. Nil otherwise.
  var openReason: String? {
    guard verdict.needsAttention, !scenarios.contains(where: \.verdict.needsAttention) else { return nil }
    if let baseline, baseline.verdict.needsAttention { return baseline.reason }
    return complete ? "nothing was measured" : "the run was not finished"
  }
}

extension CodeFinding {
  /// A file of this repository and a line in it: the declaration of the scenario, or if unknown, the explanation of its first requirement.
  var location: (path: String, line: Int) {
    if let declaration = scenario.declaration { return (declaration.file, declaration.line) }
    let path = "docs/requirements.md"
    return scenario.requirements.lazy.compactMap { id in RequirementLines.all[id].map { (path, $0) } }.first
      ?? (path, 1)
  }
}

/// The line number of each requirement in `docs/requirements.md`, counted from 1.
private enum RequirementLines {
  static let all: [RequirementID: Int] = {
    let page = String(decoding: PackageResources.requirements_md, as: UTF8.self)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let headings = lines.enumerated().compactMap { index, line in
      line.prefixMatch(of: /### <a id="[a-z0-9-]+"><\/a>([A-Z]+-[0-9]+):/).map {
        (RequirementID(String($0.1)), index + 1)
      }
    }
    return Dictionary(headings, uniquingKeysWith: { first, _ in first })
  }()
}
