import Capture
import Glibc
import Imagery
import System
import Testing

@testable import Recording

/// Recordings that break off, and files that are no recordings.
@Suite struct DamageTests {
  private func film(_ count: Int, in folder: Folder) async throws -> [UInt8] {
    let frames = Frames()
    let output = RecordingOutput()
    _ = try await output.record(try (0..<count).map { try frames.frame($0) }, to: folder("film.mp4"))
    return contents(folder("film.mp4"))
  }

  /// A file only grows at its end, so a killed recorder leaves a prefix of the complete file. Every prefix is playable.
  @Test func everyBeginningIsAFilmOfItsFrames() async throws {
    let folder = Folder()
    let whole = try await film(12, in: folder)
    let facts = try MovieFacts(folder("film.mp4"))
    let head = Int(facts.frames[0].bytes.lowerBound)
    for count in stride(from: head, to: whole.count, by: 97) {
      try write(whole[..<count], to: folder("cut.mp4"))
      let cut = try MovieFacts(folder("cut.mp4"))
      let expected = facts.frames.prefix { $0.bytes.upperBound <= Int64(count) }
      #expect(cut.frames == Array(expected), "cut after \(count) of \(whole.count) bytes")
    }
  }

  /// As soon as a frame is counted as written, all frames before it are in the file.
  @Test func allButTheLatestFrameAreInTheFileAtOnce() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    try output.start(to: folder("film.mp4"))
    try output.begin()
    defer { output.end() }
    for number in 0..<6 {
      output.receive(try frames.frame(number))
      while output.progress?.written ?? 0 <= number { sched_yield() }
      #expect(try MovieFacts(folder("film.mp4")).frames.count == number, "the state of the file after a kill")
    }
    _ = try await output.stop()
    #expect(try MovieFacts(folder("film.mp4")).frames.count == 6)
  }

  @Test func aFullDiskIsToldAsSuch() throws {
    let settings = RecordingSettings()
    let frame = try Frames().frame(0)
    let plan = try MoviePlan(
      settings, MoviePlan.Beginning(format: frame.image.format), path: "full",
      encoders: Encoders(has: { _ in false }, takes: { _, _, _ in false }))
    let file = MovieFile("full", descriptor: open("/dev/full", O_WRONLY | O_CLOEXEC))
    let error = #expect(throws: RecordingError.self) {
      _ = try MovieTrack(
        plan, settings, file: file, container: "mp4", interval: FrameInterval(framesPerSecond: 30),
        created: nil)
    }
    #expect(error?.code == .diskFull)
    #expect(error?.description.hasPrefix("Cannot record to full: No space left") == true)
  }

  /// A frame that could not be written is not counted, and adds no time.
  @Test func aFrameThatIsLostTakesNoTime() throws {
    let (folder, frames) = (Folder(), Frames())
    let descriptor = open(folder("film.mp4"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let writer = try RecordingWriter(
      RecordingSettings(), to: folder("film.mp4"),
      at: .file(MovieFile(folder("film.mp4"), descriptor: descriptor), container: "mp4"),
      interval: FrameInterval(numerator: 33, denominator: 1000), created: nil)
    for number in 0..<4 { _ = writer.write(try frames.frame(number)) }
    #expect(writer.duration == .milliseconds(4 * 33))
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    dup2(full, descriptor)
    var recording = Recording(progress: RecordingProgress(path: folder("film.mp4")), end: .stopped)
    recording.progress.written = 4
    guard case .mustEnd(.failed) = writer.write(try frames.frame(4)) else {
      Issue.record("the disk is full")
      return
    }
    writer.close(&recording)
    #expect(recording.progress.written == 3 && recording.progress.duration == .milliseconds(3 * 33))
    #expect(recording.failure?.remedy.hasSuffix("can be played") == true)
  }

  /// If the disk is full from the beginning, the file holds nothing playable.
  @Test func aDiskThatIsFullAtOnceLeavesNothingToPlay() throws {
    let file = MovieFile("full", descriptor: open("/dev/full", O_WRONLY | O_CLOEXEC))
    let writer = try RecordingWriter(
      RecordingSettings(), to: "full.mp4", at: .file(file, container: "mp4"),
      interval: FrameInterval(framesPerSecond: 30), created: nil)
    guard case .mustEnd(.failed) = writer.write(try Frames().frame(0)) else {
      Issue.record("the disk is full")
      return
    }
    var recording = Recording(progress: RecordingProgress(path: "full.mp4"), end: .stopped)
    writer.close(&recording)
    #expect(recording.failure?.code == .diskFull && recording.failure?.remedy == "free some space")
  }

  /// Of a film with more frames than are listed, all are counted, and its duration is whole.
  @Test func framesBeyondTheListCount() async throws {
    let folder = Folder()
    _ = try await film(12, in: folder)
    let descriptor = open(folder("film.mp4"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let (all, some) = (
      try MovieFacts(folder("film.mp4")), try MovieFacts(BoxReader(descriptor), "film.mp4", keeping: 5)
    )
    #expect(all.frameCount == 12 && some.frames == Array(all.frames.prefix(5)))
    #expect(some.frameCount == 12 && some.duration == all.duration && !some.isCut)
  }

  /// Whatever a file contains, the reader neither hangs nor allocates memory for frames that do not exist.
  @Test func noFileIsTooStrange() async throws {
    let folder = Folder()
    let whole = try await film(4, in: folder)
    var random = SplitMix64(seed: 12)
    for round in 0..<400 {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          [0, 1, 255, UInt8.random(in: 0...255, using: &random)][
            round % 4]
      }
      let part = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
      try write(part, to: folder("strange.mp4"))
      let facts = try? MovieFacts(folder("strange.mp4"))
      // Each frame lies within the file. At most four fragments of at most a thousand frames are possible.
      let frames = facts?.frames ?? []
      #expect(
        frames.count <= 4_000 && frames.allSatisfy { !$0.bytes.isEmpty && $0.bytes.upperBound <= part.count })
      let counted = try? MovieFacts(folder("strange.mp4"), keepsFrames: false)
      #expect(counted?.frameCount == facts?.frames.count && counted?.duration == facts?.duration)
    }
  }

  @Test func theListShowsTheNewestFirstAndNamesWhatIsNone() async throws {
    let (folder, frames) = (Folder(), Frames())
    for name in ["a.mp4", "b.mov"] {
      let output = RecordingOutput()
      _ = try await output.record(try (0..<4).map { try frames.frame($0) }, to: folder(name))
    }
    try write([0, 0, 0, 8], to: folder("c.mp4"))
    try write([1], to: folder("notes.txt"))
    var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 4_000_000_000, tv_nsec: 0)]
    utimensat(AT_FDCWD, folder("a.mp4"), &times, 0)
    let list = try RecordingList(folder: folder.path)
    #expect(list.entries.map(\.path) == [folder("a.mp4"), folder("b.mov")])
    #expect(list.entries.allSatisfy { $0.frameCount == 4 && $0.thumbnailPath != nil && !$0.isCut })
    #expect(list.entries[0].duration.milliseconds.rounded() == 3 * 33 + 33)
    #expect(list.notes.count == 1)
    #expect(list.entries.map(\.recordingCodec) == [.mjpeg, .mjpeg])
    // With a limit of one file, the two older files are not read.
    let short = try RecordingList(folder: folder.path, limit: 1)
    #expect(short.entries.map(\.path) == [folder("a.mp4")] && short.notes.count == 1)
    #expect(short.notes.first?.hasPrefix("2 older videos") == true)
    let missing = #expect(throws: RecordingError.self) { _ = try RecordingList(folder: folder("none")) }
    #expect(missing?.code == .destination)
  }

  /// The newest files are no recordings, so they do not count towards the list's limit.
  @Test func whatCannotBeReadIsNotCounted() async throws {
    let folder = Folder()
    _ = try await film(2, in: folder)
    for number in 0..<3 {
      try write([0], to: folder("z\(number).mp4"))
      var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 4_000_000_000 + number, tv_nsec: 0)]
      utimensat(AT_FDCWD, folder("z\(number).mp4"), &times, 0)
    }
    let list = try RecordingList(folder: folder.path, limit: 1)
    #expect(list.entries.map(\.path) == [folder("film.mp4")] && list.notes.count == 3)
  }

  /// A folder, a link and a pipe have names like videos. The list names them, and none blocks it.
  @Test func namesThatAreNoFilesAreNamed() async throws {
    let folder = Folder()
    _ = try await film(2, in: folder)
    mkdir(folder("folder.mp4"), 0o777)
    mkfifo(folder("pipe.mov"), 0o666)
    symlink(folder("film.mp4"), folder("link.mp4"))
    let list = try RecordingList(folder: folder.path)
    #expect(list.entries.map(\.path) == [folder("film.mp4")] && list.notes.count == 3)
  }

  /// After a failed write, the last frame is lost, and the complete fragments before it can be played.
  @Test func aFailureLeavesWholeFragmentsAlone() throws {
    let (folder, frames, settings) = (Folder(), Frames(), RecordingSettings())
    let plan = try MoviePlan(
      settings, MoviePlan.Beginning(format: try frames.frame(0).image.format), path: "film",
      encoders: Encoders(has: { _ in false }, takes: { _, _, _ in false }))
    let file = try MovieFile(folder("film.mp4"))
    let track = try MovieTrack(
      plan, settings, file: file, container: "mp4", interval: FrameInterval(framesPerSecond: 30),
      created: nil)
    for number in 0..<5 { try track.append(try frames.frame(number), at: Int64(number) * 33_000_000) }
    // A full disk leaves part of a fragment.
    #expect(Glibc.write(file.descriptor, [UInt8](repeating: 1, count: 100), 100) == 100)
    #expect(try MovieFacts(folder("film.mp4")).isCut)
    track.abandon()
    let facts = try MovieFacts(folder("film.mp4"))
    #expect(facts.frames.count == 4 && !facts.isCut && track.lostFrames == 1)
  }

  /// A recording without a frame deletes its file, unless the name now belongs to another file.
  @Test func whatHasTakenTheNameStays() async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    try output.start(to: folder("film.mp4"))
    unlink(folder("film.mp4"))
    try write([7], to: folder("film.mp4"))
    #expect(try await output.stop().progress.written == 0)
    #expect(contents(folder("film.mp4")) == [7])
  }
}
