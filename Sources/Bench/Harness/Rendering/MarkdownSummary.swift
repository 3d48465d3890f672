/// The report as Markdown for the summary of a CI job: the verdict, the findings that need attention, and one row for each other scenario.
public struct MarkdownSummary: Sendable {
  /// The report shown.
  public let report: Report

  /// Creates a summary of a report. Nothing is judged again.
  public init(_ report: Report) { self.report = report }

  /// The whole page. Text from a device or corpus is escaped.
  public var markdown: String {
    var lines = ["## SwiftWing: \(ReportPage.word(report.verdict))", ""]
    let tally = Tally(report.scenarios.map(\.verdict)).words
    lines.append("\(tally), on \(Self.safe(report.source.title)), profile \(Self.safe(report.profile)).")
    lines += report.cautions.flatMap { ["", "> **Note** \(Self.safe($0))"] }
    if let baseline = report.baseline {
      lines += [
        "",
        "**\(ReportPage.word(baseline.verdict))** against \(Self.safe(baseline.commit)). \(Self.safe(baseline.reason))",
      ]
    }
    if let excuses = report.excuses {
      lines += [
        "", "Excused, because other programs were busy or the processor is slow: \(Self.safe(excuses)).",
      ]
    }
    let findings = CodeFinding.all(report)
    if !findings.isEmpty { lines.append("") }
    lines += findings.prefix(Self.limit).flatMap(Self.item)
    if findings.count > Self.limit {
      lines.append("- and \(findings.count - Self.limit) more, in `report.html`")
    }
    lines += table(report.scenarios.filter { !$0.verdict.needsAttention })
    lines += report.environment.warnings.map { "\n> \(Self.safe($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Maximum number of findings and of rows: GitHub takes a summary of 1 MiB.
  private static let limit = 500
  /// Maximum length of a rule's details, in characters. `report.html` has all of them.
  private static let wordLimit = 300

  private func table(_ rows: [ScenarioReport]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let rest = rows.count - Self.limit
    return ["", "| scenario | verdict | figure | limit |", "|---|---|---|---|"]
      + rows.prefix(Self.limit).map(row)
      + (rest > 0 ? ["", "And \(rest) more scenarios, in `report.html`."] : [])
  }

  /// Returns a finding with metric, figure and limit, what to look at, and how to repeat it.
  private static func item(_ finding: CodeFinding) -> [String] {
    let scenario = finding.scenario
    // The reason consists of the causes, so it is left out if the causes are listed.
    let words = finding.causes.isEmpty ? scenario.reason : scenario.title
    let head = "- **\(ReportPage.word(scenario.verdict)) \(safe(scenario.id))**: \(safe(cut(words)))"
    let causes = finding.causes.prefix(10).map { "  - \(code($0.id)) \(safe(cut($0.words)))" }
    let rest = finding.causes.count - causes.count
    let more = rest > 0 ? ["  - and \(rest) more"] : []
    return [head] + causes + more
      + ["  - Look at \(safe(finding.lookAt)). Again: \(code(scenario.reproduce))"]
  }

  private func row(_ scenario: ScenarioReport) -> String {
    let decisive =
      scenario.metrics.first { $0.verdict == .fail } ?? scenario.metrics.first { $0.limit != nil }
      ?? scenario.metrics.first
    let words = decisive.flatMap { LimitWords($0) }
    let figure = words?.measured ?? decisive.map { "median \(Figure.text($0.p50, $0.unit))" }
    let limit = words?.bound
    let verdict = "\(ReportPage.mark(scenario.verdict)) \(scenario.verdict.rawValue)"
    return
      "| \(Self.safe(scenario.id)) | \(verdict) | \(Self.safe(figure ?? "–")) | \(Self.safe(limit ?? "–")) |"
  }

  private static func cut(_ text: String) -> String {
    text.count > wordLimit ? text.prefix(wordLimit) + "…" : text
  }

  /// Returns text that no Markdown reader takes for markup, on one line.
  private static func safe(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { safe, scalar in
      switch scalar {
      case "\n", "\r": safe += " "
      case "\\", "`", "*", "_", "[", "]", "|", "#", "!", "@", "~": safe += "\\\(scalar)"
      default: safe += HTMLText.escape(String(scalar))
      }
    }
  }

  /// Returns a code span. A backtick in the text would end it, so it is replaced.
  private static func code(_ text: String) -> String {
    "`" + text.replacing("`", with: "'").replacing("\n", with: " ") + "`"
  }
}
