import Capture
import Corpora
import Harness
import Imagery
import Probes
import Recording
import Replay
import System

/// REC-1: all frames of the camera are in the file, with their times.
struct RecordedVideo: Scenario {
  let id = "recording.frames"
  let suite = Suite.recording
  let title = "Every frame in the file, at its time"
  let purpose =
    "A recording is looked at when the moment is over: a frame that is missing or has another time cannot be had again."
  let exampleFailure =
    "A recorder that counts frames and multiplies by the rate: where the camera lost a frame, everything later is 33 ms early."
  let requirements: [RequirementID] = ["REC-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let pictures = (0..<20).map {
      FilmPicture(time: Int64($0) * 33_000_000, digest: UInt64($0), byteCount: 9)
    }
    var damaged = pictures
    damaged.remove(at: 7)
    damaged[3].time += 5_000_000
    damaged.append(FilmPicture(time: 700_000_000, digest: 99, byteCount: 9))
    let (same, seen) = (
      FilmComparison(of: pictures, with: pictures), FilmComparison(of: pictures, with: damaged)
    )
    guard same.checks("x").allSatisfy(\.passed), FilmComparison(of: pictures, with: []).missing == 20,
      (seen.missing, seen.foreign, seen.worstTime) == (1, 1, 5_000_000)
    else { return .failed("a picture missing, one too many and one 5 ms late were seen as \(seen)") }
    return .passed("a missing picture, one too many and one 5 ms late were found")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard let source = try rig.soundSource(orBundled: "corpus:turn") as? ReplaySource else {
      throw Unsupported(
        "this scenario compares the video with a recorded source, and the source is not recorded; "
          + "leave --source out, or name a corpus"
      )
    }
    guard source.corpus.manifest.pixelFormat == .mjpeg, source.options.pixelFormat == nil else {
      throw Unsupported(
        "this scenario needs a corpus of Motion JPEG that is played as it was recorded, and \(source.specification) is of "
          + "another format or asks for one; leave out format=")
    }
    let folder = try ScratchFolder(in: context.scratchDirectory)
    let expected = try [FilmPicture](source.corpus)
    let play = RecordingPlay(rig: rig, source: source, interval: source.corpus.manifest.frameInterval)
    let length = Duration.nanoseconds(source.corpus.manifest.durationNanoseconds) + .seconds(1)
    let (video, refusals) = try await play.film(to: "\(folder.path)/film.mp4", for: length)
    let facts = try MovieFacts(video.path)
    var observation = Observation(notes: ["Virtual time: the disk and the encoder are never too slow."])
    observation.checks += FilmComparison(of: expected, with: try [FilmPicture](video: video.path, facts))
      .checks("video")
    observation.checks += Self.checks(video, refusals, count: expected.count)
    let (corpus, _) = try await play.film(to: "\(folder.path)/corpus", for: length)
    let again = try Corpus(opening: corpus.path)
    observation.checks += FilmComparison(of: expected, with: try [FilmPicture](again)).checks("corpus")
    observation.checks.append(try Self.angles(source.corpus, again))
    return observation
  }

  /// Checks the output's own counts, and the calls that it refuses.
  static func checks(_ recording: Recording, _ refusals: [String], count: Int) -> [Check] {
    let progress = recording.progress
    return [
      Check(
        id: "recording.video.counts", title: "The counts are those of the file",
        passed: progress.written == count && progress.dropped == 0 && recording.isCopied, subjects: count,
        detail: "\(progress.written) of \(count) written, \(progress.dropped) dropped", requirement: "REC-1"),
      Check(
        id: "recording.video.refusals", title: "A second start and a second stop are refused",
        passed: refusals == ["alreadyRecording", "notRecording"], subjects: 2,
        detail: refusals.joined(separator: ", "), requirement: "REC-1"),
    ]
  }

  /// Compares, frame by frame, the angles with which two corpora play.
  private static func angles(_ one: Corpus, _ other: Corpus) throws -> Check {
    let (expected, found) = (try angles(of: one), try angles(of: other))
    let wrong = zip(expected, found).count { $0 != $1 } + abs(expected.count - found.count)
    return Check(
      id: "recording.corpus.angles", title: "A recorded corpus plays with the angles it was recorded with",
      passed: wrong == 0, subjects: expected.count,
      detail: "\(wrong) of \(expected.count) frames have another angle; \(Set(expected).count) angles",
      requirement: "REC-1")
  }

  private static func angles(of corpus: Corpus) throws -> [Orientation] {
    let track = try corpus.track()
    let rotation = RotationCoordinator()
    let manifest = corpus.manifest
    rotation.setMount(
      SensorMount(
        orientation: Orientation(rotation: manifest.mountAngle, isMirrored: manifest.isMirrored),
        isFrontFacing: manifest.isMirrored))
    var angles: [Orientation] = []
    while let event = try track.next() {
      let time = MonotonicTime(nanoseconds: event.time)
      switch event.kind {
      case .angle(let degrees): rotation.noteAttitude(degrees: degrees, at: time)
      case .frame: angles.append(rotation.orientation(at: time).capture)
      case .interruption, .stall, .unplug, .replug, .control, .scene: break
      }
    }
    return angles
  }
}
