import DeviceScenarios
import Foundation
import Harness
import Testing

@testable import EngineScenarios
@testable import Probes

@Suite struct CatalogueTests {
  private let scenarios =
    ScenarioCatalogue.engine(Rig(viewfinder: "")) + ScenarioCatalogue.devices(Rig(viewfinder: ""))

  @Test func everySuiteHasScenariosAndEachTellsItsPurpose() {
    // The suite of counted scenarios has its own tests (`CountingTests`).
    #expect(Set(scenarios.map(\.suite)) == Set(Suite.all).subtracting([.counted]))
    #expect(Set(scenarios.map(\.id)).count == scenarios.count)
    for scenario in scenarios {
      #expect(!scenario.purpose.isEmpty && !scenario.exampleFailure.isEmpty && !scenario.requirements.isEmpty)
    }
  }

  /// Every limit belongs to an existing scenario; otherwise it would check nothing.
  @Test(arguments: Profile.builtInNames) func profilesNameScenariosThatAreThere(name: String) throws {
    let ids = Set(scenarios.map(\.id))
    for limit in try Profile.load(name).limits {
      // The tests of `qualify` check that its scenarios exist.
      guard let scenario = limit.scenario, !scenario.hasPrefix("qualify.") else { continue }
      #expect(ids.contains(scenario), "\(scenario)")
    }
  }

  /// Scenarios whose self-test cannot run in these tests, because it needs a corpus, the built programs, or the text recogniser.
  /// All others, new ones included, run their self-test.
  private static let elsewhere: Set<String> = [
    "cold-start.process", "rotation.turn", "scan.end-to-end", "scan.outage", "scan.preview",
    "scan.recognition",
    "delivery.killed",
    "delivery.library", "delivery.queue", "recording.killed", "recording.sustained",
  ]

  /// Scenarios whose self-test compares processor times or peak memory.
  private static let timed: Set<String> = [
    "preview.floor", "photo.floor", "looks.floor",
    // The peak memory is that of the whole process, in which other tests run.
    "photo.linear",
  ]

  @Test func onlyScenariosThatAreThereProveThemselvesElsewhere() {
    #expect(Self.elsewhere.union(Self.timed).isSubset(of: Self.engine))
  }

  private static let engine = ScenarioCatalogue.engine(Rig(viewfinder: "")).map(\.id)

  @Test(arguments: engine.filter { !elsewhere.contains($0) }) func probesProveThemselves(id: String)
    async throws
  {
    let scenario = try #require(scenarios.first { $0.id == id })
    let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))
    // Beside all other tests, such a self-test may fail by chance, but a wrong scenario fails every time.
    var late = "never tried"
    for _ in 0..<(Self.timed.contains(id) ? 10 : 1) {
      switch try await scenario.selfTest(context) {
      case .passed: return
      case .late(let reason, _): late = reason
      case .failed(let reason): late = reason
      }
    }
    Issue.record("\(late)")
  }

  private static func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the texts between backticks in a table of `docs/gate.md`, for each row and cell. `head` is the beginning of the
  /// table's first line.
  private static func cells(under head: String) throws -> [[[String]]] {
    let lines = try text("docs/gate.md").components(separatedBy: "\n")
    return lines.drop { !$0.hasPrefix(head) }.dropFirst(2).prefix { $0.hasPrefix("|") }.map {
      $0.components(separatedBy: "|").dropFirst().map {
        $0.matches(of: /`([^`]+)`/).map { String($0.1) }
      }
    }
  }

  /// The table of mutants, which `scripts/mutate --gate` proves, names only lines that occur once in the source, and existing
  /// scenarios.
  @Test func theTableOfMutantsIsOfThisSource() throws {
    let rows = try Self.cells(under: "| mutant |").map { $0.flatMap { $0 } }
    #expect(!rows.isEmpty)
    for row in rows {
      let (path, line, red) = (row[0], row[1], Set(row[3...]))
      #expect(try Self.text(path).components(separatedBy: line).count == 2, "\(path) has \(line) once")
      #expect(red.isSubset(of: Self.engine) && !red.isEmpty, "\(row)")
    }
  }

  /// The table of `docs/gate.md`, which `scripts/prove-faults` runs, lists every fault once. Each fault names existing scenarios
  /// that notice it.
  @Test func theTableOfFaultsIsWhole() throws {
    let ordinary = try Self.cells(under: "| `--fault` |")
    let inLab = try Self.cells(under: "| `--fault` in the lab |")
    let faults = (ordinary + inLab).flatMap { $0.first ?? [] }
    #expect(faults.compactMap { InjectedFault(name: $0) }.count == ordinary.count + inLab.count)
    let named = InjectedFault.names.map { $0.prefix { $0 != "=" } }
    #expect(faults.map { $0.prefix { $0 != "=" } }.sorted() == named.sorted())
    for row in inLab { #expect(row.dropFirst(2).flatMap { $0 } == ["display.loop"]) }
    for row in ordinary {
      let red = row.dropFirst(2).flatMap { $0 }
      #expect(Set(red).isSubset(of: Self.engine) && !red.isEmpty, "\(row)")
    }
  }

  @Test func theLoadingStateIsExact() async throws {
    let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))
    let observation = try await LoadingState().run(context)
    #expect(observation.checks.count == 7)
    for check in observation.checks { #expect(check.passed, "\(check.title): \(check.detail)") }
  }
}
