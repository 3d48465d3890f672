/// The report as JUnit XML for Jenkins and GitLab: suites are test suites, scenarios are test cases. A regression is a failure; a scenario
/// without a conclusion is an error; a scenario that the source does not support is skipped.
public struct JUnitReport: Sendable {
  /// The report shown.
  public let report: Report

  /// Creates the JUnit report. Nothing is judged again.
  public init(_ report: Report) { self.report = report }

  /// The whole document, escaped.
  public var xml: String {
    let suites = report.scenarios.map(\.suite).reduce(into: [Suite]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(HTMLText.escape(name))"\(totals(report.scenarios, countsSkipped: false))>
      \(suites.map(testSuite).joined(separator: "\n"))
      </testsuites>

      """
  }

  private var name: String { "SwiftWing" + (report.fault.map { ", broken on purpose: \($0)" } ?? "") }

  private func testSuite(_ suite: Suite) -> String {
    let scenarios = report.scenarios.filter { $0.suite == suite }
    return """
      <testsuite name="\(HTMLText.escape(suite.id))" timestamp="\(HTMLText.escape(report.started))"\(totals(scenarios))>
      \(scenarios.map(testCase).joined(separator: "\n"))
      </testsuite>
      """
  }

  /// - Parameter countsSkipped: whether to write the attribute `skipped`: `testsuite` has it, `testsuites` has not (the JUnit plug-in's schema of
  ///   Jenkins).
  private func totals(_ scenarios: [ScenarioReport], countsSkipped: Bool = true) -> String {
    let kinds = scenarios.map { Self.element($0.verdict) }
    let seconds = scenarios.reduce(0) { $0 + $1.seconds }
    let skipped = countsSkipped ? " skipped=\"\(kinds.count { $0 == "skipped" })\"" : ""
    return
      " tests=\"\(scenarios.count)\" failures=\"\(kinds.count { $0 == "failure" })\" errors=\"\(kinds.count { $0 == "error" })\"\(skipped) time=\"\(Self.milliseconds(seconds))\""
  }

  /// Returns seconds with three decimals, however inexact the sum of binary fractions is.
  private static func milliseconds(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "0.000" }
    let whole = Int((seconds * 1000).rounded())
    let fraction = String(whole % 1000)
    return "\(whole / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }

  /// Returns the name of the element inside a test case. Nil for a pass.
  private static func element(_ verdict: Verdict) -> String? {
    switch verdict {
    case .fail, .regressed: "failure"
    case .inconclusive, .incomparable, .interrupted: "error"
    case .unsupported: "skipped"
    case .pass, .improved, .unchanged, .recorded: nil
    }
  }

  private func testCase(_ scenario: ScenarioReport) -> String {
    let head =
      "<testcase classname=\"\(HTMLText.escape(scenario.suite.id))\" name=\"\(HTMLText.escape(scenario.id))\" time=\"\(Self.milliseconds(scenario.seconds))\""
    let output = "<system-out>\(HTMLText.escape(figures(scenario)))</system-out>"
    guard let element = Self.element(scenario.verdict) else { return "\(head)>\(output)</testcase>" }
    let message = HTMLText.escape(scenario.reason)
    let type = element == "skipped" ? "" : " type=\"\(scenario.verdict.rawValue)\""
    let details = element == "skipped" ? "" : HTMLText.escape(causes(scenario))
    return "\(head)><\(element) message=\"\(message)\"\(type)>\(details)</\(element)>\(output)</testcase>"
  }

  /// Returns metric, figure and limit, and what to look at. Jenkins shows this for a failed test.
  private func causes(_ scenario: ScenarioReport) -> String {
    let finding = CodeFinding(scenario)
    return (finding.causes.map { "\($0.id): \($0.words)" } + ["Look at \(finding.lookAt)."])
      .joined(separator: "\n")
  }

  private func figures(_ scenario: ScenarioReport) -> String {
    let rows = scenario.metrics.map { metric in
      "\(metric.id): p50 \(Figure.text(metric.p50, metric.unit)), p99 \(Figure.text(metric.p99, metric.unit)), n \(metric.count)"
    }
    return (rows + [scenario.reproduce]).joined(separator: "\n")
  }
}
