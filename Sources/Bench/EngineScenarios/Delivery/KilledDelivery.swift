import Harness
import Probes

/// QUE-1 and SEC-2: a process that is killed again and again, while the disk fills up.
struct KilledDelivery: Scenario {
  let id = "delivery.killed"
  let suite = Suite.delivery
  let title = "Killed, and out of disk space"
  let purpose =
    "A scan the user has seen accepted must arrive, once, whatever happens to the program; and its photo must not stay behind."
  let exampleFailure =
    "A queue that marks a scan as sent before its books are stored: one kill in a thousand loses a shelf."
  let requirements: [RequirementID] = ["QUE-1", "SEC-2", "UPL-3"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// Discards one accepted scan and leaves an image behind, to prove that both are counted.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let spoiled = try TrialProgram(rig, context).run(
      ["crash", "--kills", "1", "--spoil"], as: CrashOutcome.self)
    guard spoiled.lost == 1, spoiled.imagesLeft == 1, spoiled.doubled == 0 else {
      return .failed(
        "of a scan thrown away and an image left, \(spoiled.lost) and \(spoiled.imagesLeft) were seen")
    }
    return .passed("an accepted scan thrown away was counted as lost, and an image put there as left")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let disk = PrivateDisk(megabytes: 48)
    let arguments = ["crash", "--kills", "\(context.duration.kills)", "--seed", "\(context.seed)"]
    let outcome = try TrialProgram(rig, context).run(
      arguments + (disk == nil ? [] : ["--fill"]), on: disk, as: CrashOutcome.self)
    var notes = ["A scanning process was killed \(outcome.kills) times; `--duration full` kills 1,000 times."]
    if disk == nil {
      notes.append(
        "The disk was not filled up: this machine does not allow a small disk to be mounted for the trial.")
    }
    return Observation(
      metrics: metrics(outcome), checks: checks(outcome),
      evidence: [.text("What happened", text(outcome))], notes: notes)
  }

  private func metrics(_ outcome: CrashOutcome) -> [Measurement] {
    [
      ("lost", "Accepted scans that were lost", outcome.lost),
      ("doubled", "Scans delivered or read twice", outcome.doubled),
      ("images-left", "Images left behind", outcome.imagesLeft),
      ("open-jobs", "Jobs that the backend was not asked to clean up", outcome.openJobs),
    ].map { id, title, count in
      Measurement(
        id: "delivery.\(id)", title: title, unit: .count, level: .synthetic, samples: [Double(count)])
    }
  }

  private func checks(_ outcome: CrashOutcome) -> [Check] {
    [
      Check(
        id: "delivery.consistent", title: "Queue, library and search index fit together",
        passed: outcome.findings.isEmpty, subjects: outcome.delivered,
        detail: outcome.findings.isEmpty
          ? "integrity_check and five rules hold" : outcome.findings.joined(separator: "; "),
        requirement: "QUE-1"),
      Check(
        id: "delivery.accepted", title: "Everything that was accepted was delivered",
        passed: outcome.lost == 0, subjects: outcome.acknowledged,
        detail: "\(outcome.acknowledged) accepted, \(outcome.delivered) delivered, \(outcome.jobs) jobs",
        requirement: "QUE-1"),
    ]
  }

  private func text(_ outcome: CrashOutcome) -> String {
    let moments = outcome.moments.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    return """
      \(outcome.kills) kills, in the middle of: \(moments.joined(separator: ", ")) (one kill can hit several)
      disk filled up \(outcome.fillings) times; \(outcome.refused) scans refused for want of space, \(outcome.troubles) times the \
      store could not be written
      \(outcome.acknowledged) scans accepted, \(outcome.delivered) delivered, \(outcome.lost) lost, \(outcome.doubled) doubled, \
      \(outcome.imagesLeft) images left, \(outcome.openJobs) jobs open
      """
  }
}

extension RunDuration {
  fileprivate var kills: Int {
    switch self {
    case .turn: 5
    case .short: 25
    case .full: 1000
    case .soak: 5000
    }
  }
}
