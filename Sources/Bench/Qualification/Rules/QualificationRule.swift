import Harness

/// A rule of the sign-off: a scenario that lists the faults that must fail it.
protocol QualificationRule: Scenario {}

extension QualificationRule {
  /// A note for the report on the faults that were shown to fail this rule.
  var faultNotes: [String] {
    let faults = DeviceFault.allCases.filter { $0.rule == id }
    guard !faults.isEmpty else { return [] }
    return [
      "`qualify --fault` breaks this on purpose: " + faults.map(\.rawValue).joined(separator: ", ") + "."
    ]
  }
}

extension Suite {
  static let identity = Suite(id: "identity", title: "Identity")
  static let formats = Suite(id: "formats", title: "Formats")
  static let timing = Suite(id: "timing", title: "Pace and time stamps")
  static let sharing = Suite(id: "sharing", title: "Sharing")
  static let compliance = Suite(id: "compliance", title: "v4l2-compliance")
  static let restoration = Suite(id: "restoration", title: "Restored")
}

/// A check that combines several findings.
struct RuleCheck {
  let id: String
  let title: String
  var requirement: RequirementID = "HAR-6"

  /// - Parameters:
  ///   - flaws: one for each subject that broke the rule.
  ///   - detail: the text if there are none.
  func check(flaws: [String], of subjects: Int, otherwise detail: String) -> Check {
    let shown = flaws.prefix(4).joined(separator: "; ")
    let rest = flaws.count > 4 ? "; and \(flaws.count - 4) more" : ""
    return Check(
      id: id, title: title, passed: flaws.isEmpty, subjects: subjects,
      detail: flaws.isEmpty ? detail : shown + rest, requirement: requirement)
  }
}
