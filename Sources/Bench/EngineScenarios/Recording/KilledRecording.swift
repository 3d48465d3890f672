import Harness
import Probes
import System

/// REC-1: a recording that was killed at any moment, or ran out of disk space, can be played up to its last tenth of a second.
struct KilledRecording: Scenario {
  let id = "recording.killed"
  let suite = Suite.recording
  let title = "Killed, and out of disk space"
  let purpose =
    "Programs are killed and disks fill up while something is recorded; what came before must not go with it."
  let exampleFailure =
    "A recorder of plain MP4, whose index is written at the end: killed after an hour, it leaves 10 GB that no player opens."
  let requirements: [RequirementID] = ["REC-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// Proves the probe with a recorder that holds back ten frames in memory.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let held = try TrialProgram(rig.with(.holdsRecording), context).run(
      ["film", "--kills", "3", "--seed", "3"], as: FilmTrialOutcome.self)
    // A process that is killed too early has not lost ten frames yet.
    guard let life = held.lives.first(where: { $0.came > 12 }) else {
      return .failed(
        "no more than \(held.lives.map(\.came).max() ?? 0) frames came from the recording process")
    }
    guard life.lacking > 300 else {
      return .failed("ten frames that were held back were seen as \(life.lacking) ms")
    }
    return .passed("ten frames that were held back were seen as \(Int(life.lacking)) ms")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let program = try TrialProgram(rig, context)
    let killed = try program.run(
      ["film", "--kills", "\(context.duration.kills)", "--seed", "\(context.seed)"],
      as: FilmTrialOutcome.self)
    var observation = Observation(metrics: Self.metrics(killed), checks: Self.checks(killed))
    observation.notes = ["1080p30 Motion JPEG at real pace. \(killed.readers)"]
    observation.evidence = [.text("The kills, with their times", Self.text(killed))]
    if let disk = PrivateDisk(megabytes: 48) {
      let full = try program.run(["film", "--fill"], on: disk, as: FilmTrialOutcome.self)
      observation.checks += Self.fullDisk(full)
    } else {
      observation.notes.append(
        "No disk was filled up: this machine does not allow a small one to be mounted.")
    }
    return observation
  }

  static func metrics(_ outcome: FilmTrialOutcome) -> [Measurement] {
    [
      Measurement(
        id: "recording.killed.lacking",
        title: "The time missing at the end of a film whose writer was killed",
        unit: .milliseconds, level: .synthetic,
        samples: outcome.lives.filter { $0.came > 0 }.map { max(0, $0.lacking) })
    ]
  }

  static func checks(_ outcome: FilmTrialOutcome) -> [Check] {
    let troubles = outcome.lives.compactMap(\.trouble)
    return [
      Check(
        id: "recording.killed.opens", title: "Every film whose writer was killed can be opened",
        passed: troubles.isEmpty, subjects: outcome.lives.count { $0.came > 0 },
        detail: troubles.first
          ?? "\(outcome.lives.count) killed, \(outcome.lives.reduce(0) { $0 + $1.frames }) frames left",
        requirement: "REC-1")
    ]
  }

  static func fullDisk(_ outcome: FilmTrialOutcome) -> [Check] {
    let ending = outcome.ending
    return [
      Check(
        id: "recording.full.told", title: "A full disk is reported", passed: ending?.failure == "diskFull",
        subjects: ending == nil ? 0 : 1,
        detail: "the recording ended as \(ending?.failure ?? ending?.end ?? "nothing")", requirement: "REC-1"),
      Check(
        id: "recording.full.opens", title: "What was recorded before can be played",
        passed: outcome.trouble == nil && outcome.frames > 0 && ending?.written == outcome.frames,
        subjects: ending == nil ? 0 : 1,
        detail: outcome.trouble ?? "\(outcome.frames) of \(ending?.written ?? 0) frames", requirement: "REC-1"
      ),
    ]
  }

  private static func text(_ outcome: FilmTrialOutcome) -> String {
    outcome.lives.map { life in
      "killed \(life.milliseconds) ms after the first frame: \(life.frames) of \(life.came) frames, "
        + "\(life.lacking.rounded()) ms lack\(life.trouble.map { "; \($0)" } ?? "")"
    }.joined(separator: "\n")
  }
}

extension RunDuration {
  fileprivate var kills: Int {
    switch self {
    case .turn: 1
    case .short: 3
    case .full: 100
    case .soak: 1000
    }
  }
}
