public import Harness

/// LAT-3: the viewfinder while it scans.
public struct ScanningPreview: Scenario {
  public let id = "scan.preview"
  public let suite = Suite.scan
  public let title = "Preview while scanning"
  public let purpose =
    "Reading spines takes all the processors there are; the viewfinder must not stutter meanwhile."
  public let exampleFailure =
    "A scanner that reads photos at the priority of its preview: 60 pictures a second, and 20 while it reads."
  public let requirements: [RequirementID] = ["LAT-3", "LAT-4"]
  private let rig: Rig

  public init(rig: Rig) { self.rig = rig }

  public func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let trial = ScanTrialProgram(rig, context)
    let half = try trial.run([
      "--source", "simulated:320x240@30", "--recognizer", "local", "--scripted", "--preview", "--seconds",
      "3.3",
    ])
    guard !half.previewRates.isEmpty, half.previewRates.allSatisfy({ (28...32).contains($0) }) else {
      return .failed("a camera of 30 pictures a second was read as \(half.previewRates)")
    }
    return .passed("a camera of 30 pictures a second was read as \(half.previewRates), below any limit here")
  }

  public func run(_ context: ScenarioContext) async throws -> Observation {
    let source = rig.specification ?? "corpus:shelf-pan?format=NV12&speed=2&loop=1"
    let outcome = try ScanTrialProgram(rig, context).run([
      "--source", source, "--recognizer", "local", "--level", "fast", "--often", "--preview", "--seconds",
      "7",
      "--undrained",
    ])
    return Observation(
      metrics: [
        Measurement(
          id: "scan.preview-rate", title: "Pictures presented a second while photos are taken and read",
          unit: .framesPerSecond, polarity: .higherIsBetter, level: .synthetic, samples: outcome.previewRates)
      ],
      checks: [
        Check(
          id: "scan.preview.busy", title: "Photos were read all the while",
          passed: outcome.delivered >= 3, subjects: outcome.accepted,
          detail: "\(outcome.delivered) of \(outcome.accepted) photos read", requirement: "LAT-3",
          isTimed: outcome.delivered > 0)
      ],
      notes: ["Read by \(outcome.recognizer), a photo four times a second, one at a time."])
  }
}
