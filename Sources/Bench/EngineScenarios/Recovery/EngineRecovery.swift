import Capture
import Harness
import Imagery
import Probes
import System

/// INT-2, INT-3, INT-4: the engine's own share of a recovery, in virtual time, where the load of the machine has no effect.
struct EngineRecovery: Scenario {
  let id = "recovery.engine"
  let suite = Suite.recovery
  let title = "The engine's own share of a recovery"
  let purpose =
    "A camera takes its time to come back; what the engine waits beyond that is lost to the user at every recovery."
  let exampleFailure =
    "A session that looks only every 30 ms whether its camera is back."
  let requirements: [RequirementID] = ["INT-2", "INT-3", "INT-4"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    for trouble in TroubledSource.Trouble.allCases {
      let sound = try await RecoveryPlay(rig: Rig(viewfinder: ""), trouble: trouble).shares(rounds: 1)
      let fault = InjectedFault.slowsRecovery(milliseconds: 30)
      let late = try await RecoveryPlay(rig: Rig(fault: fault, viewfinder: ""), trouble: trouble).shares(
        rounds: 1)
      guard let own = sound.first, late == [own + 30] else {
        return .failed("\(trouble.rawValue): 30 ms were added to \(sound) ms, and \(late) read")
      }
    }
    return .passed("in virtual time 30 ms that each recovery was made later were read as exactly that")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var shares: [(trouble: TroubledSource.Trouble, samples: [Double])] = []
    for trouble in TroubledSource.Trouble.allCases {
      shares.append((trouble, try await RecoveryPlay(rig: rig, trouble: trouble).shares(rounds: Self.rounds)))
    }
    return observation(shares)
  }

  private static let rounds = 3

  func observation(_ shares: [(trouble: TroubledSource.Trouble, samples: [Double])]) -> Observation {
    Observation(
      metrics: shares.map { trouble, samples in
        Measurement(
          id: "recovery.engine.\(trouble.rawValue)",
          title: "\(trouble.cause) → first picture, beyond the camera's own time", unit: .milliseconds,
          level: .synthetic, kind: .exact, samples: samples)
      },
      checks: shares.map { trouble, samples in
        Check(
          id: "recovery.engine.\(trouble.rawValue).all",
          title: "\(trouble.cause): pictures come again every time",
          passed: samples.count == Self.rounds, subjects: Self.rounds,
          detail: "\(samples.count) of \(Self.rounds)", requirement: trouble.requirement)
      },
      notes: [
        "Virtual time, and a drawn camera that opens at once: only the engine's own waits take time. How "
          + "busy the machine is does "
          + "not matter, and neither does which camera the run is of."
      ])
  }
}

extension TroubledSource.Trouble {
  /// The event from which the recovery time is measured.
  fileprivate var cause: String {
    switch self {
    case .interrupted: "Interruption over"
    case .unplugged: "Plugged in"
    case .failed: "Can be opened after a failure"
    case .stalled: "Stall noticed"
    case .background: "foreground()"
    }
  }

  fileprivate var requirement: RequirementID {
    switch self {
    case .interrupted, .unplugged: "INT-2"
    case .failed, .stalled: "INT-3"
    case .background: "INT-4"
    }
  }
}

/// A session whose camera gets into the same kind of trouble repeatedly, in virtual time.
struct RecoveryPlay {
  let rig: Rig
  let trouble: TroubledSource.Trouble

  /// Longer than any of the troubles with its recovery.
  private static let patience = Duration.milliseconds(900)

  /// Returns the milliseconds of each round in which a picture came again: from the end of the trouble's cause to the first picture, without the
  /// interval that its frame takes.
  func shares(rounds: Int) async throws -> [Double] {
    let (source, clock) = (TroubledSource(trouble: trouble), VirtualClock())
    let play = await Play(
      source: rig.broken(source), chart: nil, size: TroubledSource.size, interval: .zero, rig: rig,
      clock: clock)
    try await play.session.start()
    await clock.run(for: .milliseconds(400))
    for _ in 0..<rounds {
      try await raise(source, play.session, clock: clock)
      await clock.run(for: Self.patience)
    }
    // After a cancellation the session is abandoned, because waiting for it could take for ever.
    try Task.checkCancellation()
    await play.stop()
    return shares(source.script.gone, play.log.all)
  }

  private func raise(
    _ source: TroubledSource, _ session: CaptureSession, clock: VirtualClock
  ) async throws {
    guard trouble == .background else { return source.script.trigger() }
    await session.background()
    await clock.run(for: TroubledSource.absence)
    source.script.noteGone(at: clock.now())
    try await session.foreground()
  }

  private func shares(_ gone: [MonotonicTime], _ pictures: [Presentation]) -> [Double] {
    let bounds = gone.dropFirst() + [.distantFuture]
    return zip(gone, bounds).compactMap { time, next in
      pictures.first { $0.frame.exposureTime >= time && $0.presentedTime < next }
        .map { ($0.presentedTime - time - TroubledSource.interval.duration).milliseconds }
    }
  }
}
