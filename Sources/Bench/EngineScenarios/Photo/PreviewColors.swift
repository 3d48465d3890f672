import Capture
import Harness
import Imagery
import Probes
import System

/// PRV-3: matrix and range of every pixel format, checked on the presented pixels.
struct PreviewColors: Scenario {
  let id = "preview.colours"
  let suite = Suite.photo
  let title = "Colours of the preview"
  let purpose =
    "The preview must show the camera's own colours; a wrong matrix or range shifts them, and nothing else looks wrong."
  let exampleFailure =
    "An engine that converts every stream by BT.601: the red of a BT.709 camera comes out 20 levels too dark."
  let requirements: [RequirementID] = ["PRV-3"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// Formats that cameras can report.
  static let formats = PixelFormat.allCases.filter { $0 != .i444 }
  /// Number of frames of each source that are checked.
  private static let frames = 3

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let color = ColorDescription(matrix: .bt709, range: .limited)
    let size = PixelSize(width: 32, height: 24)
    let frame = try CodeNoise.picture(
      ImageFormat(pixelFormat: .nv12, size: size, color: color), seed: context.seed)
    let exact = try ReferencePicture(exactly: frame).samples
    func reading(_ change: (inout [Double]) -> Void) throws -> Double? {
      var values = exact.values
      change(&values)
      return ColorDistance(RGBSamples(size: size, values: values), of: frame, turned: .upright)?.worst
    }
    // The value is shifted towards the middle of the scale.
    let place = 3 * (5 * size.width + 7)
    let shifted = exact.values[place].rounded() + (exact.values[place] < 128 ? 7 : -7)
    let readings = (try reading { _ in }, try reading { $0[place] = shifted })
    guard readings == (0, 7) else {
      return .failed("0 and 7 levels were injected and \(readings) read")
    }
    return .passed("the exact conversion was read as 0 levels off, and one value shifted by 7 levels as 7")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var findings: [ColorFinding] = []
    var kind = MetricKind.exact
    if rig.specification == nil && rig.camera == nil {
      for format in Self.formats {
        findings += try await charts(of: format, seed: context.seed)
        let source = "corpus:turn?format=\(format.rawValue)&seconds=1"
        findings += try await ColorPlay(rig: rig, source: rig.source(orBundled: source), isPlayed: true)
          .findings(count: Self.frames)
      }
    } else {
      let isPlayed = try rig.soundSource(orBundled: "").isPlayed
      kind = isPlayed ? .exact : .observed
      findings += try await ColorPlay(
        rig: rig, source: rig.source(orBundled: ""),
        isPlayed: isPlayed
      ).findings(count: Self.frames)
    }
    return observation(findings, kind)
  }

  /// Plays frames with every code, in every matrix and range that the format may have.
  private func charts(of format: PixelFormat, seed: UInt64) async throws -> [ColorFinding] {
    guard !format.isCompressed else { return [] }
    var findings: [ColorFinding] = []
    for matrix in ColorMatrix.allCases {
      for range in ColorRange.allCases {
        let color = ColorDescription(matrix: matrix, range: range)
        let chart = CodeNoise(
          format: ImageFormat(pixelFormat: format, size: PixelSize(width: 96, height: 64), color: color),
          seed: seed)
        findings += try await ColorPlay(rig: rig, source: rig.broken(chart), isPlayed: true).findings(
          count: 1)
      }
    }
    return findings
  }

  func observation(_ findings: [ColorFinding], _ kind: MetricKind) -> Observation {
    let isBundled = rig.specification == nil && rig.camera == nil
    let unseen = Self.formats.filter { format in
      isBundled && !findings.contains { $0.format.pixelFormat == format }
    }
    var observation = Observation(
      notes: [
        "What was presented, unscaled, is compared with the codes of that very frame, each converted in double precision and "
          + "rounded, chroma repeated for the luma it covers; of MJPG, with the codes of libjpeg-turbo's planes."
      ])
    for format in Self.formats {
      let ofFormat = findings.filter { $0.format.pixelFormat == format }
      guard !ofFormat.isEmpty else { continue }
      let name = format.rawValue
      observation.metrics += [
        Self.metric(
          name, "error", title: "largest distance from the exact conversion", kind: kind,
          samples: ofFormat.map(\.distance.worst)),
        Self.metric(
          name, "error-p99", title: "distance that 99 in 100 values keep", kind: kind,
          samples: ofFormat.map(\.distance.high)),
      ]
    }
    observation.evidence = [.text("Every picture looked at", findings.map(\.line).joined(separator: "\n"))]
    observation.checks = [
      Check(
        id: "preview.colours.seen", title: "Pictures were presented unscaled, and their frames kept",
        passed: unseen.isEmpty, subjects: findings.count,
        detail: unseen.isEmpty
          ? "\(findings.count) pictures" : "none of \(unseen.map(\.rawValue).joined(separator: ", "))",
        requirement: "PRV-3")
    ]
    return observation
  }

  private static func metric(
    _ format: String, _ id: String, title: String, kind: MetricKind, samples: [Double]
  ) -> Measurement {
    Measurement(
      id: "preview.\(format.lowercased()).\(id)", title: "\(format): \(title)", unit: .levels,
      level: .synthetic, kind: kind, samples: samples)
  }
}
