import Capture
import Corpora
import Glibc
import Imagery
import Recording
import Replay
import System
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The verdict on recordings, from invented figures and from recordings with injected faults, in virtual time. Correct ones pass,
/// and others fail.
@Suite struct RecordingJudgeTests {
  private static let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))

  private func red(_ checks: [Check], _ metrics: [Measurement] = []) throws -> Set<String> {
    let judge = MetricJudge(profile: try Profile.load("strict"), metrics: metrics)
    return Set(
      checks.filter { !$0.passed }.map(\.id)
        + metrics.map(judge.report).filter { $0.verdict == .fail }.map(\.id))
  }

  // MARK: Made-up figures

  private func killed(_ change: (inout FilmTrialOutcome.Life) -> Void = { _ in }) throws -> Set<String> {
    var life = FilmTrialOutcome.Life(milliseconds: 900, came: 28, frames: 27, lacking: 33.4, trouble: nil)
    let sound = life
    change(&life)
    let outcome = FilmTrialOutcome(
      lives: [sound, life], ending: nil, frames: 0, gaps: 0, bytes: 0, trouble: nil, isSecondReaderAsked: true
    )
    return try red(KilledRecording.checks(outcome), KilledRecording.metrics(outcome))
  }

  @Test func aFilmThatLacksTooMuchOrDoesNotOpenIsNoticed() throws {
    #expect(try killed() == [])
    #expect(try killed { $0.lacking = 100.1 } == ["recording.killed.lacking"])
    #expect(try killed { $0.trouble = "ffprobe cannot read it" } == ["recording.killed.opens"])
    let nobody = FilmTrialOutcome(
      lives: [], ending: nil, frames: 0, gaps: 0, bytes: 0, trouble: nil, isSecondReaderAsked: true)
    #expect(try red(KilledRecording.checks(nobody)) == ["recording.killed.opens"])
  }

  private let ending = FilmTrialOutcome.Ending(
    end: "stopped", failure: nil, written: 150, dropped: 0, delivered: 151, shown: 150,
    memoryBefore: 60_000_000,
    memoryAfter: 61_000_000, shownRate: 29.9)

  private func alone(_ change: (inout FilmTrialOutcome) -> Void) -> FilmTrialOutcome {
    var outcome = FilmTrialOutcome(
      lives: [], ending: ending, frames: 150, gaps: 0, bytes: 1, trouble: nil, isSecondReaderAsked: true)
    change(&outcome)
    return outcome
  }

  @Test func lossesGrowthAndASlowPreviewAreNoticed() throws {
    func judged(_ change: (inout FilmTrialOutcome) -> Void) throws -> Set<String> {
      let outcome = alone(change)
      return try red(SustainedRecording.checks(outcome), SustainedRecording.metrics(outcome))
    }
    #expect(try judged { _ in } == [])
    #expect(try judged { $0.ending?.dropped = 1 } == ["recording.sustained.dropped"])
    #expect(try judged { $0.gaps = 1 } == ["recording.sustained.dropped"])
    #expect(try judged { $0.ending?.shownRate = 28.5 } == ["recording.sustained.preview"])
    #expect(try judged { $0.ending?.memoryAfter = 90_000_000 } == ["recording.sustained.growth"])
    #expect(try judged { $0.frames = 149 } == ["recording.sustained.file"])
    #expect(try judged { $0.trouble = "it cannot be read" } == ["recording.sustained.file"])
    #expect(try judged { $0.ending = nil }.count == 4)
  }

  @Test func aFullDiskMustBeSaidAndLeaveAFilm() throws {
    func judged(_ change: (inout FilmTrialOutcome) -> Void) throws -> Set<String> {
      try red(
        KilledRecording.fullDisk(
          alone {
            $0.ending?.end = "failed"
            $0.ending?.failure = "diskFull"
            change(&$0)
          }))
    }
    #expect(try judged { _ in } == [])
    #expect(try judged { $0.ending?.failure = nil } == ["recording.full.told"])
    #expect(try judged { $0.frames = 140 } == ["recording.full.opens"])
    #expect(try judged { $0.trouble = "cut" } == ["recording.full.opens"])
  }

  // MARK: Broken recordings

  /// Writes a corpus: two seconds of a device that is turned once.
  private func corpus(in folder: String) throws -> Corpus {
    let size = PixelSize(width: 64, height: 48)
    let interval = FrameInterval(framesPerSecond: 30)
    let manifest = CorpusManifest(
      name: "turned", title: "Turned once", licence: "Apache-2.0", madeBy: "a test", pixelFormat: .mjpeg,
      size: size,
      color: .jpeg, frameInterval: interval)
    let writer = try CorpusWriter(creating: folder, manifest: manifest)
    let pool = PixelBufferPool()
    try writer.add(CorpusEvent(time: 0, kind: .angle(degrees: 0)))
    for number in 0..<60 {
      let time = Int64(number) * interval.nanoseconds
      if number == 25 { try writer.add(CorpusEvent(time: time, kind: .angle(degrees: 90))) }
      let picture = try pool.makeBuffer(ImageFormat(pixelFormat: .grey, size: size, color: .jpeg))
      memset(picture.planes[0].base, CInt(20 + number * 3), picture.planes[0].byteCount)
      let photo = try PhotoPipeline().process(
        picture, orientation: .upright, settings: PhotoSettings(longSide: nil, maximumBytes: nil))
      try writer.addFrame(photo.bytes, time: time, sequence: UInt32(number))
    }
    return try writer.finish()
  }

  @Test(
    arguments: [
      (nil, []), (InjectedFault.losesRecordedFrames, ["corpus.frames", "video.counts", "video.frames"]),
      (.restampsRecording, ["corpus.times", "video.times"]), (.turnsRecording, ["corpus.angles"]),
      (.holdsRecording, ["corpus.angles", "corpus.frames", "video.counts", "video.frames"]),
    ] as [(InjectedFault?, [String])])
  func eachFaultTurnsItsOwnChecksRed(_ fault: InjectedFault?, _ expected: [String]) async throws {
    let folder = try ScratchFolder(in: "/tmp")
    var rig = Rig(fault: fault, viewfinder: "")
    rig.camera = ReplaySource(corpus: try corpus(in: "\(folder.path)/turned"))
    let observation = try await RecordedVideo(rig: rig).run(Self.context)
    let red = try red(observation.checks).map { $0.replacing("recording.", with: "") }.sorted()
    // A missing frame also shifts the list of angles, which may then fail or not.
    #expect(Set(red).subtracting(["corpus.angles"]) == Set(expected).subtracting(["corpus.angles"]))
    #expect(
      red.contains("corpus.angles") == expected.contains("corpus.angles") || fault == .losesRecordedFrames)
    #expect(observation.checks.count == 7)
  }

  @Test(arguments: [nil, InjectedFault.turnsRecording, .losesRecordedFrames])
  func videosAreUprightUnlessTheyAreTurned(_ fault: InjectedFault?) async throws {
    let observation = try await RecordedRotation(rig: Rig(fault: fault, viewfinder: "")).run(Self.context)
    let expected: Set<String> =
      fault == .turnsRecording ? ["recording.rotation.metadata", "recording.rotation.baked"] : []
    #expect(try red(observation.checks) == expected)
  }
}
