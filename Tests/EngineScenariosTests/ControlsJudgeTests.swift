import Capture
import Harness
import Imagery
import System
import Testing

@testable import EngineScenarios
@testable import Probes

/// The verdicts of the controls scenarios: each mistake fails its own rule and no other.
@Suite struct ControlsJudgeTests {
  private func red(_ observation: Observation) -> [String] {
    observation.checks.filter { !$0.passed }.map { String($0.id.split(separator: ".").last ?? "") }
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  // MARK: Shutter priority

  private func step(_ change: (inout LightStep) -> Void = { _ in }) -> LightStep {
    var step = LightStep(
      name: "step", stop: 3, isMetered: true, rest: 0, offsets: [2.8, 2.8, 2.8, 0.2, 0.2, 0.05, 0, 0.02],
      sets: [at(0), at(120)],
      sensitivities: [800, 650], range: 50...3200, durations: [1.0 / 60, 1.0 / 60], wanted: 1.0 / 60)
    change(&step)
    return step
  }

  @Test func aSoundStepPasses() {
    #expect(red(ShutterPriority.observation([step()])) == [])
    #expect(step().settled == 5 && step().overshoot == 0 && step().mostSets == 2)
    #expect(step { $0.offsets = [0.1, 0, 0.1] }.settled == 0)
  }

  @Test func eachMistakeOfShutterPriorityFailsItsRule() {
    func failing(_ change: (inout LightStep) -> Void) -> [String] {
      red(ShutterPriority.observation([step(), step(change)]))
    }
    #expect(failing { $0.offsets[7] = 0.4 } == ["rests"])
    #expect(failing { $0.offsets[4] = -0.6 } == ["steady"])
    #expect(failing { $0.sensitivities = [800, 790] } == ["dead-band"])
    #expect(
      failing {
        $0.stop = 0
        $0.offsets = [0.02]
        $0.sets = [at(5)]
      } == ["dead-band"])
    #expect(failing { $0.sensitivities = [6400, 650] } == ["range"])
    #expect(failing { $0.durations[1] = 1.0 / 30 } == ["time"])
    #expect(failing { $0.durations = [] } == ["time"])
    // If the engine does not meter, it aims for the brightness that the picture had before the step.
    #expect(
      step {
        $0.isMetered = false
        $0.rest = 0.8
        $0.offsets = [3, 0.8, 0.7]
      }.settled == 1)
    let never = ShutterPriority.observation([step { $0.offsets = [3, 3] }])
    #expect(never.metrics[0].samples.isEmpty && red(never) == ["rests"])
  }

  @Test func setsAreCountedInTheWorstSecond() {
    let many = step { $0.sets = (0..<30).map { at(Int64($0) * 80) } }
    #expect(many.mostSets == 13)
  }

  // MARK: Change of lens

  private var switches: LensPlay.Log {
    LensPlay.Log(
      switches: 20, settled: 40, foreign: 0, reapplications: 1, before: 400, after: 410, settledAfter: 300)
  }

  @Test func eachMistakeOfALensFailsItsRule() {
    func failing(_ change: (inout LensPlay.Log) -> Void) -> [String] {
      var log = switches
      change(&log)
      return red(LensSwitch.observation(log))
    }
    #expect(failing { _ in } == [])
    #expect(failing { $0.reapplications = 2 } == ["once"])
    #expect(failing { $0.reapplications = 0 } == ["once"])
    #expect(failing { $0.foreign = 1 } == ["foreign"])
    #expect(failing { $0.settled = 0 } == ["foreign"])
    #expect(failing { $0.after = 800 } == ["sensitivity"])
    #expect(failing { $0.after = .nan } == ["sensitivity"])
  }

  // MARK: Focus

  @Test func eachMistakeOfFocusFailsItsRule() {
    func failing(
      plain: [FocusState] = [.continuous, .single, .locked],
      _ change: (inout FocusPlay.Log, inout FocusPlay.Log, inout FocusPlay.Log) -> Void
    ) -> [String] {
      var tap = FocusPlay.Log(states: [.continuous, .focusing, .continuous])
      var lock = FocusPlay.Log(states: [.continuous, .single, .locked])
      var dark = FocusPlay.Log(states: [.continuous, .single, .lockedUnreached])
      change(&tap, &lock, &dark)
      return red(
        FocusSequence.observation(tap: tap, lock: lock, plain: FocusPlay.Log(states: plain), dark: dark))
    }
    #expect(failing { _, _, _ in } == [])
    #expect(failing(plain: [.continuous, .single, .lockedUnreached]) { _, _, _ in } == ["plain"])
    #expect(failing { tap, _, _ in tap.states = [.continuous] } == ["tap"])
    #expect(failing { tap, _, _ in tap.miss = 0.1 } == ["place"])
    #expect(failing { tap, _, _ in tap.exposureSets = 1 } == ["exposure"])
    #expect(failing { _, lock, _ in lock.states = [.continuous, .locked] } == ["sequence"])
    #expect(failing { _, lock, _ in lock.miss = .nan } == ["locked-place"])
    #expect(failing { _, lock, _ in lock.moved = 0.01 } == ["still"])
    #expect(failing { _, _, dark in dark.states[2] = .locked } == ["unreached"])
  }

  // MARK: Zoom

  private func zoom(_ change: (inout ZoomPlay.Log) -> Void = { _ in }) -> Observation {
    var log = ZoomPlay.Log(
      ramp: (0...40).map { ZoomPlay.Sample(time: Double($0) / 30, zoom: min(4, 1 + Double($0) / 10)) },
      instant: 2.5,
      drift: 0)
    log.clamped = CameraControlResult(.zoom, wanted: .number(1000), took: .number(12), note: .clamped)
    change(&log)
    return ZoomTrace.observation(log, ZoomPlay.lenses[0])
  }

  @Test func eachMistakeOfZoomFailsItsRule() {
    #expect(red(zoom()) == [])
    #expect(red(zoom { $0.ramp[10].zoom = 0.5 }) == ["monotone"])
    #expect(red(zoom { $0.ramp.append(ZoomPlay.Sample(time: 2, zoom: 4.01)) }) == ["end"])
    #expect(red(zoom { $0.instant = 2.4 }) == ["instant"])
    #expect(red(zoom { $0.drift = 0.1 }) == ["cancel"])
    #expect(red(zoom { $0.clamped?.note = .exact }) == ["clamp"])
    #expect(red(zoom { $0.clamped = nil }) == ["clamp"])
    #expect(Set(red(zoom { $0.ramp = [] })) == ["monotone", "end"])
    #expect(zoom { $0.ramp = [] }.metrics[0].samples.isEmpty)
  }

  // MARK: Values

  @Test func whatWasNotDoneAndNotToldIsAComplaint() {
    var trial = ValueTrial(
      name: "t", wanted: 1600, took: 800, truth: 800, note: .clamped, told: 800, isRefused: false)
    #expect(trial.complaint == nil)
    trial.note = .exact
    #expect(trial.complaint != nil)
    trial.note = .clamped
    trial.told = 1600
    #expect(trial.complaint != nil)
    trial.told = 800
    trial.took = 1600
    #expect(trial.complaint != nil)
    trial.isLate = true
    #expect(trial.complaint == nil)
    var refused = ValueTrial(
      name: "r", wanted: 400, took: nil, truth: 50, note: .refused, told: 50, isRefused: true)
    #expect(refused.complaint == nil)
    (refused.truth, refused.told) = (400, 400)
    #expect(refused.complaint != nil)
  }
}
