import Capture
import Imagery
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The time that the engine adds to a recovery does not depend on how busy the machine is. A late recovery fails.
@Suite struct EngineRecoveryTests {
  private func shares(
    _ fault: InjectedFault?, _ trouble: TroubledSource.Trouble
  ) async throws -> [Double] {
    try await RecoveryPlay(rig: Rig(fault: fault, viewfinder: ""), trouble: trouble).shares(rounds: 3)
  }

  @Test(arguments: TroubledSource.Trouble.allCases) func theEngineAddsNothing(
    _ trouble: TroubledSource.Trouble
  ) async throws {
    #expect(try await shares(nil, trouble) == [0, 0, 0])
  }

  @Test(arguments: TroubledSource.Trouble.allCases) func aLaterRecoveryIsReadToTheMillisecond(
    _ trouble: TroubledSource.Trouble
  ) async throws {
    for milliseconds in [1, 30] {
      let late = try await shares(.slowsRecovery(milliseconds: milliseconds), trouble)
      #expect(late == [Double](repeating: Double(milliseconds), count: 3))
    }
  }

  /// Judges by the built-in profiles. The times are exact, so a busy machine excuses nothing.
  @Test(arguments: Profile.builtInNames) func aRecoveryThatIsThirtyMillisecondsLaterFails(name: String)
    async throws
  {
    let profile = try Profile.load(name)
    for (milliseconds, isRed) in [(0.0, false), (30, true)] {
      let shares = TroubledSource.Trouble.allCases.map { ($0, [milliseconds, milliseconds, milliseconds]) }
      let observation = EngineRecovery(rig: Rig(viewfinder: "")).observation(shares)
      let judge = MetricJudge(profile: profile, metrics: observation.metrics)
      for metric in observation.metrics {
        #expect(metric.kind == .exact)
        #expect(judge.report(metric).verdict == (isRed ? .fail : .pass), "\(metric.id)")
      }
    }
  }

  @Test func aCameraThatNeverComesBackIsNoticed() async throws {
    for trouble in [TroubledSource.Trouble.unplugged, .interrupted] {
      #expect(try await shares(.neverResumes, trouble) == [])
    }
    let observation = EngineRecovery(rig: Rig(viewfinder: "")).observation([(.unplugged, [0, 0])])
    #expect(observation.checks.map(\.passed) == [false])
  }
}
