import Foundation
import FoundationXML
import Testing

@testable import Harness

private let attack = "\"'><script>|`\n\u{1}]]>"

/// The files about a report that a CI job displays.
@Suite struct JobFileTests {
  /// Returns the parsed lines of `annotations.txt`: `::level key=value,…::text`.
  private func annotations(_ report: Report) throws -> [(
    level: String, properties: [String: String], text: String
  )] {
    try WorkflowAnnotations(report).text.split(separator: "\n").map { line in
      let match = try #require(String(line).wholeMatch(of: /::([a-z]+) ([^:]*)::(.*)/), "\(line)")
      let pairs = match.2.split(separator: ",").map {
        $0.split(separator: "=", maxSplits: 1).map(String.init)
      }
      return (
        String(match.1), Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }), String(match.3)
      )
    }
  }

  @Test func summaryNamesMetricFigureLimitAndPicture() async throws {
    let text = MarkdownSummary(try await SampleReport.make()).markdown
    let item = try #require(text.components(separatedBy: "- **FAIL rotation.turn**").last)
    #expect(item.contains("  - `rotation.turn.wrong-frames` max 4, the limit is ≤ 0 (ROT-3)\n"))
    #expect(item.contains("Look at the timeline “Angles across the turn” in report.html\\#rotation.turn"))
    #expect(text.contains("  - `latency.glass-to-glass` 39.2 ms, was 30.1 ms: +30 %"))
  }

  @Test func annotationMarksWhatWasAsked() async throws {
    let report = try await SampleReport.make(hostile: attack)
    let found = try annotations(report)
    let turn = try #require(found.first { $0.properties["title"] == "FAIL rotation.turn" })
    #expect(turn.level == "error" && turn.properties["file"] == "docs/requirements.md")
    let line = try #require(turn.properties["line"].flatMap { Int($0) })
    let page = String(decoding: PackageResources.requirements_md, as: UTF8.self).components(separatedBy: "\n")
    #expect(page[line - 1].contains("ROT-3:"))
    #expect(turn.text.contains("Look at") && turn.text.contains("Again: swiftwing bench"))
    #expect(found.allSatisfy { ["error", "warning"].contains($0.level) })
  }

  @Test func soundRunHasANotice() async throws {
    let report = try await SampleReport.sound()
    let found = try annotations(report)
    #expect(found.count == 1 && found[0].level == "notice" && found[0].text.hasPrefix("PASS: "))
    #expect(
      String(decoding: CodeQualityReport(report).json, as: UTF8.self).filter { !$0.isWhitespace } == "[]")
  }

  /// GitHub silently drops annotations beyond ten of a kind, so the rest are counted.
  @Test func manyFindingsAreCounted() async throws {
    var report = try await SampleReport.make()
    let failed = try #require(report.scenarios.first { $0.verdict == .fail })
    report.scenarios = (0..<40).map { number in
      var scenario = failed
      scenario.id = "rotation.turn-\(number)"
      return scenario
    }
    let found = try annotations(report)
    #expect(
      found.count == WorkflowAnnotations.limit
        && found.last?.text == "31 more scenarios need attention; see report.html")
  }

  @Test(arguments: ["a\nb", "::error::x", "100 %0A", "a,b:c\r::set-output name=x::y"])
  func textFromOutsideIsNoCommand(_ text: String) async throws {
    var report = try await SampleReport.make()
    for index in report.scenarios.indices {
      report.scenarios[index].reason = text
      report.scenarios[index].metrics = []
      report.scenarios[index].checks = []
      report.scenarios[index].verdict = .fail
    }
    let lines = WorkflowAnnotations(report).text.split(whereSeparator: \.isNewline)
    #expect(lines.count == report.scenarios.count)
    #expect(lines.allSatisfy { $0.hasPrefix("::error file=docs/requirements.md,line=") })
  }

  /// A colon or a comma in a name must not end the property.
  @Test func nameFromOutsideIsOneProperty() async throws {
    var report = try await SampleReport.make()
    let index = try #require(report.scenarios.firstIndex { $0.verdict == .fail })
    report.scenarios[index].id = "a:b,line=9::c"
    #expect(try annotations(report).contains { $0.properties["title"] == "FAIL a%3Ab%2Cline=9%3A%3Ac" })
  }

  @Test func codeQualityIsGitLabs() async throws {
    struct Issue: Decodable {
      struct Location: Decodable {
        struct Lines: Decodable { var begin: Int }
        var path: String
        var lines: Lines
      }
      var description: String
      var checkName: String
      var fingerprint: String
      var severity: String
      var location: Location
    }
    let report = try await SampleReport.make(hostile: attack)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let issues = try decoder.decode([Issue].self, from: CodeQualityReport(report).json)
    #expect(issues.map(\.checkName) == report.scenarios.filter(\.verdict.needsAttention).map(\.id))
    #expect(Set(issues.map(\.fingerprint)).count == issues.count)
    #expect(issues.allSatisfy { $0.severity == "critical" && $0.location.lines.begin > 1 })
  }

  @Test func verdictIsOneLine() async throws {
    let report = try await SampleReport.make(hostile: attack)
    let text = VerdictLine(report).text
    #expect(text.hasPrefix("FAIL: 2 of 10 scenarios; ") && text.count <= VerdictLine.limit)
    #expect(!text.contains { $0.isNewline })
    let sound = try await SampleReport.sound()
    #expect(
      VerdictLine(sound).text.hasPrefix("PASS: ") && VerdictLine(sound).text.contains(/of [0-9]+ pass/))
    var broken = report
    broken.fault = "mirror"
    #expect(VerdictLine(broken).text.hasPrefix("FAIL (broken on purpose: mirror): "))
  }

  /// A run that could not be compared must not look passed.
  @Test func runThatWasNotComparedSaysSo() async throws {
    var report = try await SampleReport.sound()
    report.baseline = BaselineSummary(
      started: report.started, commit: "c", verdict: .incomparable,
      reason: "The runs cannot be compared: cpu.")
    report.conclude()
    #expect(VerdictLine(report).text == "INCOMPARABLE: The runs cannot be compared: cpu.")
    #expect(try annotations(report).map(\.level) == ["warning"])
    #expect(
      String(decoding: CodeQualityReport(report).json, as: UTF8.self).contains("swiftwing/run/incomparable"))
    #expect(Badge(report).svg.contains("#ff3b30"))
    report.complete = false
    report.baseline = nil
    report.conclude()
    #expect(VerdictLine(report).text == "INTERRUPTED: the run was not finished")
  }

  @Test func badgeIsAPictureOfItsOwn() async throws {
    for (report, words) in [
      (try await SampleReport.sound(), "pass "), (try await SampleReport.make(), "fail "),
    ] {
      let svg = Badge(report).svg
      #expect(try XMLDocument(xmlString: svg).rootElement()?.name == "svg")
      #expect(svg.contains(" height=\"20\" role=\"img\" aria-label=\"swiftwing: \(words)"))
      #expect(!svg.contains("href") && svg.components(separatedBy: "http").count == 2)
    }
  }

  @Test func jUnitNamesTheCause() async throws {
    let report = try await SampleReport.make()
    let document = try XMLDocument(xmlString: JUnitReport(report).xml)
    let failure = try #require(
      try document.nodes(forXPath: "//testcase[@name='rotation.turn']/failure").first)
    #expect(failure.stringValue?.contains("rotation.turn.angles: Each frame at its own angle: no;") == true)
    #expect(failure.stringValue?.contains("Look at the timeline “Angles across the turn”") == true)
  }

  /// All scenarios pass, and the run does not.
  @Test func jUnitNamesARunThatWasNotComparedOrNotFinished() async throws {
    var report = try await SampleReport.sound()
    let passed = try XMLDocument(xmlString: JUnitReport(report).xml)
    #expect(try passed.nodes(forXPath: "//failure|//error").isEmpty)
    report.complete = false
    report.conclude()
    let document = try XMLDocument(xmlString: JUnitReport(report).xml)
    let error = try #require(try document.nodes(forXPath: "//testcase[@name='run']/error").first)
    #expect(error.xmlString.contains("the run was not finished"))
    let root = try #require(document.rootElement())
    #expect(root.attribute(forName: "errors")?.stringValue == "1")
    #expect(root.attribute(forName: "tests")?.stringValue == "\(report.scenarios.count + 1)")
  }
}
