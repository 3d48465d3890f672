import System

/// The scenarios that need attention, as workflow commands by which GitHub Actions and compatible runners annotate a file: a job prints
/// `annotations.txt` ("Workflow commands for GitHub Actions").
///
/// Each command annotates the line of the file that its finding points to.
public struct WorkflowAnnotations: Sendable {
  /// GitHub shows ten errors and ten warnings of a step, and drops the rest silently.
  public static let limit = 10

  /// The report shown.
  public let report: Report

  /// Creates the annotations of a report. Nothing is judged again.
  public init(_ report: Report) { self.report = report }

  /// A line for each scenario that needs attention. Beyond `limit` lines of a level, the last one gives the number of the rest. A run without
  /// findings has a single notice.
  public var text: String {
    let findings = CodeFinding.all(report)
    let lines = ["error", "warning"].flatMap { level in
      let found = findings.filter { Self.level($0.scenario.verdict) == level }
      let shown = found.count > Self.limit ? Array(found.prefix(Self.limit - 1)) : found
      let rest = found.count - shown.count
      let more = "\(rest) more scenarios need attention; see report.html"
      return shown.map { Self.line(level, $0) }
        + (rest > 0 ? ["::\(level) title=SwiftWing::\(Self.data(more))"] : [])
    }
    guard findings.isEmpty else { return lines.joined(separator: "\n") + "\n" }
    let level = report.verdict.needsAttention ? "warning" : "notice"
    return "::\(level) title=SwiftWing::\(Self.data(VerdictLine(report).text))\n"
  }

  private static func level(_ verdict: Verdict) -> String {
    verdict == .fail || verdict == .regressed ? "error" : "warning"
  }

  private static func line(_ level: String, _ finding: CodeFinding) -> String {
    let (path, line) = finding.location
    let title = "\(finding.scenario.verdict.rawValue.uppercased()) \(finding.scenario.id)"
    let text = "\(finding.sentence). Look at \(finding.lookAt). Again: \(finding.scenario.reproduce)"
    return "::\(level) file=\(property(path)),line=\(line),title=\(property(title))::\(data(text))"
  }

  private static func data(_ text: String) -> String {
    TerminalText.printable(text).replacing("%", with: "%25").replacing("\r", with: "%0D").replacing(
      "\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
