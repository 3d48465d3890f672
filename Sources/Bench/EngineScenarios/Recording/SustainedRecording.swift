import Harness
import Probes

/// REC-1: 1080p at 30 frames per second beside a preview, without losing frames and without growing memory.
struct SustainedRecording: Scenario {
  let id = "recording.sustained"
  let suite = Suite.recording
  let title = "1080p30 with a preview at the same time"
  let purpose =
    "A recording that loses frames while the viewfinder is looked at, or grows by the minute, cannot be relied on."
  let exampleFailure =
    "A muxer that keeps an index of all frames in memory: an hour of recording ends by the kernel's hand."
  let requirements: [RequirementID] = ["REC-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// Proves the probe with a delay of a tenth of a second per frame, three times the frame interval.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let slow = try TrialProgram(rig.with(.slowsRecording), context).run(
      ["film", "--seconds", "5"], as: FilmTrialOutcome.self)
    guard let ending = slow.ending, ending.dropped > 0, slow.gaps > 0 else {
      return .failed("100 ms were injected for each frame, and no loss was seen")
    }
    return .passed("100 ms were injected for each frame, and \(ending.dropped) lost ones seen")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let outcome = try TrialProgram(rig, context).run(
      ["film", "--seconds", "\(context.duration.seconds)"], as: FilmTrialOutcome.self)
    return Observation(
      metrics: Self.metrics(outcome), checks: Self.checks(outcome),
      notes: ["1920×1080 Motion JPEG, copied; the preview has 1280×720. \(outcome.readers)"])
  }

  static func metrics(_ outcome: FilmTrialOutcome) -> [Measurement] {
    let ending = outcome.ending
    return [
      Measurement(
        id: "recording.sustained.dropped", title: "Frames that were dropped", unit: .count, level: .synthetic,
        kind: .timed, samples: ending.map { [Double($0.dropped + outcome.gaps)] } ?? []),
      Measurement(
        id: "recording.sustained.preview",
        title: "Pictures a second that the preview showed during the recording",
        unit: .framesPerSecond, polarity: .higherIsBetter, level: .synthetic,
        samples: ending.map { [$0.shownRate] } ?? []),
      Measurement(
        id: "recording.sustained.growth", title: "Memory after the first second and at the end",
        unit: .bytes, level: .synthetic, kind: .observed,
        samples: ending.map { [Double(max(0, $0.memoryAfter - $0.memoryBefore))] } ?? []),
    ]
  }

  static func checks(_ outcome: FilmTrialOutcome) -> [Check] {
    let written = outcome.ending?.written ?? 0
    return [
      Check(
        id: "recording.sustained.file", title: "The file holds what was written",
        passed: outcome.trouble == nil && outcome.frames == written && outcome.ending?.failure == nil,
        subjects: written,
        detail: outcome.trouble ?? "\(outcome.frames) of \(written) frames, \(outcome.bytes / 1_000_000) MB",
        requirement: "REC-1")
    ]
  }
}

extension RunDuration {
  fileprivate var seconds: Int {
    switch self {
    case .turn: 2
    case .short: 5
    case .full: 60
    case .soak: 600
    }
  }
}
