import Capture
import Harness
import Imagery
import Probes
import Video4Linux

/// PRV-3: every pixel format that the engine reads, in the memory layout of each real driver.
struct FormatSweep: Scenario {
  let id = "device.formats"
  let suite = Suite.device
  let title = "Every format of every camera"
  let purpose =
    "A format that the engine claims to read and cannot show is a black picture."
  let exampleFailure =
    "An engine that looks for the chroma of NM12 behind its luma, where the driver has it in a buffer of its own."
  let requirements: [RequirementID] = ["PRV-3", "HAR-2"]
  let rig: Rig

  struct Row: Sendable {
    var camera: String
    var format: String
    /// Why the format failed. Nil if pictures of the format were shown.
    var complaint: String?
    /// Whether the engine does not claim to read the format.
    var isForeign = false
  }

  private static let pictures = 3

  /// Proves that a camera fails if one of its formats shows no picture, or if the engine claims to read none of its formats.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let rows = [
      Row(camera: "a", format: "NV12"), Row(camera: "a", format: "YUYV", complaint: "no picture"),
      Row(camera: "b", format: "XXXX", isForeign: true),
    ]
    let checks = Self.checks(rows)
    guard checks.count == 2, checks.allSatisfy({ !$0.passed }), checks[0].subjects == 2,
      checks[1].subjects == 0
    else { return .failed("a format without pictures, or a camera without formats, passed: \(checks)") }
    return .passed("a format without pictures fails its camera, and so does a camera without formats")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (lab, rig) = (try DeviceLab(), rig)
    let nodes = try await onOwnThread { try LabNode.list(lab, rig) }
    var rows: [Row] = []
    for node in nodes {
      for offer in try await onOwnThread({ try Self.offers(of: node.path) }) {
        try Task.checkCancellation()
        rows.append(await show(node, offer))
      }
    }
    let table = rows.map {
      "\($0.camera)  \($0.format)  \($0.isForeign ? "not read" : $0.complaint ?? "shown")"
    }
    return Observation(
      checks: Self.checks(rows),
      evidence: [.text("Camera, format and size, outcome", table.joined(separator: "\n"))],
      notes: [
        "In the smallest size of each format; formats that the engine does not claim to read are left out."
      ])
  }

  /// Returns every pixel format with its smallest size.
  private static func offers(of path: String) throws -> [(fourCC: String, size: FrameSize)] {
    let device = try VideoDevice(path: path)
    return try device.formats().map { format in
      let smallest: FrameSize? =
        switch try device.frameSizes(for: format.fourCC) {
        case .discrete(let sizes): sizes.min { $0.width * $0.height < $1.width * $1.height }
        case .stepwise(let width, let height):
          FrameSize(width: width.nearest(to: 320), height: height.nearest(to: 180))
        }
      return ("\(format.fourCC)", try smallest ?? device.format().size)
    }
  }

  private func show(_ node: LabNode, _ offer: (fourCC: String, size: FrameSize)) async -> Row {
    var row = Row(camera: node.name, format: "\(offer.fourCC) \(offer.size)")
    let options = "format=\(offer.fourCC)&size=\(offer.size.width)x\(offer.size.height)"
    guard let source = try? rig.source(at: "\(node.path)?\(options)") else {
      row.isForeign = true
      return row
    }
    let play = await Play(source: source, chart: nil, size: DeviceWatch.surface, interval: .zero, rig: rig)
    do {
      try await play.session.start()
      if await !play.untilPresented(Self.pictures, within: DeviceWatch.patience) {
        row.complaint =
          "\(play.log.count) of \(Self.pictures) pictures; the session is \(await play.session.state)"
      }
    } catch { row.complaint = "\(error)" }
    await play.session.stop()
    return row
  }

  static func checks(_ rows: [Row]) -> [Check] {
    let cameras = rows.map(\.camera).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return cameras.map { camera in
      let tried = rows.filter { $0.camera == camera && !$0.isForeign }
      let failed = tried.filter { $0.complaint != nil }
      return Check(
        id: "device.formats.\(camera)", title: "\(camera): every format is shown", passed: failed.isEmpty,
        subjects: tried.count,
        detail: failed.isEmpty
          ? tried.map(\.format).joined(separator: ", ")
          : failed.map { "\($0.format): \($0.complaint ?? "")" }.joined(separator: "; "),
        requirement: "PRV-3")
    }
  }
}
