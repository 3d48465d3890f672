import Capture
import Harness
import Imagery
import Probes
import System

/// LUT-1: looks of every kind on all three output paths, compared value by value.
struct LookColors: Scenario {
  let id = "looks.colours"
  let suite = Suite.looks
  let title = "Colours with a look"
  let purpose =
    "A look is chosen by eye and graded on; a table that is read in the wrong order, at the wrong place or not at all gives another picture than "
    + "the one that was chosen."
  let exampleFailure =
    "A renderer that takes the nearest entry of the table in place of what lies between: steps of eight levels in every sky."
  let requirements: [RequirementID] = ["LUT-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// One format for each conversion to the surface: BGRA as it is, planar, packed, two of 10 bits, and raw sensor data.
  static let formats: [PixelFormat] = [.bgra, .nv12, .yuyv, .p010, .y210, .bayerRGGB]
  private static let size = PixelSize(width: 96, height: 64)

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let reference = ReferenceLook.measured
    let plain = try CodeNoise.picture(
      ImageFormat(pixelFormat: .bgra, size: Self.size, color: .jpeg), seed: context.seed)
    let shown = try Self.picture(plain, with: reference)
    let sound = LookDistance(shown, from: plain, by: reference).worst
    guard sound <= 1 else { return .failed("a sound picture was read as \(sound) levels off") }
    let without = LookDistance(plain, from: plain, by: reference).worst
    guard without > 8 else { return .failed("a picture without its look was read as \(without) levels off") }
    let pixel = shown.planes[0].base.assumingMemoryBound(to: UInt8.self)
    pixel[1] = pixel[1] < 128 ? pixel[1] + 7 : pixel[1] - 7
    let shifted = LookDistance(shown, from: plain, by: reference).worst
    guard (6...8).contains(shifted) else { return .failed("7 levels were injected and \(shifted) read") }
    return .passed(
      "one value shifted by 7 levels was read as \(shifted), and a picture without its look as \(without)")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil, rig.camera == nil else {
      throw Unsupported(
        "this scenario draws pictures of its own, with every value of the table; run it without --source")
    }
    var findings: [LookFinding] = []
    for reference in ReferenceLook.all {
      let look = try ColorLookup(cube: reference.file)
      for format in Self.formats {
        try Task.checkCancellation()
        let frame = try Self.frame(format, context.seed)
        findings += try LookPaths(frame: frame, look: look, reference: reference).findings()
      }
    }
    return observation(findings)
  }

  private static func frame(_ format: PixelFormat, _ seed: UInt64) throws(ImageError) -> PixelBuffer {
    let color = ColorDescription(matrix: .bt709, range: .limited)
    return try CodeNoise.picture(ImageFormat(pixelFormat: format, size: size, color: color), seed: seed)
  }

  /// Returns a picture of BGRA with the exact look, rounded.
  private static func picture(
    _ plain: PixelBuffer, with reference: ReferenceLook
  ) throws(ImageError) -> PixelBuffer {
    let shown = try PixelBufferPool().makeCopy(of: plain)
    let plane = shown.planes[0]
    for row in 0..<size.height {
      let pixels = (plane.base + row * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      for at in stride(from: 0, to: 4 * size.width, by: 4) {
        let codes = reference.codes(
          Double(pixels[at + 2]), Double(pixels[at + 1]), blue: Double(pixels[at]))
        for channel in 0..<3 { pixels[at + 2 - channel] = UInt8(codes[channel].rounded()) }
      }
    }
    return shown
  }

  func observation(_ findings: [LookFinding]) -> Observation {
    var observation = Observation(notes: [
      "Each picture is compared with the same picture without the look, whose every value is taken through the table in double precision; of 10 bits, "
        + "with the frame's own codes."
    ])
    for path in LookFinding.Path.allCases {
      let ofPath = findings.filter { $0.path == path }
      guard !ofPath.isEmpty else { continue }
      observation.metrics.append(
        Measurement(
          id: "looks.\(path.rawValue).error",
          title: "\(path.rawValue): largest distance from the exact table",
          unit: .levels, level: .synthetic, kind: .exact, samples: ofPath.map(\.worst)))
    }
    let missing = LookFinding.Path.allCases.filter { path in !findings.contains { $0.path == path } }
    observation.evidence = [.text("Every picture looked at", findings.map(\.line).joined(separator: "\n"))]
    observation.checks = [
      Check(
        id: "looks.colours.seen", title: "Preview, photo and recorded frame were looked at",
        passed: missing.isEmpty,
        subjects: findings.count,
        detail: missing.isEmpty
          ? "\(findings.count) pictures" : "none of \(missing.map(\.rawValue).joined(separator: ", "))",
        requirement: "LUT-1")
    ]
    return observation
  }
}
