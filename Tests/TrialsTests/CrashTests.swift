import EngineScenarios
import Foundation
import Library
import RecordedTurns
import Testing
import Uploads

@testable import Trials

@Suite struct CrashTests {
  @Test func nothingIsLostDoubledOrLeftByAnyKill() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await CrashTrial(directory: folder.path, kills: 12, seed: 7, lifetime: 1...60).run()
    #expect(outcome.isClean, "\(outcome)")
    #expect(outcome.jobs == outcome.delivered)
  }

  /// As on a machine that reads scans itself, no job is stored between reading and the library, and none is needed.
  @Test func noneOfItHappensWithoutJobsEither() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await CrashTrial(
      directory: folder.path, kills: 12, seed: 7, findsAtOnce: true, lifetime: 1...60
    ).run()
    #expect(outcome.isClean, "\(outcome)")
    #expect(outcome.jobs == 0 && outcome.delivered >= outcome.acknowledged)
    let spines = try await Store(directory: "\(folder.path)/store").library.spines(limit: 100_000)
    #expect(spines.count == outcome.delivered)
  }

  @Test func lifeIsReadFromWhatItSaid() {
    let said =
      "accepting a\naccepted a\nuploading a\naccepting b\nrefused b\nuploaded a\nfound a\naccepting c\ntrouble\nacc"
    let life = Life(said: Data(said.utf8))
    #expect(life.accepted == ["a"])
    #expect(life.moments == [.accept, .commit])
    #expect(life.count { $0 == .trouble } == 1)
    #expect(Life(said: Data("delivered a\ncleanedUp\n".utf8)).moments == [])
    #expect(Life(said: Data("delivered a\n".utf8)).moments == [.cleanup])
    #expect(Life(said: Data("accep".utf8)).moments == [.start])
  }

  @Test func lostDoubledAndLeftAreSeen() {
    var outcome = CrashOutcome()
    #expect(!outcome.isClean)
    outcome.acknowledged = 1
    #expect(outcome.isClean)
    for break_ in [\CrashOutcome.lost, \.doubled, \.imagesLeft, \.openJobs] {
      var broken = outcome
      broken[keyPath: break_] = 1
      #expect(!broken.isClean)
    }
  }

  @Test func somebodysOwnDiskIsNotFilled() throws {
    #expect(throws: DiskFiller.Refusal.self) { try DiskFiller(folder: "/") }
  }
}
