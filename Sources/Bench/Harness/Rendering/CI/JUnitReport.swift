/// The report as JUnit XML for Jenkins and GitLab: suites are test suites, scenarios are test cases. A regression is a failure; a scenario
/// without a conclusion is an error; a scenario that the source does not support is skipped. A run that was not compared or not finished is a test of
/// its own.
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
      <testsuites name="\(HTMLText.escape(name))"\(totals(report.scenarios, open: report.openReason != nil, countsSkipped: false))>
      \((suites.map(testSuite) + open).joined(separator: "\n"))
      </testsuites>

      """
  }

  private var name: String { "SwiftWing" + (report.fault.map { ", broken on purpose: \($0)" } ?? "") }

  /// A suite with the run as its only test, if no scenario says why the run needs attention.
  private var open: [String] {
    guard let reason = report.openReason, let element = Self.element(report.verdict) else { return [] }
    return [
      """
      <testsuite name="run" timestamp="\(HTMLText.escape(report.started))"\(totals([], open: true))>
      <testcase classname="run" name="run" time="0.000"><\(element) message="\(HTMLText.escape(reason))" type="\(report.verdict.rawValue)"/></testcase>
      </testsuite>
      """
    ]
  }

  private func testSuite(_ suite: Suite) -> String {
    let scenarios = report.scenarios.filter { $0.suite == suite }
    return """
      <testsuite name="\(HTMLText.escape(suite.id))" timestamp="\(HTMLText.escape(report.started))"\(totals(scenarios))>
      \(scenarios.map(testCase).joined(separator: "\n"))
      </testsuite>
      """
  }

  /// - Parameters:
  ///   - open: whether the run itself is a test, too.
  ///   - countsSkipped: whether to write the attribute `skipped`: `testsuite` has it, `testsuites` has not (the JUnit plug-in's schema of Jenkins).
  private func totals(_ scenarios: [ScenarioReport], open: Bool = false, countsSkipped: Bool = true) -> String
  {
    let kinds = (scenarios.map(\.verdict) + (open ? [report.verdict] : [])).map(Self.element)
    let seconds = scenarios.reduce(0) { $0 + $1.seconds }
    let skipped = countsSkipped ? " skipped=\"\(kinds.count { $0 == "skipped" })\"" : ""
    return
      " tests=\"\(kinds.count)\" failures=\"\(kinds.count { $0 == "failure" })\" errors=\"\(kinds.count { $0 == "error" })\"\(skipped) time=\"\(Self.milliseconds(seconds))\""
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
