/// The report as values for the page's template: nested dictionaries of finished words.
struct ReportPage {
  typealias Model = [String: Any]

  let report: Report
  let budget: PageBudget
  private let anchors: RowAnchors

  /// - Parameter pictures: maximum size of all pictures of the page together, in bytes.
  init(_ report: Report, pictures: Int = PageBudget.pictureLimit) {
    self.report = report
    budget = PageBudget(report, pictures: pictures)
    anchors = RowAnchors(report)
  }

  var model: Model {
    var page: Model = [
      "started": Self.moment(report.started),
      "title": "\(Self.word(report.verdict)) · \(report.source.name)", "verdict": Self.word(report.verdict),
      "attention": report.verdict.needsAttention, "headline": Tally(report.scenarios.map(\.verdict)).words,
      "style": ReportStyle.css, "patterns": ReportStyle.patterns,
      "script": PageScript.source, "scriptDigest": PageScript.digest,
      "facts": facts, "handover": handover, "suites": suites.map(suite), "environment": environment,
      "warnings": report.environment.warnings, "schema": report.schema, "version": report.tool.version,
      "cautions": report.cautions, "verdicts": verdicts,
    ]
    let findings = self.findings
    page["hasFindings"] = !findings.isEmpty
    page["findings"] = findings
    if let cameras = CameraTable(report: report).model {
      page["cameras"] = cameras
    } else if let opening = Opening(report: report, anchors: anchors).model {
      page["opening"] = opening
    }
    let explanations = RequirementLinks.explanations(of: report)
    page["hasExplanations"] = !explanations.isEmpty
    page["explanations"] = explanations
    if let baseline = report.baseline {
      page["baseline"] =
        [
          "against": Self.word(baseline.verdict), "againstAlert": baseline.verdict.needsAttention,
          "againstReason": baseline.reason, "againstCommit": baseline.commit,
          "againstStarted": Self.moment(baseline.started),
        ] as Model
    }
    return page
  }

  static func word(_ verdict: Verdict) -> String { verdict.rawValue.uppercased() }

  private static func moment(_ iso8601: String) -> String {
    iso8601.replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// Returns a mark that tells verdicts apart without colour.
  static func mark(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: "✓"
    case .fail: "✗"
    case .regressed: "▲"
    case .improved: "▼"
    case .unchanged, .recorded: "·"
    case .inconclusive: "?"
    case .incomparable: "≠"
    case .unsupported: "–"
    case .interrupted: "■"
    }
  }

  private var sourceLine: String {
    let source = report.source
    return [source.name, source.kind, source.format, source.driver, source.bus].compactMap { $0 }
      .joined(separator: " · ")
  }

  /// The first facts for a reader: what was measured, when, and by which program.
  private var facts: [Model] {
    var rows = [("Source", sourceLine)]
    if let serial = report.source.serial { rows.append(("Serial number", serial)) }
    rows += [
      ("Measured", Self.moment(report.started)),
      ("Limits", "profile \(report.profile), \(report.duration.rawValue) run"),
      ("Program", "SwiftWing \(report.tool.version), commit \(report.tool.commit)"),
    ]
    return rows.map { ["name": $0.0, "value": $0.1] }
  }

  /// The handover notes, with a place to sign if there is a customer or an operator. Empty if there are no notes.
  private var handover: [Model] {
    guard let handover = report.handover else { return [] }
    let rows = [
      ("Customer", handover.customer), ("Operator", handover.operator), ("Note", handover.note),
    ]
    return [
      [
        "people": rows.compactMap { name, value in value.map { ["name": name, "value": $0] as Model } },
        "isSigned": handover.customer != nil || handover.operator != nil,
      ]
    ]
  }

  private var findings: [Model] {
    // What failed comes before what could not be decided.
    let verdicts: [Verdict] = [.fail, .regressed, .interrupted, .inconclusive, .incomparable]
    let urgent = verdicts.flatMap { verdict in
      report.scenarios.indices.filter { report.scenarios[$0].verdict == verdict }
    }
    return urgent.enumerated().map { number, index in
      FindingModel(scenario: report.scenarios[index], index: index, anchors: anchors, budget: budget)
        .model(isDetailed: number < FindingModel.detailedLimit)
    }
  }

  /// The verdicts that occur in the report, for the page's filter.
  private var verdicts: [Model] {
    let rows = report.scenarios.flatMap {
      $0.metrics.map(\.verdict) + $0.checks.map { $0.passed ? .pass : .fail }
    }
    let there = Set(rows + report.scenarios.map(\.verdict))
    return Verdict.allCases.filter(there.contains).map { ["choice": $0.rawValue] }
  }

  private var suites: [Suite] {
    report.scenarios.reduce(into: []) { suites, scenario in
      if !suites.contains(scenario.suite) { suites.append(scenario.suite) }
    }
  }

  private func suite(_ suite: Suite) -> Model {
    let members = report.scenarios.indices.filter { report.scenarios[$0].suite == suite }
    let sections = members.map { index in
      ScenarioSection(scenario: report.scenarios[index], index: index, anchors: anchors, budget: budget)
    }
    return [
      "suiteTitle": suite.title, "suiteID": suite.id,
      "summary": Tally(members.map { report.scenarios[$0].verdict }).words,
      "scenarios": sections.map(\.heading), "articles": ScenarioArticles(sections).html,
    ]
  }

  private var environment: [Model] {
    let machine = report.environment
    let governor = machine.governor ?? "none"
    let rows = [
      (
        "Machine", "\(machine.cpu), \(machine.cores) cores, \(machine.memoryGiB) GiB, \(machine.architecture)"
      ),
      ("System", "Linux \(machine.kernel), isolation: \(machine.isolation), governor: \(governor)"),
      (
        "At the start",
        "load \(Figure.number(machine.load)), yardstick \(Figure.text(machine.yardstick, .milliseconds))"
      ),
      ("Build", "\(report.tool.build), commit \(report.tool.commit)"),
      ("Digest", report.source.digest ?? "none: a device has no fixed content"),
      ("Fingerprint", machine.fingerprint),
      ("Excused", report.excuses ?? "no scenario"),
    ]
    return rows.map { ["name": $0.0, "value": $0.1] }
  }
}
