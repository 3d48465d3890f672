import DeviceScenarios
import Foundation
import Harness
import Testing

@testable import EngineScenarios
@testable import Probes

/// `docs/checklist.md` has every row of the checklist once, each with existing scenarios or tests.
@Suite struct ChecklistTests {
  private struct Row {
    let number: Int
    let requirements: [String]
    /// The scenarios and tests that judge the row; nil if there is none yet.
    let judges: [String]?
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
  /// The numbers of the rows that only a web page can show.
  private static let ofThePage: Set<Int> = [7, 8, 9, 10, 11, 32, 36, 101, 104, 106]

  private static func rows() throws -> [Row] {
    let page = try String(contentsOf: root.appending(path: "docs/checklist.md"), encoding: .utf8)
    return page.components(separatedBy: "\n").compactMap { line in
      let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 5, let number = Int(cells[1]) else { return nil }
      let names = cells.count > 5 ? cells[4].matches(of: /`([^`]+)`/).map { String($0.1) } : nil
      return Row(
        number: number, requirements: cells[3].components(separatedBy: ", "),
        judges: names.flatMap { $0.isEmpty && !ofThePage.contains(number) ? nil : $0 })
    }
  }

  /// Returns the source text of every test, by `Suite.test`.
  private static func tests() throws -> [String: String] {
    let folder = root.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var found: [String: String] = [:]
    for case let file as URL in files where file.pathExtension == "swift" {
      var (suite, current) = ("", "")
      for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
        if let type = line.firstMatch(
          of: /^(?:@Suite(?:\(.*\))? )?(?:final )?(?:struct|class|extension) (\w+)/)
        {
          suite = String(type.1)
        }
        if let test = line.firstMatch(of: /^  (?:@Test.* )?func (\w+)\(/) {
          current = "\(suite).\(test.1)"
        }
        if line == "  }" { current = "" }
        if !current.isEmpty { found[current, default: ""] += line + "\n" }
      }
    }
    return found
  }

  @Test func everyRowIsThereOnce() throws {
    let numbers = try Self.rows().map(\.number)
    #expect(numbers.sorted() == Array(1...107))
  }

  /// A scenario may judge a row if both name the same requirement. A test may judge any row, but must expect something, itself or
  /// through a function that it calls.
  @Test func everyJudgeJudges() throws {
    let rig = Rig(viewfinder: "")
    let scenarios = Dictionary(
      uniqueKeysWithValues: (ScenarioCatalogue.engine(rig) + ScenarioCatalogue.devices(rig)).map {
        ($0.id, $0.requirements.map(\.description))
      })
    let tests = try Self.tests()
    for row in try Self.rows() {
      for judge in row.judges ?? [] {
        if let requirements = scenarios[judge] {
          #expect(requirements.contains { row.requirements.contains($0) }, "row \(row.number): \(judge)")
        } else {
          let text = try #require(tests[judge], "row \(row.number): \(judge) is neither scenario nor test")
          let expectation = text.firstMatch(
            of: /#expect|#require|Issue\.record|\b(?:check|compare|expect\w*|isTold)\(/)
          #expect(expectation != nil, "\(judge) expects nothing")
        }
      }
      #expect(
        row.requirements.allSatisfy { $0.wholeMatch(of: /[A-Z]{3,4}-[0-9]{1,2}/) != nil }, "row \(row.number)"
      )
    }
  }

  @Test func everyRowHasAJudge() throws {
    #expect(try Self.rows().filter { $0.judges == nil }.map(\.number) == [])
  }

  /// `bench --list` shows requirements for each scenario that the page names.
  @Test func everyScenarioNamesItsRequirements() throws {
    let rig = Rig(viewfinder: "")
    let scenarios = ScenarioCatalogue.engine(rig) + ScenarioCatalogue.devices(rig)
    let list = ScenarioList(scenarios, profile: try Profile.load("strict"))
    let judges = Set(try Self.rows().flatMap { $0.judges ?? [] })
    for row in list.scenarios where judges.contains(row.id) {
      #expect(!row.requirements.isEmpty, "\(row.id)")
    }
  }
}
