import Harness
import Probes

/// LAT-3: what reading a photo costs beside the bare network.
struct RecognitionTime: Scenario {
  let id = "scan.recognition"
  let suite = Suite.scan
  let title = "Reading against the bare network"
  let purpose =
    "Reading takes most of the battery; what it costs beyond the network that does the work is the engine's to save."
  let exampleFailure =
    "A recogniser that looks for text on the same copy of the photo twice: nearly twice the work for the same titles."
  let requirements: [RequirementID] = ["LAT-3"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let trial = ScanTrialProgram(rig, context)
    let (once, twice) = try await onOwnThread {
      (
        try trial.recognition(["--level", "fast", "--rounds", "2"], isSound: true),
        try trial.recognition(["--level", "fast", "--rounds", "2", "--inferences", "6"], isSound: true)
      )
    }
    let share = Self.median(once) / Self.median(twice)
    guard (1.6...2.4).contains(share) else {
      return .late(
        "against the network run twice reading was taken for 1/\(share) of what it is against it once")
    }
    return .passed(
      "against the network run twice reading was 1/\((share * 100).rounded() / 100) of what it is against it once"
    )
  }

  private static func median(_ outcome: ScanTrialProgram.Recognition) -> Double {
    let ratios = FloorOutcome(floor: outcome.floor, ours: outcome.ours).ratios.sorted()
    return ratios.isEmpty ? .nan : ratios[ratios.count / 2]
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (trial, rounds) = (ScanTrialProgram(rig, context), context.duration.readings)
    return observation(
      try await onOwnThread { try trial.recognition(["--level", "fast", "--rounds", "\(rounds)"]) })
  }

  func observation(_ outcome: ScanTrialProgram.Recognition) -> Observation {
    Observation(
      metrics: FloorOutcome(floor: outcome.floor, ours: outcome.ours).metrics(
        id, of: "fast", ours: "reading a photo", floor: "the bare network, six times",
        mark: "-network"),
      checks: [
        Check(
          id: "scan.recognition.read", title: "Text is read in the photo", passed: outcome.lines > 0,
          subjects: outcome.ours.count, detail: "\(outcome.lines) lines", requirement: "LAT-3")
      ],
      notes: [
        "Processor time of all threads, by turns: a bundled photo of 1280×720 read by \(outcome.recognizer) in its own process, and the network that "
          + "finds text six times on one picture that never changes. Another network shows in both."
      ])
  }
}

extension RunDuration {
  /// How often the photo is read.
  fileprivate var readings: Int {
    switch self {
    case .turn: 2
    case .short: 10
    case .full: 40
    case .soak: 200
    }
  }
}
