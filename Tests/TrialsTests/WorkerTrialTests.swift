import BookScan
import RecordedTurns
import Testing

@testable import swiftwing_trials

/// The recogniser's process is killed while it reads scans.
@Suite struct WorkerTrialTests {
  @Test func killsAtRandomAreNoticedByNobody() async throws {
    let folder = try TemporaryFolder()
    var settings = ScriptedReader.settings
    settings.startLimit = .seconds(300)
    let outcome = try await WorkerTrial(folder: folder.path, settings: settings, kills: 8, seed: 7).run()
    #expect(outcome.kills == 8 && outcome.replacements >= 1)
    #expect(outcome.isClean, "\(outcome)")
  }
}
