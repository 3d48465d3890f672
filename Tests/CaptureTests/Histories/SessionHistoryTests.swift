import Glibc
import Testing

@testable import Capture

/// Random histories of calls, controls, faults and rotations: each request is answered once, no forbidden transition of the state
/// is reported, and nothing is left of a stopped session.
///
/// `SWIFTWING_HISTORIES` is the number of histories, and `SWIFTWING_SEED` the seed of the first; `scripts/prove-histories` plays
/// 10,000.
@Suite struct SessionHistoryTests {
  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  @Test(.timeLimit(.minutes(15))) func randomHistoriesEndWell() async {
    let count = Self.number("SWIFTWING_HISTORIES") ?? 150
    let first = UInt64(Self.number("SWIFTWING_SEED") ?? 1)
    for seed in first..<first + UInt64(count) {
      let wrong = await SessionHistory(seed: seed).play()
      #expect(wrong.isEmpty, "seed \(seed): \(wrong.joined(separator: "; "))")
      if count > 1000, (seed - first + 1) % 1000 == 0 {
        print("\(seed - first + 1) histories, the last of seed \(seed)")
      }
    }
  }

  /// Tests the judge itself.
  @Test func aPictureWithoutAStartIsNoticed() {
    #expect(!SessionHistory.isAllowed(.idle, .running))
    #expect(!SessionHistory.isAllowed(.paused(.inactivity), .running))
    #expect(!SessionHistory.isAllowed(.failed(.busy("x")), .running))
    #expect(SessionHistory.isAllowed(.interrupted(.signalLost), .running))
    let ledger = AnswerLedger()
    let id = ledger.ask("photo")
    ledger.answer(id)
    ledger.answer(id)
    #expect(ledger.mistakes.count == 1)
  }
}
