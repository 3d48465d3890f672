import DeviceScenarios
import Harness
import Testing

@testable import EngineScenarios
@testable import Probes

@Suite struct CatalogueTests {
  private let scenarios =
    Catalogue.engine(Rig(viewfinder: "")) + Catalogue.devices(Rig(viewfinder: ""))

  @Test func everySuiteHasScenariosAndEachTellsItsPurpose() {
    #expect(Set(scenarios.map(\.suite)) == Set(Suite.all))
    #expect(Set(scenarios.map(\.id)).count == scenarios.count)
    for scenario in scenarios {
      #expect(!scenario.purpose.isEmpty && !scenario.exampleFailure.isEmpty && !scenario.requirements.isEmpty)
    }
  }

  /// A profile that names a scenario which is not there would ask for nothing.
  @Test(arguments: Profile.builtInNames) func profilesNameScenariosThatAreThere(name: String) throws {
    let ids = Set(scenarios.map(\.id))
    for limit in try Profile.load(name).limits {
      // Those of `qualify` are a matter of its own tests.
      guard let scenario = limit.scenario, !scenario.hasPrefix("qualify.") else { continue }
      #expect(ids.contains(scenario), "\(scenario)")
    }
  }

  /// The probes that need no corpus and no executable prove themselves here too.
  @Test(arguments: [
    "cold-start.prewarmed", "cold-start.shutter", "cold-start.loading", "latency.glass-to-glass",
    "latency.pan", "latency.analysis", "recovery.notices", "photo.ceiling", "photo.nearest-format",
    "rotation.matrix", "photo.formats", "preview.colours", "recovery.interruption", "recovery.replug",
    "recovery.stall",
    "recovery.foreground", "latency.engine-1080p30", "photo.floor", "delivery.protocol",
  ]) func probesProveThemselves(id: String) async throws {
    let scenario = try #require(scenarios.first { $0.id == id })
    let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))
    guard case .passed = try await scenario.selfTest(context) else {
      Issue.record("\(try await scenario.selfTest(context))")
      return
    }
  }

  @Test func theLoadingStateIsExact() async throws {
    let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))
    let observation = try await LoadingState().run(context)
    #expect(observation.checks.count == 7)
    for check in observation.checks { #expect(check.passed, "\(check.title): \(check.detail)") }
  }
}
