import Imagery
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The scenarios of the suite `controls`, in virtual time on a simulated camera: each passes without a fault, and an injected fault of a control
/// fails the scenario that judges this control.
@Suite struct ControlsFaultTests {
  private static let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))

  /// Returns the failed checks and metrics by the limits of the profile `strict`.
  private func red(_ scenario: any Scenario) async throws -> Set<String> {
    let observation = try await scenario.run(Self.context)
    let judge = MetricJudge(profile: try Profile.load("strict"), metrics: observation.metrics)
    return Set(
      observation.checks.filter { !$0.passed }.map { "\($0.id): \($0.detail)" }
        + observation.metrics.map(judge.report).filter { $0.verdict == .fail }.map(\.id))
  }

  /// Expects exactly these failed checks and metrics. `#expect(try await …)` would not say which there are.
  private func expectRed(
    _ scenario: any Scenario, _ expected: Set<String>, at place: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    let red = try await red(scenario)
    #expect(red == expected, sourceLocation: place)
  }

  private func rig(_ fault: InjectedFault? = nil) -> Rig { Rig(fault: fault, viewfinder: "") }

  @Test func shutterPriorityFollowsTheLight() async throws {
    let red = try await red(ShutterPriority(rig: rig()))
    #expect(red.isEmpty, "\(red)")
  }

  @Test func valuesAreHonest() async throws { try await expectRed(HonestControls(rig: rig()), []) }
  @Test func focusGoesThroughItsStates() async throws {
    try await expectRed(FocusSequence(rig: rig()), [])
  }
  @Test func zoomIsEven() async throws { try await expectRed(ZoomTrace(rig: rig()), []) }
  @Test func lensesKeepWhatWasSet() async throws { try await expectRed(LensSwitch(rig: rig()), []) }
  @Test func aTapIsWhereTheFingerIs() async throws { try await expectRed(TapPlace(), []) }
  @Test func twoClientsHaveOneOrder() async throws { try await expectRed(CommandOrder(rig: rig()), []) }

  @Test func aSensitivityThatMovesTooFarIsNoticed() async throws {
    let red = try await red(ShutterPriority(rig: rig(.exaggeratesISO)))
    #expect(red.contains { $0.hasPrefix("controls.shutter-priority.steady") })
  }

  @Test func aCameraThatForgetsIsNoticed() async throws {
    let red = try await red(LensSwitch(rig: rig(.forgetsControls)))
    #expect(red.contains { $0.hasPrefix("controls.lenses.foreign") })
  }

  @Test func aLensThatWandersIsNoticed() async throws {
    let red = try await red(FocusSequence(rig: rig(.wandersInFocus)))
    #expect(red.contains { $0.hasPrefix("controls.focus.still") })
  }

  @Test func aZoomThatIsToldWronglyIsNoticed() async throws {
    let red = try await red(ZoomTrace(rig: rig(.mistellsZoom)))
    #expect(red.contains { $0.hasPrefix("controls.zoom.quick.end") })
    #expect(!red.contains { $0.hasPrefix("controls.zoom.fixed") })
  }
}
