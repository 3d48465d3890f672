import Counting
import DeviceScenarios
import EngineScenarios
import Foundation
import Harness
import Probes
import ScriptedKernel
import Testing

@testable import Qualification

/// `docs/requirements.md` explains every id that scenarios, rules and profiles cite, and names the tests or scenarios that judge
/// it.
@Suite struct RequirementsPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

  private func scenarios() throws -> [any Scenario] {
    let trial = try Qualification(
      device: "/dev/video0", kernel: try PaintedCamera.kernel(), duration: .short, fault: nil,
      scenarios: ScenarioCatalogue.onCamera)
    let rig = Rig(viewfinder: "")
    return ScenarioCatalogue.engine(rig) + ScenarioCatalogue.devices(rig) + CountedWorkload.all(rig: rig)
      + trial.rules + [trial.restoration]
  }

  /// Returns the text of each requirement's entry, by id.
  private func entries() throws -> [String: String] {
    let page = try String(contentsOf: Self.root.appending(path: "docs/requirements.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n### ").dropFirst()
    return Dictionary(
      uniqueKeysWithValues: try parts.map { part in
        let found = part.prefixMatch(of: #/<a id="([a-z0-9-]+)"></a>([A-Z]+-[0-9]+): /#)
        let heading = try #require(found)
        #expect(heading.1 == heading.2.lowercased())
        #expect(page.contains("[\(heading.2)](#\(heading.1))"), "\(heading.2) is not in the table of ids")
        return (String(heading.2), part.components(separatedBy: "\n## ")[0])
      })
  }

  /// The list of rules without a camera equals the list of rules that are run with one.
  @Test func rulesAreListedWithoutACamera() throws {
    let trial = try Qualification(
      device: "/dev/video0", kernel: try PaintedCamera.kernel(), duration: .short, fault: nil,
      scenarios: ScenarioCatalogue.onCamera)
    let rules = trial.rules + [trial.restoration]
    #expect(Qualification.listed(with: ScenarioCatalogue.onCamera).map(\.id) == rules.map(\.id))
    #expect(
      Qualification.listed(with: ScenarioCatalogue.onCamera).map(\.exampleFailure)
        == rules.map(\.exampleFailure))
  }

  @Test func everyIdThatIsCitedIsExplainedAndNoOther() throws {
    let scenarios = try scenarios()
    let limits = try Profile.builtInNames.flatMap { try Profile.load($0).limits }
    let cited = Set(scenarios.flatMap(\.requirements) + limits.map(\.requirement)).map(\.rawValue)
    let entries = try entries()
    #expect(Set(cited).union(try written()).subtracting(entries.keys).sorted() == [])
    let judgedByTests = entries.filter { $0.value.contains("tests only") }.keys
    #expect(Set(entries.keys).subtracting(cited).sorted() == judgedByTests.sorted())
    for id in entries.keys { #expect(RequirementGuide.standard[RequirementID(id)] != nil, "\(id)") }
  }

  /// Returns the requirement ids in sources, profiles and scripts, comments included: all ids whose prefix occurs on the page.
  private func written() throws -> Set<String> {
    let kinds = Set(try entries().keys.map { $0.prefix { $0 != "-" } })
    var found: Set<String> = []
    for folder in ["Sources", "Profiles", "scripts", "lab"] {
      let folder = Self.root.appending(path: folder)
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      // Leaves out the page itself, which is also a resource of a module, and mentions retired ids.
      for case let file as URL in files where file.pathExtension != "md" {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
        let ids = text.matches(of: /\b([A-Z]{3,4})-[0-9]{1,2}\b/).filter { kinds.contains($0.1) }
        found.formUnion(ids.map { String($0.0) })
      }
    }
    return found
  }

  /// `bench --list` and `qualify --list` show the ids, the limits and an example failure of each scenario and rule.
  @Test(arguments: Profile.builtInNames) func theListShowsIdsLimitsAndWhatFails(name: String) throws {
    let (scenarios, profile) = (try scenarios(), try Profile.load(name))
    let list = ScenarioList(scenarios, profile: profile)
    for (row, scenario) in zip(list.scenarios, scenarios) {
      #expect(row.requirements.map(\.id) == scenario.requirements && !row.requirements.isEmpty, "\(row.id)")
      #expect(row.requirements.allSatisfy { !$0.title.isEmpty && !$0.explanation.isEmpty }, "\(row.id)")
      #expect(!row.exampleFailure.isEmpty && !row.purpose.isEmpty, "\(row.id)")
    }
    let shown = list.scenarios.flatMap(\.limits) + list.sharedLimits
    let hidden = profile.limits.filter { limit in !shown.contains { $0.sentence == limit.sentence } }
    #expect(hidden.map(\.sentence) == [], "a limit that no list shows")
  }

  @Test func thePageNamesThoseWhoJudge() throws {
    let scenarios = try scenarios()
    let ids = Set(scenarios.map(\.id))
    for (id, entry) in try entries() {
      let judges = entry.components(separatedBy: "- Judged by").dropFirst().first ?? ""
      var named = Set(judges.matches(of: /`([a-z0-9.-]+)`/).map { String($0.1) }).intersection(ids)
      if judges.contains("`qualify.…`") { named.formUnion(ids.filter { $0.hasPrefix("qualify.") }) }
      let judging = scenarios.filter { $0.requirements.contains(RequirementID(id)) }.map(\.id)
      #expect(named.sorted() == Set(judging).sorted(), "\(id)")
    }
  }
}
