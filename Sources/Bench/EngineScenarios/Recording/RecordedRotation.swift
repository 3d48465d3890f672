import Capture
import FoundationEssentials
import Harness
import Imagery
import Probes
import Recording
import Replay

/// REC-1, ROT-2: a video is upright at every angle, by its matrix or by its pixels.
struct RecordedRotation: Scenario {
  let id = "recording.rotation"
  let suite = Suite.recording
  let title = "Videos upright at every angle"
  let purpose =
    "Nobody corrects a video that lies on its side: players follow the file, and so do the people it is "
    + "sent to."
  let exampleFailure =
    "A recorder that writes the angle counter-clockwise: upright at 0° and 180°, on its head at 90° and 270°."
  let requirements: [RequirementID] = ["REC-1", "ROT-2"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  private static let size = PixelSize(width: 320, height: 240)

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let folder = try ScratchFolder(in: context.scratchDirectory)
    let broken = Rig(fault: .turnsRecording, viewfinder: "")
    let wrong = try await proofs(broken, held: .clockwise90, .metadata, in: folder)
    guard !wrong.proof.isUpright else {
      return .failed("an angle that was written a quarter-turn off was not seen")
    }
    return .passed("an angle that was written a quarter-turn off was seen")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let folder = try ScratchFolder(in: context.scratchDirectory)
    var observation = Observation(notes: ["Read by our own reader, and by ffprobe if it is installed."])
    for mode in RecordingSettings.OrientationMode.allCases {
      var films: [Film] = []
      for held in Rotation.allCases { films.append(try await proofs(rig, held: held, mode, in: folder)) }
      observation.checks += Self.checks(films, mode)
      let table = films.map { "held at \($0.proof.held): \($0.proof.candidates)" }.joined(separator: "\n")
      observation.evidence.append(.text("\(mode.rawValue): how well each way up fitted the mark", table))
    }
    return observation
  }

  struct Film {
    var proof: RotationProof
    /// The clockwise rotation that ffprobe reads. Nil if ffprobe is not installed.
    var second: Rotation?
    var tagged: Rotation
  }

  /// Records a video with the device held like this, and examines the first picture.
  private func proofs(
    _ rig: Rig, held: Rotation, _ mode: RecordingSettings.OrientationMode, in folder: ScratchFolder
  ) async throws -> Film {
    let scene = SimulatedScene()
    scene.attitude = Double(held.rawValue)
    let source = SimulatedSource(
      size: Self.size, frameInterval: FrameInterval(framesPerSecond: 30), scene: scene)
    let settings = RecordingSettings(codec: .mjpeg, orientation: mode, hasThumbnail: false)
    let play = RecordingPlay(rig: rig, source: source, interval: source.frameInterval, settings: settings)
    let path = "\(folder.path)/\(mode.rawValue)-\(held.rawValue).mp4"
    _ = try await play.film(to: path, for: .seconds(1))
    let facts = try MovieFacts(path)
    guard let first = facts.frames.first else {
      return Film(
        proof: RotationProof(output: mode.rawValue, held: held, reading: nil, tag: .upright, picture: nil),
        second: nil, tagged: .none)
    }
    let bytes = try FilmBytes(path).bytes(first.bytes)
    let picture = try ImageConverter(pool: PixelBufferPool())
      .convert(try ImageFile.read(bytes).image, to: .i420, color: .jpeg)
    let turned = mode == .baked ? Orientation(rotation: held) : .upright
    let reading = FiducialProbe(rect: source.fiducial, stored: Self.size).reading(
      in: picture, orientation: turned)
    let tag = facts.orientation ?? .upright
    return Film(
      proof: RotationProof(output: mode.rawValue, held: held, reading: reading, tag: tag, picture: bytes),
      second: try SecondReader.rotation(of: path), tagged: tag.rotation)
  }

  static func checks(_ films: [Film], _ mode: RecordingSettings.OrientationMode) -> [Check] {
    let wrong = films.filter { !$0.proof.isUpright }.map { "\($0.proof.held)" }
    let others = films.filter { $0.second != nil && $0.second != $0.tagged }.map { "\($0.proof.held)" }
    return [
      Check(
        id: "recording.rotation.\(mode.rawValue)", title: "Upright at all four angles, by \(mode.rawValue)",
        passed: wrong.isEmpty && films.count == 4, subjects: films.count,
        detail: wrong.isEmpty
          ? "\(films.count) videos" : "not upright when held at \(wrong.joined(separator: ", "))",
        requirement: "ROT-2"),
      Check(
        id: "recording.rotation.\(mode.rawValue).readers", title: "Another reader finds the same angle",
        passed: others.isEmpty, subjects: films.count,
        detail: films.contains { $0.second != nil }
          ? "ffprobe differs at \(others.count) angles"
          : "ffprobe is not installed; only our own reader was used",
        requirement: "REC-1"),
    ]
  }
}

/// ffprobe as a second reader of videos.
enum SecondReader {
  private struct Answer: Decodable {
    struct Stream: Decodable {
      struct SideData: Decodable { var rotation: Double? }
      var sideData: [SideData]?

      private enum CodingKeys: String, CodingKey { case sideData = "side_data_list" }
    }
    var streams: [Stream]
  }

  /// Returns the clockwise rotation that ffprobe would apply. Nil if ffprobe is not installed.
  static func rotation(of path: String) throws -> Rotation? {
    let probe = ChildProgram(
      executable: "ffprobe",
      arguments: [
        "-v", "error", "-protocol_whitelist", "file", "-select_streams", "v:0", "-show_entries",
        "stream=width:stream_side_data=rotation", "-of", "json", "file:\(path)",
      ])
    guard let outcome = try? probe.run() else { return nil }
    let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    let degrees = answer.streams.first?.sideData?.compactMap(\.rotation).first ?? 0
    return Rotation(nearest: -degrees)
  }
}
