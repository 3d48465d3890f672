import Foundation

/// The report as the page's template wants it: nested dictionaries of finished words.
struct ReportPage {
  typealias Model = [String: Any]

  let report: Report
  let pictures: PictureBudget

  init(_ report: Report) {
    self.report = report
    pictures = PictureBudget(report)
  }

  var model: Model {
    var page: Model = [
      "title": "\(Self.word(report.verdict)) · \(report.source.name)", "verdict": Self.word(report.verdict),
      "attention": report.verdict.needsAttention, "headline": headline, "source": sourceLine,
      "profile": report.profile,
      "started": Self.moment(report.started),
      "commit": report.tool.commit, "version": report.tool.version, "duration": report.duration.rawValue,
      "style": String(decoding: PackageResources.report_css, as: UTF8.self),
      "findings": report.scenarios.filter(\.verdict.needsAttention).map(finding), "suites": suites.map(suite),
      "environment": environment, "warnings": report.environment.warnings, "schema": report.schema,
      "cautions": report.cautions,
    ]
    let explanations = RequirementLinks.explanations(of: report)
    page["hasExplanations"] = !explanations.isEmpty
    page["explanations"] = explanations
    if let baseline = report.baseline {
      page["baseline"] =
        [
          "verdict": Self.word(baseline.verdict), "attention": baseline.verdict.needsAttention,
          "reason": baseline.reason, "commit": baseline.commit, "started": Self.moment(baseline.started),
        ] as Model
    }
    return page
  }

  static func word(_ verdict: Verdict) -> String { verdict.rawValue.uppercased() }

  private static func moment(_ iso8601: String) -> String {
    iso8601.replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// A mark that tells verdicts apart without colour.
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

  private var headline: String {
    let total = report.scenarios.count
    let rest = report.counts.filter { $0.key != "pass" }.sorted { $0.key < $1.key }.map {
      "\($0.value) \($0.key)"
    }
    return "\(report.counts["pass", default: 0]) of \(total) pass" + rest.map { " · " + $0 }.joined()
  }

  private var sourceLine: String {
    let source = report.source
    return [source.name, source.kind, source.format, source.driver, source.bus].compactMap { $0 }
      .joined(separator: " · ")
  }

  private func finding(_ scenario: ScenarioReport) -> Model {
    [
      "mark": Self.mark(scenario.verdict), "verdict": Self.word(scenario.verdict), "id": scenario.id,
      "reason": scenario.reason,
    ]
  }

  private var suites: [Suite] {
    report.scenarios.reduce(into: []) { suites, scenario in
      if !suites.contains(scenario.suite) { suites.append(scenario.suite) }
    }
  }

  private func suite(_ suite: Suite) -> Model {
    let scenarios = report.scenarios.filter { $0.suite == suite }
    let passed = scenarios.count { $0.verdict == .pass }
    return [
      "title": suite.title, "id": suite.id, "summary": "\(passed) of \(scenarios.count) pass",
      "scenarios": scenarios.map { ScenarioSection(scenario: $0, pictures: pictures).model },
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
      (
        "Program",
        "SwiftWing \(report.tool.version), commit \(report.tool.commit), \(report.tool.build) build"
      ),
      (
        "Source",
        [sourceLine, report.source.digest.map { "digest \($0)" }].compactMap { $0 }.joined(separator: ", ")
      ),
      ("Fingerprint", machine.fingerprint),
    ]
    return rows.map { ["name": $0.0, "value": $0.1] }
  }
}

/// Which pictures fit into a page of less than 5 MB: those of scenarios that need attention first.
struct PictureBudget {
  private static let limit = 3_500_000
  private var kept: Set<String> = []

  init(_ report: Report) {
    var left = Self.limit
    let urgent = report.scenarios.filter(\.verdict.needsAttention)
    let others = report.scenarios.filter { !$0.verdict.needsAttention }
    for scenario in urgent + others {
      for (index, item) in scenario.evidence.enumerated()
      where item.kind == .image && item.data.utf8.count <= left {
        left -= item.data.utf8.count
        kept.insert("\(scenario.id)#\(index)")
      }
    }
  }

  func keeps(_ index: Int, of scenario: ScenarioReport) -> Bool { kept.contains("\(scenario.id)#\(index)") }
}
