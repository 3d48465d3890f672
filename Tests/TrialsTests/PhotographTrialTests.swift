import Foundation
import Testing

@testable import swiftwing_trials

/// A folder of photographs that is read by processes which are killed.
@Suite struct PhotographTrialTests {
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trial-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  @Test func killsLoseNothingAndDoubleNothing() async throws {
    try await withFolder { folder in
      let trial = PhotographTrial(folder: folder, kills: 6, seed: 3, lifetime: 300, photographs: nil)
      let outcome = try await trial.run()
      #expect(outcome.kills == 6 && outcome.photographs == 48)
      #expect(outcome.isClean, "\(outcome)")
    }
  }
}
