import Harness
import Probes
import System
import Testing

@testable import EngineScenarios

/// The verdict on photos in a row: a correct log passes, and each mistake fails its own check.
@Suite struct SustainedPhotosTests {
  private let scenario = SustainedPhotos(rig: Rig(viewfinder: ""))
  private let interval = Duration.milliseconds(40)

  private var right: SustainedLog {
    let shots = (100..<150).map { SustainedLog.Shot(frame: $0, code: $0, lag: .milliseconds(-15)) }
    return SustainedLog(
      burst: shots, presses: Array(shots.prefix(5)), asked: 50, span: interval * 49, shown: 49, delivered: 49)
  }

  private func failed(_ change: (inout SustainedLog) -> Void) -> [String] {
    var log = right
    change(&log)
    return scenario.checks(log, interval).filter { !$0.passed }.map { String($0.id.dropFirst(16)) }
  }

  @Test func aRightLogPasses() {
    #expect(failed { _ in } == [])
    #expect(right.rate.map { abs($0 - 25) < 1e-9 } == true)
  }

  @Test func eachMistakeFailsItsCheck() {
    #expect(failed { $0.burst[3].code = 102 } == ["pictures"])
    #expect(failed { $0.burst[3].code = nil } == ["pictures"])
    #expect(failed { $0.presses[0].code = 99 } == ["pictures"])
    #expect(failed { $0.burst.remove(at: 20) } == ["frames"])
    #expect(failed { $0.asked = 60 } == ["frames"])
    #expect(failed { $0.presses[1].lag = .milliseconds(41) } == ["presses"])
    #expect(failed { $0.presses = [] } == ["presses"])
    #expect(failed { $0.shown = 48 } == ["preview"])
    #expect(failed { ($0.burst, $0.presses) = ([], []) }.contains("pictures"))
  }
}
