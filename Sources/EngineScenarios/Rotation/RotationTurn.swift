import Capture
import Corpora
import Harness
import Imagery
import Probes

/// ROT-3, ROT-4: the angle of every frame across a turn.
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
    var broken = rig
    broken.fault = .swapsRotation
    guard let subject = try TurningSubject.all(broken).first else {
      return .failed("there is nothing to turn")
    }
    let seen = try await TurnPlay(subject: subject, rig: broken).comparison()
    guard seen.wrong > 0 else { return .failed("swapped quarter-turns were injected and none was seen") }
    return .passed("swapped quarter-turns were injected and seen in \(seen.wrong) of \(seen.subjects) frames")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Observation(
      notes: ["Played in virtual time: each angle is decided by the recording, not by this machine's speed."])
    for subject in try TurningSubject.all(rig) {
      let name = subject.corpus.manifest.name
      let seen = try await TurnPlay(subject: subject, rig: rig).comparison()
      observation.metrics.append(
        Measurement(
          id: "rotation.\(name).wrong-frames", title: "Frames of \(name) with another angle than their own",
          unit: .count, level: .synthetic, kind: .exact,
          samples: seen.subjects > 0 ? [Double(seen.wrong)] : []))
      observation.checks.append(
        Check(
          id: "rotation.\(name).turn", title: "Frames of \(name) are turned as they were held",
          passed: seen.wrong == 0 && seen.unreadable == 0 && seen.missing == 0 && seen.angles == 4,
          subjects: seen.subjects,
          detail: seen.detail, requirement: "ROT-3"))
      observation.evidence.append(.timeline("Held and shown in \(name)", seen.timeline))
    }
    return observation
  }
}

/// A turn played through the engine, frame by frame against what was expected.
struct TurnPlay {
  let subject: TurningSubject
  let rig: Rig

  struct Comparison {
    var subjects = 0
    var wrong = 0
    var unreadable = 0
    /// Frames of the recording that were never shown.
    var missing = 0
    /// How many different angles were seen.
    var angles = 0
    var detail = ""
    var timeline = Timeline(lanes: [])
  }

  func comparison() async throws -> Comparison {
    let policy = RotationPolicy()
    let log = try await presented(policy)
    let expected = subject.expectedOrientations(hysteresis: policy.hysteresis)
    var comparison = Comparison(subjects: log.count)
    var mistakes: [String: Int] = [:]
    for entry in log {
      guard let code = entry.code, let seen = entry.seen, let wanted = expected[code] else {
        comparison.unreadable += 1
        continue
      }
      if seen != wanted {
        comparison.wrong += 1
        mistakes["\(wanted) was expected and \(seen) seen", default: 0] += 1
      }
    }
    comparison.missing = Set(expected.keys).subtracting(log.map(\.frame.sequence)).count
    comparison.angles = Set(log.compactMap { $0.seen?.rotation }).count
    comparison.detail = detail(comparison, mistakes)
    comparison.timeline = timeline(log, expected)
    return comparison
  }

  private func presented(_ policy: RotationPolicy) async throws -> [Presentation] {
    let clock = VirtualClock()
    let manifest = subject.corpus.manifest
    var configuration = SessionConfiguration.unattended
    configuration.rotation = policy
    // Square, so that every angle shows the same part of the picture; large enough for the whole of it.
    let side = manifest.size.longSide
    let play = await Play(
      source: subject.source, chart: subject.chart, size: PixelSize(width: side, height: side),
      interval: manifest.frameInterval.duration, rig: rig, configuration: configuration, clock: clock)
    try await play.session.start()
    await clock.run(for: .nanoseconds(manifest.durationNanoseconds) + .seconds(1))
    // Time that stood still: stopping could wait for what holds it up.
    try Task.checkCancellation()
    await play.stop()
    return play.log.all
  }

  private func detail(_ comparison: Comparison, _ mistakes: [String: Int]) -> String {
    if comparison.unreadable > 0 {
      return "the number could not be read in \(comparison.unreadable) of \(comparison.subjects) frames"
    }
    if comparison.missing > 0 { return "\(comparison.missing) frames of the recording were never shown" }
    let listed = mistakes.sorted { $0.value > $1.value }.prefix(3).map { "\($0.key) in \($0.value)" }
    if !listed.isEmpty { return "of \(comparison.subjects) frames " + listed.joined(separator: ", ") }
    return "\(comparison.subjects) frames, \(comparison.angles) angles, none stale, none early"
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
