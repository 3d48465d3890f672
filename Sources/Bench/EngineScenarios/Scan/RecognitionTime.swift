import Harness
import Probes

/// LAT-3: the cost of reading a photo relative to the bare network.
struct RecognitionTime: Scenario {
  let id = "scan.recognition"
  let suite = Suite.scan
  let title = "Reading against the bare network"
  let purpose =
    "Reading takes most of the battery; the cost beyond that of the network is what the engine can save."
  let exampleFailure =
    "A recogniser that looks for text on the same copy of the photo twice: nearly twice the work for the same titles."
  let requirements: [RequirementID] = ["LAT-3"]
  let isTimedByProcessor = true
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// The accepted ratio of the network run twice to the network run once.
  private static let proof = 1.6...2.4

  /// Always passes, because each run contains its own proof. A separate proof would have to load the networks again, which takes longer than reading.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    .passed("each run also measures the network run twice: see `scan.recognition.proof`")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (trial, rounds) = (ScanTrialProgram(rig, context), context.duration.readings)
    // A comparison of builds by turns uses our own time only, not the ratio to the bare network. So the bare network is run with the fewest
    // inferences, one.
    let spare = context.duration == .turn ? ["--inferences", "1"] : []
    return observation(
      try await onOwnThread { try trial.recognition(["--level", "fast", "--rounds", "\(rounds)"] + spare) })
  }

  func observation(_ outcome: RecognitionOutcome) -> Observation {
    Observation(
      metrics: FloorOutcome(floor: outcome.floor, ours: outcome.ours).metrics(
        id, of: "fast", ours: "reading a photo", floor: "the bare network, six times",
        mark: "-network"),
      checks: [
        Check(
          id: "scan.recognition.proof", title: "The network run twice takes twice as long",
          passed: Self.proof.contains(outcome.proof), subjects: 3,
          detail: "\((outcome.proof * 100).rounded() / 100) times as long", requirement: "LAT-3",
          missedBy: Self.proof.distance(to: outcome.proof)),
        Check(
          id: "scan.recognition.read", title: "Text is read in the photo", passed: outcome.lines > 0,
          subjects: outcome.ours.count, detail: "\(outcome.lines) lines", requirement: "LAT-3"),
      ],
      notes: [
        "Processor time of all threads, by turns: a bundled photo of 1280×720 read by \(outcome.recognizer) in its own process, and six times what the "
          + "network that finds text takes for one picture that never changes. Another network shows in both."
      ])
  }
}

extension RunDuration {
  /// Number of times that the photo is read.
  fileprivate var readings: Int {
    switch self {
    case .turn: 7
    case .short: 10
    case .full: 40
    case .soak: 200
    }
  }
}
