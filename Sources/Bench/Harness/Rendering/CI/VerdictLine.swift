import System

/// The whole report in one line, for a log, a commit status or a message.
public struct VerdictLine: Sendable {
  /// The report shown.
  public let report: Report
  /// Maximum length of a line, in characters: GitHub takes 140 for a commit status.
  public static let limit = 140

  /// Creates the line of a report. Nothing is judged again.
  public init(_ report: Report) { self.report = report }

  /// The line, such as `FAIL: 1 of 24 scenarios; latency.glass-to-glass p99 53.1 ms, the limit is < 50 ms (LAT-1)`. At most `limit` characters.
  public var text: String {
    let word = report.verdict.rawValue.uppercased()
    let fault = report.fault.map { " (broken on purpose: \($0))" } ?? ""
    if let reason = report.openReason { return Self.fitted("\(word)\(fault): \(reason)") }
    let findings = CodeFinding.all(report)
    let total = report.scenarios.count
    guard let first = findings.first(where: { $0.scenario.verdict == report.verdict }) ?? findings.first
    else {
      return Self.fitted("\(word)\(fault): \(Tally(report.scenarios.map(\.verdict)).words)")
    }
    let name = first.sentence.hasPrefix(first.scenario.id) ? "" : "\(first.scenario.id): "
    return Self.fitted("\(word)\(fault): \(findings.count) of \(total) scenarios; \(name)\(first.sentence)")
  }

  private static func fitted(_ text: String) -> String {
    let line = TerminalText.printable(text)
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }
}
