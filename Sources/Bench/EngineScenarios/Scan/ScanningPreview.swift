import Harness
import Probes

/// LAT-3: the viewfinder during a scan.
struct ScanningPreview: Scenario {
  let id = "scan.preview"
  let suite = Suite.scan
  let title = "Preview while scanning"
  let purpose =
    "Reading spines uses all processors; the viewfinder must not stutter during this."
  let exampleFailure =
    "A scanner that reads photos at the priority of its preview: 60 pictures a second, and 20 while it reads."
  let requirements: [RequirementID] = ["LAT-3"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let freezing = try ScanTrialProgram(rig.with(.freezes), context).run([
      "--source", "simulated:320x240@30", "--recognizer", "local", "--scripted", "--preview", "--seconds",
      "4.3",
    ])
    let rates = freezing.previewRates
    guard let most = rates.max(), let least = rates.min(), (28...32).contains(most) else {
      return .failed(
        "the preview of a camera of 30 pictures a second was measured as \(rates) pictures a second")
    }
    guard least < 20 else {
      return .failed(
        "a preview that stood still for the last second was measured as \(rates) pictures a second")
    }
    return .passed(
      "a camera of 30 pictures a second was read as \(Int(most)), below any limit here, and as \(Int(least)) where it stood "
        + "still before the end")
  }

  /// Duration for which the preview is watched, in seconds.
  private static let watched = 7.0

  func run(_ context: ScenarioContext) async throws -> Observation {
    let source = rig.specification ?? "corpus:shelf-pan?format=NV12&speed=2&loop=1"
    let outcome = try ScanTrialProgram(rig, context).run([
      "--source", source, "--recognizer", "local", "--level", "fast", "--often", "--preview", "--seconds",
      "\(Self.watched)", "--undrained",
    ])
    return Observation(
      metrics: [
        Measurement(
          id: "scan.preview-rate",
          title: "Pictures presented in any second while photos are taken and read, to the end",
          unit: .framesPerSecond, polarity: .higherIsBetter, level: .synthetic, samples: outcome.previewRates)
      ],
      checks: [
        Check(
          id: "scan.preview.whole", title: "Watched from the first pictures to the end",
          passed: outcome.previewSeconds >= Self.watched - 2, subjects: outcome.previewRates.count,
          detail: "\((outcome.previewSeconds * 10).rounded() / 10) s of \(Self.watched)",
          requirement: "LAT-3",
          missedBy: outcome.previewSeconds > 0 ? Self.watched - 2 - outcome.previewSeconds : nil),
        Check(
          id: "scan.preview.busy", title: "Photos were read all the while",
          passed: outcome.delivered >= 3, subjects: outcome.accepted,
          detail: "\(outcome.delivered) of \(outcome.accepted) photos read", requirement: "LAT-3",
          missedBy: outcome.delivered > 0 ? Double(3 - outcome.delivered) : nil),
      ],
      notes: ["Read by \(outcome.recognizer), a photo four times a second, one at a time."])
  }
}
