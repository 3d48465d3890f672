import Capture
import Corpora
import Harness
import Imagery
import Probes
import System

/// A kind of trouble in a recording, and whether the session recovers from it by itself.
struct TroubleScenario: Scenario {
  let id: String
  let suite = Suite.recovery
  let title: String
  let purpose: String
  let exampleFailure: String
  let requirements: [RequirementID]
  private let kind: CorpusTruth.Fault.Kind
  private let reason: InterruptionReason
  private let rig: Rig
  private let shared: SharedTrouble

  /// Returns a scenario for each kind of trouble. They share one play of the recording.
  static func all(rig: Rig) -> [any Scenario] {
    let shared = SharedTrouble()
    return [interruption(rig, shared), replug(rig, shared), stall(rig, shared)]
  }

  /// Returns the scenario for INT-1, INT-2: the source reports an interruption, and later its end.
  static func interruption(_ rig: Rig, _ shared: SharedTrouble) -> TroubleScenario {
    TroubleScenario(
      id: "recovery.interruption", title: "Interrupted and back", kind: .interruption, reason: .deviceInUse,
      purpose:
        "Another program takes the camera for a moment; the user should not have to do anything about it.",
      exampleFailure:
        "A session that never learns that the interruption is over, and shows a still picture for good.",
      requirements: ["INT-1", "INT-2"], rig: rig, shared: shared)
  }

  /// Returns the scenario for INT-3: the device is unplugged and comes back.
  static func replug(_ rig: Rig, _ shared: SharedTrouble) -> TroubleScenario {
    TroubleScenario(
      id: "recovery.replug", title: "Unplugged and plugged in", kind: .unplug, reason: .deviceDisconnected,
      purpose: "A cable that slips out and is put back must not cost the scan.",
      exampleFailure: "An engine that keeps the old descriptor and gets ENOTTY for ever.",
      requirements: ["INT-1", "INT-3"], rig: rig, shared: shared)
  }

  /// Returns the scenario for INT-3: the stream stops without a notice.
  static func stall(_ rig: Rig, _ shared: SharedTrouble) -> TroubleScenario {
    TroubleScenario(
      id: "recovery.stall", title: "Stalled stream", kind: .stall, reason: .streamStalled,
      purpose: "A camera that stops delivering does not report this; the engine has to notice it.",
      exampleFailure: "A blocking DQBUF that waits for ever while the user looks at the last frame.",
      requirements: ["INT-1", "INT-3"], rig: rig, shared: shared)
  }

  private init(
    id: String, title: String, kind: CorpusTruth.Fault.Kind, reason: InterruptionReason, purpose: String,
    exampleFailure: String, requirements: [RequirementID], rig: Rig, shared: SharedTrouble
  ) {
    self.id = id
    self.title = title
    self.kind = kind
    self.reason = reason
    self.purpose = purpose
    self.exampleFailure = exampleFailure
    self.requirements = requirements
    self.rig = rig
    self.shared = shared
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let fault = CorpusTruth.Fault(kind: kind, time: 1_000_000_000, durationNanoseconds: 500_000_000)
    func log(resumed: Duration?) -> TroubleLog {
      let origin = MonotonicTime(nanoseconds: 0)
      func picture(_ exposed: Duration, shownAfter delay: Duration) -> Presentation {
        Presentation.example(exposure: origin + exposed, presented: origin + exposed + delay)
      }
      let before = picture(.milliseconds(990), shownAfter: .milliseconds(33))
      let pictures = [before] + (resumed.map { [picture(.milliseconds(1518), shownAfter: $0)] } ?? [])
      return TroubleLog(
        origin: origin, interval: .milliseconds(33), faults: [fault],
        states: [StateMark(state: .interrupted(reason), time: origin + .milliseconds(1020))],
        pictures: pictures, presses: [])
    }
    let late = RecoveryMeasure(fault, in: log(resumed: .milliseconds(52)))
    let never = RecoveryMeasure(fault, in: log(resumed: nil))
    guard late.resumed == 70, late.detected == 20, late.lost == 15, never.resumed == nil, never.lost == nil
    else { return .failed("a made-up recovery of 70 ms, detected in 20 ms, 15 lost, was read as \(late)") }
    return .passed(
      "a made-up recovery of 70 ms, detected in 20 ms, 15 frames lost, was read as that; a recovery that "
        + "never came was not counted"
    )
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let logs = try await shared.logs(for: id, of: rig)
    let measures = logs.flatMap { log in
      log.faults.filter { $0.kind == kind }.map { RecoveryMeasure($0, in: log) }
    }
    guard let first = logs.first, !measures.isEmpty else {
      throw Unsupported(
        "\(rig.specification ?? TroublePlay.bundled) has no \(kind.rawValue) in it; "
          + "name a corpus that has, such as `\(TroublePlay.bundled)`")
    }
    let play = try TroublePlay(rig)
    let trials = try await InterruptedShutter(rig: rig, source: play.source, corpus: play.corpus).trials(kind)
    let device = try await DeviceStart(rig: rig, bundled: TroublePlay.bundled).measurement(
      id: "\(id).device", count: 6)
    return Observation(
      metrics: metrics(measures, interval: first.interval) + [device],
      checks: checks(measures, presses: logs.flatMap(\.presses), trials) + (try await damageChecks(play)),
      evidence: [.timeline("The published states, and the pictures shown", first.timeline)],
      notes: ["\(logs.count) cameras were played at once, each with a session of its own."])
  }

  /// - Parameters:
  ///   - presses: the requests during the whole play, in real time.
  ///   - trials: the requests around each trouble of this kind, in virtual time.
  func checks(
    _ measures: [RecoveryMeasure], presses: [ShutterPress], _ trials: [InterruptedShutter.Trial]
  ) -> [Check] {
    [publishedCheck(measures), resumedCheck(measures), pressCheck(presses)] + shutterChecks(trials)
  }

  /// Checks the damaged frames. Only the scenario that might take them for its own trouble checks them.
  private func damageChecks(_ play: TroublePlay) async throws -> [Check] {
    guard kind == .stall else { return [] }
    return [Self.check(try await DamagePlay(rig: rig, source: play.source, corpus: play.corpus).log())]
  }

  static func check(_ damage: DamagePlay.Log) -> Check {
    let complaint = damage.complaint
    return Check(
      id: "recovery.stall.damaged",
      title: "An occasional damaged frame is reported, never shown, and no stall",
      passed: complaint == nil, subjects: damage.damaged.count,
      detail: complaint
        ?? "\(damage.told) of \(damage.damaged.count) reported, all \(damage.sound.count) sound ones shown",
      requirement: "INT-3")
  }

  private func metrics(_ measures: [RecoveryMeasure], interval: Duration) -> [Measurement] {
    func metric(_ name: String, _ title: String, samples: [Double]) -> Measurement {
      Measurement(
        id: "\(id).\(name)", title: title, unit: .milliseconds, level: rig.evidence, samples: samples)
    }
    return [
      metric(
        "detected", "The trouble begins → the interruption is published",
        samples: measures.compactMap(\.detected)),
      metric(
        "resumed", "Its cause is gone → the first picture is shown", samples: measures.compactMap(\.resumed)),
      metric("interval", "Frame interval of the source", samples: [interval.milliseconds]),
      Measurement(
        id: "\(id).lost", title: "Frames lost, from the last picture before to the first after", unit: .count,
        level: rig.evidence, kind: .timed, samples: measures.compactMap(\.lost).map(Double.init)),
    ]
  }

  private func publishedCheck(_ measures: [RecoveryMeasure]) -> Check {
    let wrong = measures.filter { $0.published != reason }
    return Check(
      id: "\(id).published", title: "Published as \(reason.rawValue)", passed: wrong.isEmpty,
      subjects: measures.count,
      detail: wrong.first.map { "published as \($0.published?.rawValue ?? "nothing")" } ?? reason.message,
      requirement: "INT-1")
  }

  private func resumedCheck(_ measures: [RecoveryMeasure]) -> Check {
    let never = measures.filter { $0.resumed == nil }
    return Check(
      id: "\(id).resumed", title: "Resumes without the user", passed: never.isEmpty, subjects: measures.count,
      detail: never.isEmpty
        ? "\(measures.count) of \(measures.count)"
        : "no picture was shown after its cause was gone in \(never.count) of \(measures.count)",
      requirement: requirements.last)
  }

  private func pressCheck(_ presses: [ShutterPress]) -> Check {
    let refused = presses.count { $0.error?.code == .captureRefused }
    let failed = presses.count { $0.error?.code == .captureInterrupted }
    let slow = presses.filter { ($0.answered - $0.pressed) > .seconds(1) }
    let slowest = presses.map { ($0.answered - $0.pressed).milliseconds }.max() ?? 0
    let taken = presses.count { $0.error == nil }
    let accepted = presses.count { $0.isAcceptedWhileInterrupted }
    return Check(
      id: "\(id).shutter",
      title: "Every press of the shutter is answered, and none is accepted during the interruption",
      passed: slow.isEmpty && accepted == 0 && refused > 0 && taken > 0, subjects: presses.count,
      detail:
        "\(presses.count) presses: \(taken) photos, \(accepted) of them while interrupted, \(refused) refused, "
        + "\(failed) failed with the reason, \(slow.count) took over a second",
      requirement: "INT-1",
      missedBy: accepted == 0 && refused > 0 && taken > 0 ? slowest - 1000 : nil)
  }

  /// Checks the answers to the requests in virtual time.
  private func shutterChecks(_ trials: [InterruptedShutter.Trial]) -> [Check] {
    let failed = InterruptedShutter.Answer.error("\(SessionError.captureInterrupted(reason))")
    let refused = InterruptedShutter.Answer.error("\(SessionError.captureRefused(.interrupted(reason)))")
    func check(
      _ name: String, _ title: String, answers: [InterruptedShutter.Answer],
      expected: InterruptedShutter.Answer
    ) -> Check {
      let wrong = answers.first { $0 != expected }
      return Check(
        id: "\(id).\(name)", title: title,
        passed: wrong == nil && trials.allSatisfy { $0.published == reason },
        subjects: answers.count,
        detail: wrong.map { "\($0), where it should have been: \(expected)" } ?? "\(expected)",
        requirement: "INT-1")
    }
    return [
      check(
        "pending", "A photo under way when the interruption comes fails with the reason",
        answers: trials.compactMap(\.pending),
        expected: failed),
      check(
        "refused", "Every press during the interruption is refused with the reason",
        answers: trials.flatMap(\.refused),
        expected: refused),
      check(
        "after", "A press after the interruption takes a photo", answers: trials.compactMap(\.after),
        expected: .photo),
    ]
  }
}
