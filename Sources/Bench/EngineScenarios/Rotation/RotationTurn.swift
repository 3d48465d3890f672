import Capture
import Corpora
import Harness
import Imagery
import Probes
import System

/// ROT-1, ROT-3, ROT-4: the angle of every frame across a turn, and of a locked preview.
struct RotationTurn: Scenario {
  let id = "rotation.turn"
  let suite = Suite.rotation
  let title = "Every frame across a turn"
  let purpose =
    "A frame shown with the angle before or after its own flashes sideways in the middle of a turn."
  let exampleFailure =
    "A preview that looks up the present orientation when it draws: frames still in the pipeline turn too early."
  let requirements: [RequirementID] = ["ROT-1", "ROT-3", "ROT-4"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let broken = rig.with(.swapsRotation)
    guard let subject = try TurningSubject.all(broken).first else {
      return .failed("there is nothing to turn")
    }
    let seen = try await TurnPlay(subject: subject, rig: broken).comparison().comparison
    guard seen.wrong > 0 else { return .failed("swapped quarter-turns were injected and none was seen") }
    return .passed("swapped quarter-turns were injected and seen in \(seen.wrong) of \(seen.subjects) frames")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Observation(
      notes: ["Played in virtual time: each angle is decided by the recording, not by this machine's speed."])
    for subject in try TurningSubject.all(rig) {
      let (name, play) = (subject.corpus.manifest.name, TurnPlay(subject: subject, rig: rig))
      let (seen, timeline) = try await play.comparison()
      observation.metrics.append(Self.metric(seen, name))
      observation.checks.append(Self.check(seen, name))
      observation.checks += Self.checks(try await play.comparison(lockedTo: Self.locked), name)
      observation.evidence.append(.timeline("Held and shown in \(name)", timeline))
    }
    return observation
  }

  /// The angle that the preview is locked to.
  private static let locked = Rotation.clockwise90

  static func metric(_ seen: TurnComparison, _ name: String) -> Measurement {
    Measurement(
      id: "rotation.\(name).wrong-frames", title: "Frames of \(name) with another angle than their own",
      unit: .count, level: .synthetic, kind: .exact, samples: seen.subjects > 0 ? [Double(seen.wrong)] : [])
  }

  static func check(_ seen: TurnComparison, _ name: String) -> Check {
    Check(
      id: "rotation.\(name).turn", title: "Frames of \(name) are turned as they were held",
      passed: seen.isRight, subjects: seen.subjects, detail: seen.detail, requirement: "ROT-3")
  }

  static func checks(_ seen: LockComparison, _ name: String) -> [Check] {
    [
      Check(
        id: "rotation.\(name).locked", title: "\(name): a preview locked to \(locked) stays at it",
        passed: seen.unlocked == 0, subjects: seen.subjects,
        detail: "\(seen.unlocked) of \(seen.subjects) pictures are turned otherwise", requirement: "ROT-4"),
      Check(
        id: "rotation.\(name).captured",
        title: "\(name): what is captured during the turn follows the device",
        passed: seen.captured == 0 && seen.angles == 4, subjects: seen.subjects,
        detail: "\(seen.captured) of \(seen.subjects) frames have another angle than held; "
          + "\(seen.angles) angles in all", requirement: "ROT-1"),
    ]
  }
}

/// A turn that is played through the engine.
struct TurnPlay {
  let subject: TurningSubject
  let rig: Rig

  private var policy: RotationPolicy { RotationPolicy() }
  private var expected: [UInt32: Orientation] {
    subject.expectedOrientations(hysteresis: policy.hysteresis)
  }

  func comparison() async throws -> (comparison: TurnComparison, timeline: Timeline) {
    let (log, expected) = (try await presented(), expected)
    return (TurnComparison(log, expected: expected), timeline(log, expected))
  }

  /// Plays with the preview locked to the angle at which a device held at `rotation` is upright.
  func comparison(lockedTo rotation: Rotation) async throws -> LockComparison {
    let locked = subject.corpus.manifest.uprightOrientation(attitude: Double(rotation.rawValue))
    return LockComparison(try await presented(lockedTo: rotation), locked: locked, expected: expected)
  }

  private func presented(lockedTo locked: Rotation? = nil) async throws -> [Presentation] {
    let clock = VirtualClock()
    let manifest = subject.corpus.manifest
    var configuration = SessionConfiguration.unattended
    configuration.rotation = policy
    // Square, so that every angle shows the same part of the picture, and large enough for the whole picture.
    let side = manifest.size.longSide
    let play = await Play(
      source: subject.source, chart: subject.chart, size: PixelSize(width: side, height: side),
      interval: manifest.frameInterval.duration, rig: rig, configuration: configuration, clock: clock)
    play.session.rotation.lockSurface(to: locked)
    try await play.session.start()
    await clock.run(for: .nanoseconds(manifest.durationNanoseconds) + .seconds(1))
    // After a cancellation the time stands still, and stopping might wait for ever.
    try Task.checkCancellation()
    await play.stop()
    return play.log.all
  }

  private func timeline(_ log: [Presentation], _ expected: [UInt32: Orientation]) -> Timeline {
    let interval = subject.corpus.manifest.frameInterval.duration.milliseconds
    func spans(_ value: (Presentation) -> (label: String, isAlert: Bool)) -> [Timeline.Span] {
      var spans: [Timeline.Span] = []
      for entry in log {
        let start = Double(entry.frame.sequence) * interval
        let (label, isAlert) = value(entry)
        if let last = spans.last, last.label == label, last.isAlert == isAlert {
          spans[spans.count - 1].end = start + interval
        } else {
          spans.append(Timeline.Span(label, from: start, to: start + interval, isAlert: isAlert))
        }
      }
      return spans
    }
    return Timeline(lanes: [
      Timeline.Lane(
        "expected", spans: spans { (($0.code.flatMap { expected[$0] }).map { "\($0)" } ?? "?", false) }),
      Timeline.Lane(
        "shown",
        spans: spans { entry in
          let wanted = entry.code.flatMap { expected[$0] }
          return (entry.seen.map { "\($0)" } ?? "?", entry.seen == nil || entry.seen != wanted)
        }),
    ])
  }
}
