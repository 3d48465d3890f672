import Capture
import Corpora
import Imagery
import System
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The verdict on trouble: a session that recovers passes, and each mistake fails its own check.
@Suite struct RecoveryJudgeTests {
  private let scenario = TroubleScenario.replug(Rig(viewfinder: ""), SharedTrouble())
  private let reason = InterruptionReason.deviceDisconnected
  private let fault = CorpusTruth.Fault(kind: .unplug, time: 1_000_000_000, durationNanoseconds: 500_000_000)

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  /// The observations that the checks judge.
  private struct Seen {
    var published: InterruptionReason? = .deviceDisconnected
    /// The exposure time of the first picture after the trouble, in milliseconds; nil if none came.
    var resumed: Int64? = 1518
    var presses: [ShutterPress]
    var trials: [InterruptedShutter.Trial]
  }

  private func press(
    _ state: SessionState, _ error: SessionError?, after milliseconds: Int64 = 5
  ) -> ShutterPress {
    ShutterPress(
      pressed: at(0), answered: at(milliseconds), state: state, error: error, stateAfter: state)
  }

  private func failed(_ change: (inout Seen) -> Void) -> [String] {
    checks(change).filter { !$0.passed }.map { String($0.id.dropFirst(scenario.id.count + 1)) }
  }

  private func checks(_ change: (inout Seen) -> Void) -> [Check] {
    let away = SessionState.interrupted(reason)
    var seen = Seen(
      presses: [press(.running, nil), press(away, .captureRefused(away))],
      trials: [
        InterruptedShutter.Trial(
          published: reason, pending: .error("\(SessionError.captureInterrupted(reason))"),
          refused: [.error("\(SessionError.captureRefused(away))")], after: .photo)
      ])
    change(&seen)
    let before = Presentation.example(exposure: at(990), presented: at(1023))
    let after = seen.resumed.map { Presentation.example(exposure: at($0), presented: at($0 + 52)) }
    let log = TroubleLog(
      origin: at(0), interval: .milliseconds(33), faults: [fault],
      states: seen.published.map { [StateMark(state: .interrupted($0), time: at(1020))] } ?? [],
      pictures: [before] + [after].compactMap { $0 }, presses: seen.presses)
    return scenario.checks([RecoveryMeasure(fault, in: log)], presses: seen.presses, seen.trials)
  }

  @Test func aSessionThatGetsOverItPasses() {
    #expect(failed { _ in } == [])
    #expect(Set(checks { _ in }.compactMap(\.requirement)) == Set(scenario.requirements))
  }

  @Test func whatIsToldWronglyOrNotGotOverFails() {
    #expect(failed { $0.published = nil } == ["published"])
    #expect(failed { $0.published = .other } == ["published"])
    #expect(failed { $0.resumed = nil } == ["resumed"])
    // A picture that was exposed before the end of the trouble is no recovery.
    #expect(failed { $0.resumed = 1490 } == ["resumed"])
  }

  @Test func aPressThatHangsOrIsAcceptedFails() {
    let away = SessionState.interrupted(reason)
    #expect(failed { $0.presses.append(press(.running, nil, after: 1001)) } == ["shutter"])
    #expect(failed { $0.presses.append(press(away, nil)) } == ["shutter"])
    #expect(failed { $0.presses = [press(.running, nil)] } == ["shutter"])
    #expect(failed { $0.presses = [] } == ["shutter"])
    #expect(failed { $0.trials[0].pending = .photo } == ["pending"])
    #expect(failed { $0.trials[0].pending = InterruptedShutter.Answer.none } == ["pending"])
    #expect(failed { $0.trials[0].refused.append(.photo) } == ["refused"])
    #expect(failed { $0.trials[0].refused = [] } == ["refused"])
    #expect(failed { $0.trials[0].after = InterruptedShutter.Answer.none } == ["after"])
    #expect(failed { $0.trials = [] } == ["pending", "refused", "after"])
  }

  @Test func aRecoveryIsMeasuredFromItsCause() {
    let log = TroubleLog(
      origin: at(0), interval: .milliseconds(33), faults: [fault],
      states: [StateMark(state: .interrupted(reason), time: at(1020))],
      pictures: [
        Presentation.example(exposure: at(990), presented: at(1023)),
        Presentation.example(exposure: at(1518), presented: at(1570)),
      ], presses: [])
    let measure = RecoveryMeasure(fault, in: log)
    #expect(measure.detected == 20 && measure.resumed == 70 && measure.lost == 15)
  }

  // MARK: Damaged frames

  @Test func damagedFramesMustBeToldAndSoundOnesShown() {
    func passes(_ change: (inout DamagePlay.Log) -> Void = { _ in }) -> Bool {
      var log = DamagePlay.Log(sound: [0, 1, 3], damaged: [2, 4], shown: [0, 1, 3], told: 2)
      change(&log)
      return TroubleScenario.check(log).passed
    }
    #expect(passes())
    #expect(!passes { $0.shown = [0, 1, 2, 3] })
    // A damaged frame must not be shown, even in part, whether it was reported or not.
    #expect(!passes { $0.shown = [0, 1, 3, 4] })
    #expect(!passes { ($0.shown, $0.told) = ([0, 1, 3, 4], 1) })
    #expect(!passes { $0.shown = [0, 3] })
    #expect(!passes { $0.shown = [0, 1, 1, 3] })
    #expect(!passes { $0.told = 1 } && !passes { $0.told = 3 })
    #expect(!passes { $0.interruptions = [.interrupted(.streamStalled)] })
    // A play without damaged frames proves nothing, so it fails.
    #expect(!passes { ($0.damaged, $0.shown, $0.told) = ([], [0, 1, 3], 0) })
  }

  /// Plays the recording unchanged, and through a camera that replaces each damaged frame by the picture before it.
  @Test(arguments: [true, false]) func aCoveredFrameIsNoticed(isSound: Bool) async throws {
    let rig = Rig(viewfinder: "")
    let play = try TroublePlay(rig)
    let damaged: Set<UInt32> = [30, 31, 60]
    let covering = WatchedSource(play.source) {
      var last: PixelBuffer?
      return WatchedSource.Watcher(event: { event in
        guard case .frame(var captured) = event else { return event }
        if damaged.contains(captured.sequence), let last {
          captured.image = last
        } else {
          last = captured.image
        }
        return .frame(captured)
      })
    }
    let log = try await DamagePlay(
      rig: rig, source: isSound ? play.source : covering, corpus: play.corpus
    ).log()
    #expect(log.damaged == damaged && log.sound.count > 75)
    #expect(TroubleScenario.check(log).passed == isSound, "\(log.complaint ?? "no complaint")")
  }

  // MARK: Background

  private func absences(_ change: (inout ForegroundPlay.Log) -> Void) throws -> Set<String> {
    var log = ForegroundPlay.Log(resumed: [170, 170, 170])
    change(&log)
    let device = Measurement(
      id: "recovery.foreground.device", title: "", unit: .milliseconds, level: .synthetic, samples: [160])
    return try Foreground(rig: Rig(viewfinder: "")).observation(log, 3, device: device).red()
  }

  @Test func comingBackAtOnceAndSilentWhileAwayPasses() throws {
    #expect(try absences { _ in } == [])
  }

  @Test func eachFailingOfTheBackgroundIsTold() throws {
    let id = "recovery.foreground"
    #expect(try absences { $0.resumed[1] = 770 } == ["\(id).resumed"])
    #expect(try absences { $0.resumed.removeLast() } == ["\(id).all"])
    #expect(try absences { $0.shownAway = 1 } == ["\(id).silent"])
    #expect(try absences { $0.openAway = 1 } == ["\(id).closed"])
    #expect(try absences { $0.resumed = [] } == ["\(id).resumed", "\(id).all"])
  }

  // MARK: Notices

  @Test func statesThatSayTooMuchOrTooLittleAreNoticed() {
    let away = SessionState.interrupted(.deviceInUse)
    func mistake(_ reason: InterruptionReason, _ states: [SessionState]) -> Bool {
      Notices.mistake(reason, published: states) != nil
    }
    #expect(!mistake(.deviceInUse, [.starting, .running, away, .running]))
    #expect(mistake(.deviceInUse, [.starting, .running]))
    #expect(mistake(.deviceInUse, [.running, away, .running, away]))
    #expect(mistake(.deviceInUse, [.running, .interrupted(.other), .running]))
    #expect(!mistake(.background, [.running, .paused(.background), .running]))
    #expect(mistake(.background, [.running]))
    #expect(mistake(.background, [.running, .interrupted(.background), .paused(.background)]))
  }

  // MARK: The shutter in virtual time

  /// The frame comes after five milliseconds. Then the photo takes any amount of real time, as on a busy machine.
  @Test func timeStandsStillWhileAPhotoIsMade() async throws {
    let clock = VirtualClock()
    let due = clock.now() + .milliseconds(5)
    let isAsked = Locked(false)
    let shutter = PressedShutter(
      clock: clock,
      photograph: {
        isAsked.withLock { $0 = true }
        while clock.now() < due { await Task.yield() }
        // The frame has come. Yielding gives every task that might advance virtual time a chance to do so.
        for _ in 0..<50 { await Task.yield() }
      },
      waitingCount: { isAsked.withLock { $0 } && clock.now() < due ? 1 : 0 })
    #expect(try await shutter.taken() == .photo)
    #expect(clock.now() == due)
  }

  @Test func aFrameThatNeverComesLeavesThePressWithoutAPhoto() async throws {
    let clock = VirtualClock()
    let began = clock.now()
    let isAsked = Locked(false)
    let shutter = PressedShutter(
      clock: clock,
      photograph: {
        isAsked.withLock { $0 = true }
        while clock.now() < began + .milliseconds(500) { await Task.yield() }
        throw SessionError.captureCancelled
      }, waitingCount: { isAsked.withLock { $0 } ? 1 : 0 })
    #expect(try await shutter.taken() == .error("\(SessionError.captureCancelled)"))
    #expect(clock.now() == began + .milliseconds(500))
  }
}
