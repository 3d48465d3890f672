import Foundation
import FoundationXML
import Testing

@testable import Harness

private let attack = "\"'><script>|`\n\u{1}]]>"

@Suite struct RenderingTests {
  @Test func jUnitIsWellFormedAndCountsRight() async throws {
    let report = try await SampleReport.make(hostile: attack)
    let xml = JUnitReport(report).xml
    let document = try XMLDocument(xmlString: xml)
    let root = try #require(document.rootElement())
    #expect(root.attribute(forName: "tests")?.stringValue == "10")
    #expect(root.attribute(forName: "failures")?.stringValue == "2")
    #expect(root.attribute(forName: "skipped") == nil, "testsuites has no such attribute")
    let suites = try document.nodes(forXPath: "//testsuite[@skipped='1']")
    #expect(suites.count == 1)
    for time in try document.nodes(forXPath: "//@time").compactMap(\.stringValue) {
      #expect(time.wholeMatch(of: /[0-9]+\.[0-9]{3}/) != nil, "\(time)")
    }
    let failures = try document.nodes(forXPath: "//testcase/failure")
    #expect(failures.count == 2)
    #expect(
      try document.nodes(forXPath: "//testcase[@name='rotation.turn']/failure[@type='fail']").count == 1)
    #expect(try document.nodes(forXPath: "//testsuite").count == 5)
  }

  @Test func markdownHasARowAScenarioAndNoMarkupFromOutside() async throws {
    let report = try await SampleReport.make(hostile: attack)
    let text = MarkdownSummary(report).markdown
    #expect(text.hasPrefix("## SwiftWing: FAIL\n"))
    #expect(text.contains("- **FAIL rotation.turn**: "))
    // The table has a heading and the eight good scenarios. Scenarios that need attention are listed once, above it.
    #expect(text.split(separator: "\n").count { $0.hasPrefix("| ") } == 9)
    #expect(text.components(separatedBy: "rotation.turn").count < 8)
    #expect(!text.contains("<script"))
  }

  @Test func theBundleLeavesEveryFile() async throws {
    let directory = try TemporaryDirectory()
    let report = try await SampleReport.make()
    let paths = try ReportBundle(directory: directory.path + "/run").write(report)
    #expect(paths.count == 10 && paths[0].hasSuffix("/run/report.html"))
    for path in paths { #expect(FileManager.default.contents(atPath: path)?.isEmpty == false) }
    #expect(try ReportFile.load(path: directory.path + "/run/report.json") == report)
  }

  private struct SARIF: Decodable {
    struct Run: Decodable {
      struct Result: Decodable {
        let ruleId: String
        let level: String
      }
      let results: [Result]
    }
    let version: String
    let runs: [Run]
  }

  @Test func sarifHasWhatNeedsAttention() async throws {
    let sarif = try JSONDecoder().decode(SARIF.self, from: SARIFReport(try await SampleReport.make()).json)
    #expect(sarif.version == "2.1.0")
    #expect(sarif.runs[0].results.map(\.ruleId) == ["latency.glass-to-glass", "rotation.turn"])
    #expect(sarif.runs[0].results.allSatisfy { $0.level == "error" })
  }

  private struct Trace: Decodable {
    struct Event: Decodable {
      let name: String
      let ph: String
      let ts: Double?
      let dur: Double?
    }
    let traceEvents: [Event]
  }

  @Test func theTraceHoldsEverySpanAndMark() async throws {
    let trace = try JSONDecoder().decode(Trace.self, from: TraceReport(try await SampleReport.make()).json)
    #expect(trace.traceEvents.count { $0.name == "process_name" } == 3)
    let unplugged = try #require(trace.traceEvents.first { $0.name == "unplugged" })
    #expect(unplugged.ts == 3_000_000 && unplugged.dur == 1_400_000 && unplugged.ph == "X")
    #expect(trace.traceEvents.count { $0.ph == "i" } == 1 + 4 + 2 + 3 + 200)
  }

  /// The times of a report from elsewhere may be any numbers. In microseconds, the first one here is infinite.
  @Test func aTimeThatIsTooLateIsLeftOutOfTheTrace() async throws {
    let timeline = Timeline(lanes: [.init("a", marks: [.init("far", at: 1e307), .init("near", at: 1)])])
    let report = try await Report.make(Observation(evidence: [.timeline("t", timeline)]))
    let trace = try JSONDecoder().decode(Trace.self, from: TraceReport(report).json)
    #expect(trace.traceEvents.filter { $0.ph == "i" }.map(\.name) == ["near"])
  }

  @Test func theTableFitsATerminal() async throws {
    let steady = (0..<50).map { 30 + Double($0 % 5) / 10 }
    let base = try await Report.make(
      Observation(metrics: [.make(steady), .make([0], id: "a", unit: .count)]))
    let new = try await Report.make(
      Observation(metrics: [.make(steady.map { $0 * 1.4 }), .make([0], id: "a", unit: .count)]))
    let table = ComparisonTable(Comparison(base: base, new: new))
    let lines = table.text.split(separator: "\n")
    #expect(lines[0].hasPrefix("REGRESSED  1 of 2 metrics regressed: latency.glass-to-glass +40 %."))
    #expect(lines[2] == "latency.glass-to-glass              30.2 ms     42.3 ms     +40 %   regressed")
    #expect(lines[3] == "   It is at least 40 % worse.")
    #expect(lines.dropFirst().allSatisfy { $0.count <= 80 })
    #expect(try JSONDecoder().decode(Comparison.self, from: table.json) == table.comparison)
  }

  /// The headline counts the metrics of the first table. Metrics that decide nothing are in a second table. No name is shortened.
  @Test func theTableHasTheMetricsThatTheHeadlineCounts() async throws {
    let long = "latency.of-a-thing-with-a-very-long-name-indeed"
    let steady = (0..<50).map { 30 + Double($0 % 5) / 10 }
    func report(_ factor: Double) async throws -> Report {
      var report = try await Report.make(
        Observation(metrics: [
          .make(steady.map { $0 * factor }), .make(steady.map { $0 * factor }, id: long),
          .make(steady.map { $0 * factor }, id: "b"),
        ]))
      // If any metric has a limit, only metrics with limits decide.
      report.scenarios[0].metrics[0].limit = .init(
        statistic: .p50, op: .atMost, value: 100, measured: 30, requirement: "LAT-1", source: "test")
      report.scenarios[0].metrics[1].limit = report.scenarios[0].metrics[0].limit
      report.scenarios[0].metrics[2].limit = nil
      return report
    }
    let comparison = Comparison(base: try await report(1), new: try await report(1.4))
    let lines = ComparisonTable(comparison).text.split(separator: "\n", omittingEmptySubsequences: false)
    let end = try #require(lines.firstIndex { $0.hasPrefix("shown but not counted") })
    #expect(lines[0].hasPrefix("REGRESSED  2 of 2 metrics regressed"))
    #expect(lines[..<end].count { $0.hasSuffix("   regressed") } == 2)
    #expect(lines[end...].count { $0.hasSuffix("   regressed") } == 1)
    #expect(lines.contains { $0 == long })
    #expect(lines.dropFirst().allSatisfy { $0.count <= 80 && !$0.contains("…") })
  }

  @Test func aLaneKeepsItsWholeName() {
    let name = "photos that were asked for while there was no picture"
    let drawing = TimelineDrawing(
      timeline: Timeline(lanes: [Timeline.Lane(name, marks: [.init("x", at: 5)])]))
    #expect(drawing.svg.contains(">\(name)</text>"))
  }

  @Test func aScenarioIsToldByItsFirstFigure() async throws {
    var scenario = try await Report.make(
      Observation(metrics: [.make([1, 2, 3]), .make([5, 5], id: "bytes", unit: .bytes)])
    ).scenarios[0]
    scenario.metrics[0].limit = nil
    scenario.checks = []
    #expect(scenario.headline == "glass-to-glass p50 2 ms")
    scenario.metrics[1].limit = .init(
      statistic: .max, op: .atMost, value: 500_000, measured: 143_000, requirement: "IMG-3", source: "test")
    #expect(scenario.headline == "bytes 143 kB (at most 500 kB)")
    scenario.metrics[0].limit = .init(
      statistic: .p99, op: .below, value: 50, measured: 3, requirement: "LAT-1", source: "test")
    #expect(scenario.headline == "glass-to-glass p99 3 ms (below 50 ms)")
    scenario.id = scenario.metrics[0].id
    #expect(scenario.headline == "p99 3 ms (below 50 ms)")
    scenario.metrics[1].verdict = .fail
    #expect(
      scenario.headline == "bytes 143 kB (at most 500 kB)", "the failure is the most informative reason")
    scenario.metrics = []
    #expect(scenario.headline == nil)
  }
}
