import Capture
import Corpora
import Harness
import Imagery
import Probes
import System

import struct Foundation.Data

/// IMG-1, IMG-2, IMG-3, IMG-5: the photo for the vision model, from every format that a camera may deliver.
struct PhotoFormats: Scenario {
  let id = "photo.formats"
  let suite = Suite.photo
  let title = "Photo size, tokens, bytes and time"
  let purpose =
    "Tokens cost money and bytes cost upload time; but on a photo that is too small or unlike the scene, titles cannot be read."
  let exampleFailure =
    "A pipeline that enlarges a 640×480 webcam frame to 1024×768: more tokens, nothing more to read; or one that exchanges Cb and Cr."
  let requirements: [RequirementID] = ["IMG-1", "IMG-2", "IMG-3", "IMG-5"]
  private let rig: Rig
  private let count: Int?

  /// - Parameter count: the number of photos of each source; nil for the number of the duration class.
  init(rig: Rig, count: Int? = nil) {
    self.rig = rig
    self.count = count
  }

  private struct Subject {
    /// The source whose photos are measured for time and size.
    let timed: String
    /// The source whose photos are compared with the original.
    let compared: String
    /// Number of frames that are compared.
    let moments: Int
  }

  /// One format for each way of reading frames. The colours of the others are judged by `preview.colours`. The report shows the first photo.
  static let formats: [PixelFormat] = [.mjpeg, .nv12, .i420, .yuyv, .bgra, .p010, .y210]

  /// The bundled sources. The long side of a photo is at most 1024 pixels (`PhotoSettings`). The pictures of `shelf-pan`, which is played in each
  /// of `formats`, are larger: 1280 pixels. Those of `turn` are smaller: 640. Those of `stills-12mp` are much larger: 4000.
  private static let bundled: [Subject] =
    formats.map(\.rawValue).map {
      Subject(
        timed: "corpus:shelf-pan?format=\($0)&seconds=2&loop=1",
        compared: "corpus:shelf-pan?format=\($0)&seconds=1", moments: 2)
    } + [
      Subject(timed: "corpus:turn?loop=1", compared: "corpus:turn", moments: 4),
      Subject(
        timed: "corpus:stills-12mp?loop=1&speed=15", compared: "corpus:stills-12mp?speed=15&loop=1",
        moments: 2),
    ]

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    var broken = rig.with(.upscalesPhotos)
    broken.specification = "simulated:640x480@50"
    broken.camera = nil
    let shots = try await PhotoPlay(rig: broken, bundled: "").shots(count: 2)
    guard !shots.isEmpty, shots.allSatisfy({ !$0.isRightSize }) else {
      return .failed("a pipeline that enlarges was not noticed")
    }
    if let mistake = try LikenessProof(seed: context.seed).mistake() { return .failed(mistake) }
    return .passed(
      "a 640×480 frame enlarged on purpose was noticed (\(shots[0].photo.photo.size)); a picture was found equal to itself, "
        + "one 5 levels too bright 34.15 dB from it, and one with Cb and Cr exchanged as far in chroma as they are apart"
    )
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Observation()
    let isBundled = rig.specification == nil && rig.camera == nil
    for subject in isBundled ? Self.bundled : [Subject(timed: "", compared: "", moments: 4)] {
      let shots = try await PhotoPlay(rig: rig, bundled: subject.timed).shots(
        count: count ?? context.duration.shots)
      add(shots, of: subject.timed, try kind(of: subject), to: &observation)
      guard let name = shots.first.map({ Self.name($0.source) }) else { continue }
      let play = ComparisonPlay(rig: rig, bundled: subject.compared, moments: subject.moments)
      let compared = try await play.outcome()
      observation.metrics +=
        PhotoLikeness(
          name: name, comparisons: compared.comparisons, evidence: rig.evidence, kind: try kind(of: subject)
        ).metrics
      observation.notes.append("\(name): photos are compared with \(compared.reference).")
    }
    return observation
  }

  /// Returns the kind of all metrics except times: a source that is played gives the same frames in every run.
  private func kind(of subject: Subject) throws -> MetricKind {
    try rig.soundSource(orBundled: subject.timed).isPlayed ? .exact : .observed
  }

  /// Returns the name used in ids of metrics.
  private static func name(_ source: ImageFormat) -> String {
    "\(source.pixelFormat.rawValue.lowercased())-\(source.size.width)x\(source.size.height)"
  }

  private func add(
    _ shots: [PhotoShot], of source: String, _ kind: MetricKind, to observation: inout Observation
  ) {
    guard let first = shots.first else {
      observation.checks.append(
        Check(
          id: "photo.\(source).taken", title: "Photos are taken of \(source)", passed: false, subjects: 0,
          detail: "none was"))
      return
    }
    let source = first.source
    let name = Self.name(source)
    observation.checks += [sizeCheck(shots, name), qualityCheck(shots, name)]
    observation.metrics += metrics(shots, name, kind: kind)
    observation.evidence.append(
      .jpeg(
        "Photo from \(source.pixelFormat.rawValue) \(source.size): \(first.photo.photo.size), "
          + "\(first.photo.photo.bytes.count / 1000) kB", Data(first.photo.photo.bytes)
      ).of("photo.\(name)"))
    if observation.evidence.count == 1 {
      observation.evidence.append(.text("What \(first.photo.photo.size) costs", first.tokenTable))
    }
  }

  func sizeCheck(_ shots: [PhotoShot], _ name: String) -> Check {
    let wrong = shots.filter { !$0.isRightSize }
    let seen = wrong.first.map {
      "\($0.source.size) became \($0.photo.photo.size) where \($0.expectedSize) was expected"
        + ($0.photo.photo.size.longSide > $0.source.size.longSide ? ": it was enlarged" : "")
    }
    return Check(
      id: "photo.\(name).size", title: "\(name): at most 1024×768, aspect kept, never enlarged",
      passed: wrong.isEmpty, subjects: shots.count,
      detail: seen ?? "\(shots.count) photos of \(shots[0].photo.photo.size)", requirement: "IMG-1")
  }

  func qualityCheck(_ shots: [PhotoShot], _ name: String) -> Check {
    let compared = shots.compactMap(\.similarity)
    let worst = compared.min() ?? 0
    return Check(
      id: "photo.\(name).quality", title: "\(name): at most 500 kB, without loss of quality (SSIM ≥ 0.95)",
      passed: worst >= 0.95 && shots.allSatisfy { $0.photo.photo.bytes.count <= 500_000 },
      subjects: compared.count,
      detail: "SSIM at least \((worst * 1000).rounded() / 1000), "
        + "at most \(shots.map { $0.photo.photo.bytes.count }.max() ?? 0) bytes", requirement: "IMG-3")
  }

  private func metrics(_ shots: [PhotoShot], _ name: String, kind: MetricKind) -> [Measurement] {
    func metric(
      _ id: String, _ title: String, unit: MeasurementUnit, value: (PhotoShot) -> Double
    ) -> Measurement {
      Measurement(
        id: "photo.\(name).\(id)", title: "\(name): \(title)", unit: unit,
        polarity: unit == .tokens ? .exact : .lowerIsBetter, level: rig.evidence,
        kind: unit == .milliseconds ? .timed : kind, samples: shots.map(value))
    }
    return [
      metric("time", "frame → encoded photo", unit: .milliseconds) {
        $0.photo.photo.timings.total.milliseconds
      },
      metric("processor", "processor time of it", unit: .milliseconds) {
        $0.photo.photo.timings.processor.milliseconds
      },
      metric("bytes", "file size", unit: .bytes) { Double($0.photo.photo.bytes.count) },
      metric("tokens-seed", "tokens by the seed's table", unit: .tokens) { $0.tokens("seed") },
      metric("tokens-gemini-2", "tokens by the vendor's documented rule", unit: .tokens) {
        $0.tokens("gemini-2")
      },
    ]
  }
}

extension RunDuration {
  /// Number of photos of each source.
  var shots: Int {
    switch self {
    case .turn: 10
    case .short: 30
    case .full: 100
    case .soak: 400
    }
  }
}
