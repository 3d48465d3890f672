import Capture
import Harness
import Imagery
import System
import Testing

@testable import DeviceScenarios
@testable import Probes

/// The verdicts of the device lab's scenarios on invented observations, without a lab.
@Suite struct DeviceTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func round(_ change: (inout UnplugRound) -> Void = { _ in }) -> UnplugRound {
    var round = UnplugRound(
      commanded: at(0), hungUp: at(10), published: at(12), reason: .deviceDisconnected, returned: at(500),
      shown: at(600), nodeBefore: "/dev/video0", nodeAfter: "/dev/video2", isHeld: true,
      presses: [
        press(.running, .captureInterrupted(.deviceDisconnected)),
        press(.interrupted(.deviceDisconnected), .captureRefused(.interrupted(.deviceDisconnected))),
        press(.running, nil),
      ], unanswered: 0)
    round.footprint = ProcessFootprint(
      descriptors: 9, videoDescriptors: 1, mappings: 99, videoMappings: 8, threads: 7, engineThreads: 3)
    change(&round)
    return round
  }

  private func press(_ state: SessionState, _ error: SessionError?) -> ShutterPress {
    ShutterPress(pressed: at(1), answered: at(2), state: state, error: error)
  }

  private func failures(_ rounds: [UnplugRound], after: ProcessFootprint = ProcessFootprint()) -> [String] {
    var log = UnplugPlay.Log(rounds: rounds, interval: .milliseconds(33))
    log.before = round().footprint
    log.after = after
    let observation = UnplugFindings(log: log, wanted: rounds.count, device: [90]).observation
    let grown = observation.metrics.filter { $0.unit == .count && ($0.samples.max() ?? 1) > 0 }
    return observation.checks.filter { !$0.passed }.map(\.id) + grown.map(\.id)
  }

  @Test func soundRoundsPass() {
    let sound = [round(), round()]
    #expect(failures(sound) == [])
    #expect(sound[0].detected == 2 && sound[0].resumed == 100 && sound[0].pending.count == 1)
  }

  @Test func eachFaultFailsItsOwnRule() {
    func failing(_ change: (inout UnplugRound) -> Void) -> [String] { failures([round(), round(change)]) }
    #expect(failing { $0.reason = .deviceReset } == ["recovery.unplug.published"])
    #expect(failing { $0.unanswered = 1 } == ["recovery.unplug.photos"])
    #expect(failing { $0.presses.append(press(.running, .captureCancelled)) } == ["recovery.unplug.photos"])
    #expect(failing { $0.shown = nil } == ["recovery.unplug.resumed", "recovery.unplug.found"])
    #expect(failing { $0.footprint.descriptors += 1 } == ["recovery.unplug.descriptors"])
    #expect(failing { $0.footprint.videoMappings += 8 } == ["recovery.unplug.buffers"])
    #expect(failing { $0.footprint.engineThreads += 1 } == ["recovery.unplug.threads"])
    #expect(failing { $0.footprint.mappings += 1 } == ["recovery.unplug.growth"])
    #expect(failures([round()], after: ProcessFootprint(videoMappings: 1)) == ["recovery.unplug.left"])
    let unmoved = round { $0.nodeAfter = $0.nodeBefore }
    #expect(failures([unmoved, unmoved]) == ["recovery.unplug.found"])
  }

  @Test func outsideTheLabTheyAreUnsupported() async throws {
    let rig = Rig(specification: "/dev/video0", viewfinder: "")
    let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))
    for scenario in [Unplugging(rig: rig), AccelerometerTurns(rig: rig)] as [any Scenario] {
      await #expect(throws: Unsupported.self) { try await scenario.run(context) }
    }
  }
}
