import Foundation
import Testing

@testable import delivery_crash

@Suite struct CrashTests {
  @Test func nothingIsLostDoubledOrLeftByAnyKill() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await CrashTrial(
      directory: "\(folder.path)/store", kills: 12, seed: 7, lifetime: 1...60
    ).run()
    #expect(outcome.isClean, "\(outcome)")
    #expect(outcome.jobs == outcome.delivered)
  }
}
