import EngineScenarios
import Foundation
import Glibc
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

  /// Kills a process whose scans need no job, as on a machine that reads scans itself: a read scan goes directly into the library.
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

  @Test func lifeIsReadFromWhatItSaid() throws {
    func life(_ steps: Step..., cut: String = "") throws -> Life {
      let lines = try steps.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "\n" }
      return Life(said: Data((lines.joined() + cut).utf8))
    }
    let cut = try life(
      .accepting("a"), .accepted("a"), .uploading("a"), .accepting("b"), .refused("b"), .uploaded("a"),
      .found("a"), .accepting("c"), .trouble, cut: "{\"acc")
    #expect(cut.accepted == ["a"])
    #expect(cut.moments == [.accept, .commit])
    #expect(cut.count { $0 == .trouble } == 1)
    #expect(try life(.delivered("a"), .cleanedUp).moments == [])
    #expect(try life(.delivered("a")).moments == [.cleanup])
    #expect(try life(cut: "{\"accep").moments == [.start])
  }

  /// On a full disk a process may end by itself, and most are killed. None may crash.
  @Test func aCrashOfItsOwnIsAFinding() {
    func findings(_ signal: CInt) -> [String] {
      var outcome = CrashOutcome()
      outcome.note(Life(said: Data(), signal: signal))
      return outcome.findings
    }
    #expect(findings(SIGKILL).isEmpty && findings(0).isEmpty)
    #expect(findings(SIGILL) == ["a process crashed by itself (signal 4)"])
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
