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
    #expect(root.attribute(forName: "skipped")?.stringValue == "1")
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
    #expect(text.split(separator: "\n").count { $0.hasPrefix("| ") } == 11)
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

  @Test func theTableFitsATerminal() async throws {
    let steady = (0..<50).map { 30 + Double($0 % 5) / 10 }
    let base = try await Report.make(
      Observation(metrics: [.make(steady), .make([0], id: "a", unit: .count)]))
    let new = try await Report.make(
      Observation(metrics: [.make(steady.map { $0 * 1.3 }), .make([0], id: "a", unit: .count)]))
    let table = ComparisonTable(Comparison(base: base, new: new))
    let lines = table.text.split(separator: "\n")
    #expect(lines[0].hasPrefix("REGRESSED  1 of 2 metrics regressed: latency.glass-to-glass +30 %."))
    #expect(lines[2] == "latency.glass-to-glass              30.2 ms     39.3 ms     +30 %   regressed")
    #expect(lines.dropFirst().allSatisfy { $0.count <= 80 })
    #expect(try JSONDecoder().decode(Comparison.self, from: table.json) == table.comparison)
  }

  /// The first sentence counts one table; what the profile says nothing of stands in another. No name is cut.
  @Test func theTableHasTheMetricsThatTheHeadlineCounts() async throws {
    let long = "latency.of-a-thing-with-a-very-long-name-indeed"
    let steady = (0..<50).map { 30 + Double($0 % 5) / 10 }
    func report(_ factor: Double) async throws -> Report {
      var report = try await Report.make(
        Observation(metrics: [
          .make(steady.map { $0 * factor }), .make(steady.map { $0 * factor }, id: long),
          .make(steady.map { $0 * factor }, id: "b"),
        ]))
      // Those that a limit binds decide, where any does.
      report.scenarios[0].metrics[0].limit = .init(
        statistic: .p50, op: .atMost, value: 100, measured: 30, requirement: "LAT-1", source: "test")
      report.scenarios[0].metrics[1].limit = report.scenarios[0].metrics[0].limit
      report.scenarios[0].metrics[2].limit = nil
      return report
    }
    let comparison = Comparison(base: try await report(1), new: try await report(1.3))
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
    #expect(scenario.headline == "bytes 143 kB (at most 500 kB)", "what failed says most")
    scenario.metrics = []
    #expect(scenario.headline == nil)
  }

  @Test func shardsMergeIntoTheWhole() async throws {
    let whole = try await SampleReport.make()
    let parts = try (1...3).map { index in
      try shard("\(index)/3", of: whole)
    }
    let merged = try Report.merging(parts)
    #expect(Set(merged.scenarios.map(\.id)) == Set(whole.scenarios.map(\.id)))
    #expect(merged.verdict == whole.verdict && merged.counts == whole.counts)
    #expect(merged.complete && merged.shard == nil)
  }

  private func shard(_ name: String, of whole: Report) throws -> Report {
    var part = whole
    let shard = try #require(Shard(name))
    part.shard = shard
    part.scenarios = shard.select(from: whole.scenarios)
    part.conclude()
    return part
  }

  @Test func shardsThatAreNotTheWholeAreNamed() async throws {
    let whole = try await SampleReport.make()
    let parts = try (1...3).map { try shard("\($0)/3", of: whole) }
    func refusal(_ shards: [Report]) -> String {
      let error = #expect(throws: HarnessError.self) { try Report.merging(shards) }
      return error?.description ?? ""
    }
    #expect(refusal([]).contains("nothing to merge"))
    #expect(refusal([whole, whole]).contains("is not a shard of a run"))
    #expect(refusal([parts[0], parts[2]]) == "Could not merge the reports: the shard 2/3 is missing.")
    #expect(refusal([parts[1]]).contains("the shards 1/3, 3/3 are missing"))
    #expect(refusal(parts + [parts[1]]).contains("the shard 2/3 is there twice"))
    #expect(refusal([parts[0], try shard("1/2", of: whole)]).contains("different numbers: 1/3, 1/2"))
    var open = parts
    open[2].complete = false
    #expect(refusal(open).contains("the shard 3/3 was interrupted or killed before its end"))
    open[2] = parts[2]
    open[2].fault = "delay"
    #expect(refusal(open).contains("in the shard 3/3 the fault is delay, was none"))
    open[2] = parts[2]
    open[2].selection = "--suite photo"
    #expect(refusal(open).contains("the choice is --suite photo, was everything"))
  }

  @Test func reportsOfSeveralSourcesMergeWhenAsked() async throws {
    let first = try await SampleReport.make()
    var second = first
    second.source = SourceDescription(kind: "v4l2", name: "vivid", driver: "vivid 6.1", format: "NV12")
    second.scenarios[0].id = "device.only"
    for index in second.scenarios.indices.dropFirst() { second.scenarios[index].verdict = .unsupported }
    #expect(throws: HarnessError.self) { try Report.merging([first, second]) }
    let merged = try Report.merging([second, first], acrossSources: true)
    #expect(Set(merged.scenarios.map(\.id)) == Set(first.scenarios.map(\.id) + ["device.only"]))
    let reversed = try Report.merging([first, second], acrossSources: true)
    #expect(reversed.scenarios.map(\.verdict) == merged.scenarios.map(\.verdict))
    #expect(merged.source.kind == "several" && merged.source.name == "vivid; \(first.source.name)")
    for scenario in first.scenarios {
      #expect(merged.scenarios.first { $0.id == scenario.id }?.verdict == scenario.verdict)
    }
    let note = merged.scenarios.first { $0.id == "device.only" }?.notes.last
    #expect(note == "Source: vivid (vivid 6.1), NV12. Profile: seed.")
    #expect(merged.source.driver == "vivid 6.1; replay")
    #expect(HTMLReport(merged).html.contains("vivid 6.1; replay"))
    #expect(MarkdownSummary(merged).markdown.contains("(vivid 6.1; replay)"))
    #expect(throws: HarnessError.self) { try Report.merging([first, first], acrossSources: true) }
  }
}

@Suite struct UntrustedReportTests {
  /// What a report file may hold and still obey the schema.
  private func twisted(_ values: [Double]) async throws -> Report {
    var report = try await SampleReport.make()
    for (scenario, metric) in report.scenarios.indices.flatMap({ index in
      report.scenarios[index].metrics.indices.map { (index, $0) }
    }) {
      var row = report.scenarios[scenario].metrics[metric]
      row.samples = values + values + values
      row.histogram = values.reversed().map { HistogramBin(from: $0, to: -$0, count: .max) }
      (row.min, row.p50, row.p90, row.p99, row.max) = (
        values.max(), values[0], values[1], values[2], values.min()
      )
      row.count = .max
      row.limit?.value = values[1]
      row.tolerance = Tolerance(relative: 1e308, absolute: 1e308, detectable: 0)
      report.scenarios[scenario].metrics[metric] = row
    }
    return report
  }

  @Test(arguments: [
    [1e308, -1e308, 0, Double.leastNonzeroMagnitude],
    [Double.leastNonzeroMagnitude, 1e308, Double.leastNonzeroMagnitude, 1e-300], [0, 0, 0, 0],
    [-1, -2, -3, -4],
  ])
  func noFigureBreaksARendering(_ values: [Double]) async throws {
    let report = try ReportFile.decode(ReportFile.encode(try await twisted(values)))
    let other = try await SampleReport.make()
    #expect(HTMLReport(report).html.hasSuffix("</html>\n"))
    #expect(!HTMLReport(report).html.contains("NaN"))
    #expect(!JUnitReport(report).xml.isEmpty && !MarkdownSummary(report).markdown.isEmpty)
    for (base, new) in [(report, other), (other, report), (report, report)] {
      let table = ComparisonTable(Comparison(base: base, new: new))
      #expect(!table.json.isEmpty && !table.text.isEmpty)
    }
  }
}

@Suite struct EnvironmentTests {
  @Test func thisMachineHasAFingerprint() {
    let environment = RunEnvironment.current()
    #expect(environment.cores > 0 && environment.memoryGiB > 0 && environment.yardstick > 0)
    #expect(!environment.cpu.isEmpty && environment.kernel.split(separator: ".").count == 2)
    #expect(environment.fingerprint.contains(environment.cpu))
    #expect(environment.differences(from: .current()).isEmpty)
  }

  @Test func anUnknownMachineIsStillDescribed() {
    let environment = MachineProbe(root: "/nowhere").environment()
    #expect(environment.cpu == "unknown" && environment.governor == nil && environment.isolation == "none")
  }

  @Test func whatMakesFiguresLessSureIsSaid() {
    var environment = RunEnvironment.make()
    #expect(MachineProbe.warnings(environment).isEmpty)
    environment.load = 1.4
    environment.governor = "powersave"
    environment.build = "debug"
    environment.isolation = "virtual machine"
    #expect(MachineProbe.warnings(environment).count == 4)
  }
}
