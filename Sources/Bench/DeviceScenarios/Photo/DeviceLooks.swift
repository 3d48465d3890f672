import Capture
import Harness
import Imagery
import Probes
import System

/// LUT-1 on real drivers: a preview with a look and one without, compared on the same frames.
struct DeviceLooks: Scenario {
  let id = "looks.device"
  let suite = Suite.device
  let title = "A look on a device's own frames"
  let purpose =
    "Rows of a driver are padded and its planes lie apart; a look that is right on drawn pictures must be right on those."
  let exampleFailure =
    "A look that is applied over the padding too, and so begins each row a few pixels late: the colours lean."
  let requirements: [RequirementID] = ["LUT-1"]
  let rig: Rig

  /// Number of frames per camera that are checked.
  private static let frames = 3
  private static let surface = PixelSize(width: 160, height: 90)

  struct Row: Sendable {
    var camera: String
    /// The greatest distance in each frame that both previews showed, in levels.
    var worst: [Double]
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let rows = [Row(camera: "a", worst: [0.5, 0.7, 0.4]), Row(camera: "b", worst: [])]
    let observation = observation(rows)
    guard observation.checks.map(\.passed) == [true, false], observation.metrics.count == 1 else {
      return .failed("a camera without pictures passed: \(observation.checks)")
    }
    return .passed("a camera without pictures fails")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (lab, rig) = (try DeviceLab(), rig)
    let nodes = try await onOwnThread { try LabNode.list(lab, rig) }
    let look = try ColorLookup(cube: ReferenceLook.measured.file)
    var rows: [Row] = []
    for node in nodes {
      try Task.checkCancellation()
      rows.append(Row(camera: node.name, worst: try await watch(node, look)))
    }
    return observation(rows)
  }

  /// Pictures by the number of their frame.
  private typealias Shown = Locked<[UInt32: PixelBuffer]>

  private func watch(_ node: LabNode, _ look: ColorLookup) async throws -> [Double] {
    let source = try rig.source(at: node.path)
    let session = CaptureSession(source: source, configuration: .unattended)
    let (plain, looked) = (Shown([:]), Shown([:]))
    let choices: [(Shown, ColorLookup?)] = [(plain, nil), (looked, look)]
    for (shown, choice) in choices {
      let preview = PreviewOutput(surface: OffscreenSurface(size: Self.surface)) { picture in
        shown.withLock { if $0.count < 40 { $0[picture.frame.sequence] = picture.image } }
      }
      preview.look = choice
      await session.add(preview)
    }
    try await session.ending {
      try await session.start()
      let deadline = MonotonicTime.now() + DeviceWatch.patience
      while Self.pairs(plain, looked).count < Self.frames, MonotonicTime.now() < deadline {
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    return Self.pairs(plain, looked).prefix(Self.frames).map { before, after in
      LookDistance(after, from: before, by: .measured).worst
    }
  }

  /// Returns the pictures of the frames that both previews showed.
  private static func pairs(_ plain: Shown, _ looked: Shown) -> [(PixelBuffer, PixelBuffer)] {
    let after = looked.withLock { $0 }
    return plain.withLock { $0 }.sorted { $0.key < $1.key }.compactMap { number, before in
      after[number].map { (before, $0) }
    }
  }

  func observation(_ rows: [Row]) -> Observation {
    Observation(
      metrics: [
        Measurement(
          id: "looks.device.error", title: "Largest distance from the exact table, frame by frame",
          unit: .levels,
          level: rig.evidence, samples: rows.flatMap(\.worst))
      ],
      checks: rows.map { row in
        Check(
          id: "looks.device.\(row.camera)",
          title: "\(row.camera): frames were shown with the look and without",
          passed: row.worst.count >= Self.frames, subjects: row.worst.count,
          detail: "\(row.worst.count) frames", requirement: "LUT-1")
      })
  }
}
