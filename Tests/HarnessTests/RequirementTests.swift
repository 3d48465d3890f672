import Foundation
import Testing

@testable import Harness

@Suite struct RequirementTests {
  @Test func aPageIsReadEntryByEntry() {
    let guide = RequirementGuide(
      markdown: """
        # Requirements

        ### <a id="lat-1"></a>LAT-1: glass-to-glass latency

        From a change in the scene, see [LAT-2](#lat-2),
        to `presented`.

        - Limits: exact.

        ### <a id="lat-3"></a>LAT-2: an anchor of another

        Not read.

        ### LAT-4: no anchor

        Not read either.
        """)
    #expect(guide.entries.map(\.id) == ["LAT-1"])
    #expect(guide["LAT-1"]?.title == "glass-to-glass latency")
    #expect(guide["LAT-1"]?.explanation == "From a change in the scene, see LAT-2, to presented.")
    #expect(guide["LAT-2"] == nil)
    #expect(
      RequirementGuide(markdown: "### <a id=\"lat-1\"></a>LAT-1: the end").entries.first?.explanation == "")
  }

  @Test func everyHeadingOfThePageIsAnEntryInPlainWords() {
    let page = String(decoding: PackageResources.requirements_md, as: UTF8.self)
    let entries = RequirementGuide.standard.entries
    #expect(entries.count == page.components(separatedBy: "\n### ").count - 1)
    #expect(Set(entries.map(\.id)).count == entries.count)
    for entry in entries {
      #expect(entry.explanation.hasSuffix("."), "\(entry.id)")
      #expect(!entry.explanation.contains("](") && !entry.explanation.contains("`"), "\(entry.id)")
    }
  }

  @Test(arguments: Profile.builtInNames) func everyLimitCitesAnExplainedRequirement(name: String) throws {
    for limit in try Profile.load(name).limits {
      #expect(RequirementGuide.standard[limit.requirement] != nil, "\(limit.metric): \(limit.requirement)")
      #expect(!limit.source.contains("REQUIREMENTS") && !limit.source.contains("FINDINGS"), "\(limit.metric)")
    }
  }

  @Test func thePageOfAReportExplainsItsIdsAndNoOthers() async throws {
    let html = HTMLReport(try await SampleReport.make()).html
    for id in ["LAT-1", "ROT-2", "CTL-6"] {
      #expect(html.contains("<div id=\"requirement-\(id.lowercased())\"><dt>\(id)</dt>"))
      #expect(html.contains("<a href=\"#requirement-\(id.lowercased())\" title=\"\(id), "))
    }
    #expect(html.contains("<b>glass-to-glass latency</b>"))
    #expect(!html.contains("requirement-upl-4"))
  }

  /// The ids come from a report of a later version, or from a manipulated one.
  @Test func anIdThatIsNotExplainedIsPlainText() async throws {
    let scenario = ScriptedScenario(requirements: ["NEW-9", "\"><script>"]) { _ in
      Observation(checks: [Check(id: "c", title: "C", passed: true, subjects: 1, detail: "all")])
    }
    let report = try await Runner.make().run([scenario], context: ScenarioContext(source: .make()))
    let html = HTMLReport(report).html
    #expect(html.contains("NEW-9") && !html.contains("#requirement-"))
    #expect(html.contains("&quot;&gt;&lt;script&gt;") && html.components(separatedBy: "<script").count == 2)
  }
}

@Suite struct ScenarioListTests {
  private func list(_ limits: [Limit]) -> ScenarioList {
    let scenario = ScriptedScenario { _ in Observation(checks: []) }
    return ScenarioList([scenario], profile: .make(limits))
  }

  private func limit(
    _ metric: String, requirement: RequirementID = "LAT-1", reference: Limit.Reference? = nil,
    scenario: String? = nil
  ) -> Limit {
    Limit(
      metric: metric, statistic: .p99, op: .atMost, value: 2, unit: .milliseconds, requirement: requirement,
      source: "test", reference: reference, scenario: scenario)
  }

  @Test func aScenarioHasTheLimitsThatNameItOrAreNamedForIt() {
    let list = list([
      limit("pan.jitter", scenario: "latency.example"), limit("latency.example.gap"), limit("latency.*.gap"),
      limit("other.time", scenario: "other"), limit("other.rate", requirement: "UPL-4"),
      limit("qualify.spread"),
    ])
    #expect(list.scenarios.map { $0.limits.map(\.metric) } == [["pan.jitter", "latency.example.gap"]])
    #expect(list.sharedLimits.map(\.metric) == ["latency.*.gap"])
    #expect(list.scenarios[0].requirements[0].title == "glass-to-glass latency")
    #expect(list.scenarios[0].isOrdinary)
  }

  @Test func aLimitIsASentence() {
    #expect(limit("m").sentence == "m: p99 ≤ 2 ms (LAT-1)")
    #expect(
      limit("m", reference: Limit.Reference(metric: "r", factor: 3)).sentence
        == "m: p99 ≤ 3 × the median of r + 2 ms (LAT-1)")
    #expect(
      limit("m", reference: Limit.Reference(metric: "r", factor: 0.2)).sentence
        == "m: p99 ≤ 0.2 × the median of r + 2 ms (LAT-1)")
    var follows = limit("m", reference: Limit.Reference(metric: "r"))
    follows.value = 0
    #expect(follows.sentence == "m: p99 ≤ the median of r (LAT-1)")
  }
}
