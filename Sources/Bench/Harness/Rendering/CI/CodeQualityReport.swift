public import Foundation
import System

/// The scenarios that need attention, as GitLab's code quality report (`artifacts:reports:codequality`), which merge requests show: an array of
/// issues.
public struct CodeQualityReport: Sendable {
  /// The report shown.
  public let report: Report

  /// Creates the code quality report. Nothing is judged again.
  public init(_ report: Report) { self.report = report }

  private struct Issue: Encodable {
    struct Location: Encodable {
      struct Lines: Encodable { let begin: Int }
      let path: String
      let lines: Lines
    }

    let description: String
    let checkName: String
    let fingerprint: String
    let severity: String
    let location: Location

    enum CodingKeys: String, CodingKey {
      case description, fingerprint, severity, location
      case checkName = "check_name"
    }

    init(_ reason: String, _ verdict: Verdict) {
      description = TerminalText.printable("\(verdict.rawValue): \(reason)")
      checkName = "swiftwing"
      fingerprint = "swiftwing/run/\(verdict.rawValue)"
      severity = "minor"
      location = Location(path: "docs/gate.md", lines: .init(begin: 1))
    }

    init(_ finding: CodeFinding) {
      let scenario = finding.scenario
      let (path, line) = finding.location
      description = TerminalText.printable("\(scenario.verdict.rawValue): \(finding.sentence)")
      checkName = scenario.id
      // The same in every report with this verdict on the scenario, so that a merge request shows only new issues.
      fingerprint = "swiftwing/\(scenario.id)/\(scenario.verdict.rawValue)"
      severity = scenario.verdict == .fail || scenario.verdict == .regressed ? "critical" : "minor"
      location = Location(path: path, lines: .init(begin: line))
    }
  }

  /// The whole document. A run that was not compared or not finished is an issue of its own.
  public var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // The issues contain only strings and an integer, which JSON can always express.
    let open = report.openReason.map { [Issue($0, report.verdict)] } ?? []
    return (try? encoder.encode(open + CodeFinding.all(report).map(Issue.init))) ?? Data()
  }
}
