import Capture
import Corpora
import Imagery
import System
import Testing

@testable import EngineScenarios
@testable import Probes

/// Trouble in a recording, and how the session reacts.
@Suite struct RecoveryTests {
  @Test func anInterruptionThatNobodyPublishedIsNotDetected() {
    let fault = CorpusTruth.Fault(kind: .unplug, time: 0, durationNanoseconds: 100_000_000)
    let log = TroubleLog(
      origin: MonotonicTime(nanoseconds: 0), interval: .milliseconds(20), faults: [fault], states: [],
      pictures: [],
      presses: [])
    let measure = RecoveryMeasure(fault, in: log)
    #expect(
      measure.published == nil && measure.detected == nil && measure.resumed == nil && measure.lost == nil)
  }

  // MARK: The shutter

  private func trials(_ fault: InjectedFault?) async throws -> [InterruptedShutter.Trial] {
    let rig = Rig(fault: fault, viewfinder: "")
    let play = try TroublePlay(rig)
    var trials: [InterruptedShutter.Trial] = []
    for kind in [CorpusTruth.Fault.Kind.stall, .interruption, .unplug] {
      trials += try await InterruptedShutter(rig: rig, source: play.source, corpus: play.corpus).trials(kind)
    }
    return trials
  }

  /// Pictures that are late must not change these results; other checks notice them.
  @Test(arguments: [nil, InjectedFault.delaysFrames(.milliseconds(40))])
  func theShutterIsRefusedWithTheReason(_ fault: InjectedFault?) async throws {
    let reasons = [InterruptionReason.streamStalled, .deviceInUse, .deviceDisconnected]
    let trials = try await trials(fault)
    #expect(trials.map(\.published) == reasons)
    for (trial, reason) in zip(trials, reasons) {
      #expect(trial.pending == .error("\(SessionError.captureInterrupted(reason))"))
      #expect(trial.refused.count >= 5)
      #expect(Set(trial.refused) == [.error("\(SessionError.captureRefused(.interrupted(reason)))")])
      #expect(trial.after == .photo)
    }
  }
}
