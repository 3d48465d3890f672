import Console
import Harness

/// `swiftwing bench --list` and `qualify --list` for a person: no line is wider than 80 columns.
struct BenchList {
  private static let columns = 80
  let list: ScenarioList
  /// Whether the list is one of rules, which have no suites.
  var isOfRules = false

  var text: String {
    var lines = ["Limits are those of the profile \(list.profile)."]
    var suite: Suite?
    for row in list.scenarios {
      if suite != row.suite { lines += ["", heading(row)] }
      suite = row.suite
      lines += [""] + self.lines(row)
    }
    if !list.sharedLimits.isEmpty {
      lines += ["", "Limits on a metric, in all scenarios that measure it"]
      lines += list.sharedLimits.flatMap { Self.paragraph("  ", $0.sentence) }
    }
    lines += ["", "Requirements (explained in reports and in docs/requirements.md)"] + requirements
    return lines.joined(separator: "\n")
  }

  /// The requirements, each once, in the order of the scenarios.
  private var requirements: [String] {
    var seen: Set<RequirementID> = []
    return list.scenarios.flatMap(\.requirements).filter { seen.insert($0.id).inserted }.flatMap {
      Self.paragraph("  " + $0.id.rawValue.padded(to: 8), $0.title)
    }
  }

  private func heading(_ row: ScenarioList.Row) -> String {
    if isOfRules { return row.suite.title }
    return "\(row.suite.title): --suite \(row.suite.id)"
      + (row.isOrdinary ? "" : " (runs only when it is named)")
  }

  private func lines(_ row: ScenarioList.Row) -> [String] {
    let ids = row.requirements.map(\.id.rawValue).joined(separator: " ")
    return ["  \(row.id)  \(ids)"] + Self.paragraph("    ", row.purpose)
      + row.limits.flatMap { Self.paragraph("    limit  ", $0.sentence) }
      + Self.paragraph("    fails  ", row.exampleFailure)
  }

  /// Returns a text after a label, with further lines indented to its first word.
  private static func paragraph(_ label: String, _ text: String) -> [String] {
    let lines = PlainText.wrapped(text, columns: columns - label.count)
    let indent = String(repeating: " ", count: label.count)
    return lines.enumerated().map { ($0 == 0 ? label : indent) + $1 }
  }
}
