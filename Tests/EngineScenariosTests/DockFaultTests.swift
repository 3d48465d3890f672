import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// In virtual time, the dock suite passes on the simulated dock, and each fault fails its own scenario.
@Suite struct DockFaultTests {
  private static let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))

  /// Returns the failed checks and metrics by the limits of the profile `strict`.
  private func red(_ scenario: any Scenario) async throws -> Set<String> {
    let observation = try await scenario.run(Self.context)
    let judge = MetricJudge(profile: try Profile.load("strict"), metrics: observation.metrics)
    let checks = observation.checks.filter { !$0.passed }.map { "\($0.id): \($0.detail)" }
    let metrics = observation.metrics.filter { judge.report($0).verdict == .fail }
    return Set(checks + metrics.map { "\($0.id): \($0.samples.max() ?? .nan)" })
  }

  private func rig(_ fault: InjectedFault? = nil) -> Rig { Rig(fault: fault, viewfinder: "") }

  @Test func aSubjectIsFollowed() async throws {
    let red = try await red(DockFollowing(rig: rig()))
    #expect(red.isEmpty, "\(red)")
  }

  @Test func aSubjectIsLostAndFound() async throws {
    let red = try await red(DockLoss(rig: rig()))
    #expect(red.isEmpty, "\(red)")
  }

  @Test func motionEnds() async throws {
    let red = try await red(DockMotion(rig: rig()))
    #expect(red.isEmpty, "\(red)")
  }

  @Test func aDockThatDoesNotTiltIsNoticed() async throws {
    let red = try await red(DockFollowing(rig: rig(.losesTilt)))
    #expect(red.contains { $0.hasPrefix("dock.following.absolute.all") })
    #expect(red.contains { $0.hasPrefix("dock.following.speed.all") })
  }

  @Test func aDockThatDoesNotStopIsNoticed() async throws {
    let red = try await red(DockMotion(rig: rig(.missesStops)))
    #expect(red.contains { $0.hasPrefix("dock.motion.gone") })
    #expect(red.contains { $0.hasPrefix("dock.motion.unrenewed") })
  }
}
