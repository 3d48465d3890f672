import Harness
import Probes
import Testing

@testable import DeviceScenarios

/// The verdict on a series of starts and stops: a correct series passes, and each mistake fails its own check.
@Suite struct DeviceRestartsTests {
  private let scenario = DeviceRestarts(rig: Rig(viewfinder: ""))

  private var sound: RestartLog {
    let print = ProcessFootprint(descriptors: 12, mappings: 80, threads: 4)
    return RestartLog(
      before: print, rounds: [ProcessFootprint](repeating: print, count: 100), started: 100, photos: 10)
  }

  private func failed(_ change: (inout RestartLog) -> Void) -> [String] {
    var log = sound
    change(&log)
    return scenario.checks(log, of: 100).filter { !$0.passed }.map {
      String($0.id.dropFirst("device.restarts.".count))
    }
  }

  @Test func aSoundRowPasses() { #expect(failed { _ in } == []) }

  @Test func eachMistakeFailsItsCheck() {
    #expect(failed { $0.started = 99 } == ["started"])
    #expect(failed { $0.photos = 9 } == ["photos"])
    #expect(failed { $0.rounds[50].videoMappings = 4 } == ["held"])
    #expect(failed { $0.rounds[99].engineThreads = 1 } == ["held"])
    #expect(
      failed { log in for index in log.rounds.indices { log.rounds[index].descriptors += index / 10 } } == [
        "growth"
      ])
    #expect(
      failed { log in for index in log.rounds.indices { log.rounds[index].mappings += index } } == ["growth"])
    #expect(failed { $0.rounds = [] } == ["held", "growth"])
  }
}
