import Capture
import Corpora
import CorpusRecording
import Foundation
import Glibc
import Imagery
import Testing

@testable import Recording

/// The claim of a recording on its path, and recordings that end irregularly.
@Suite struct ClaimTests {
  @Test(arguments: ["film.mp4", "shelf"]) func twoRecordersDoNotShareAPath(_ name: String) async throws {
    let (folder, first, second, frames) = (
      Folder(), RecordingOutput(folder: .corpus), RecordingOutput(folder: .corpus), Frames()
    )
    try first.start(to: folder(name))
    let refused = #expect(throws: RecordingError.self) { try second.start(to: folder(name)) }
    #expect(refused?.code == .destination && second.current == .idle)
    try first.begin()
    first.receive(try frames.frame(0))
    let recording = try await first.stop()
    first.end()
    #expect(recording.progress.written == 1 && recording.failure == nil)
    #expect(throws: RecordingError.self) { try second.start(to: folder(name)) }
  }

  /// A child process has copies of all descriptors until it executes its program. They must not keep the folder claimed.
  @Test func theFolderIsLetGoOfForCopiesOfItsLockToo() throws {
    let folder = Folder()
    mkdir(folder("shelf"), 0o777)
    var claim: FolderClaim? = try FolderClaim(folder("shelf"))
    let copies = descriptors(of: folder("shelf")).map { dup($0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1 && claim != nil)
    #expect(throws: RecordingError.self) { try FolderClaim(folder("shelf")) }
    claim = nil
    #expect(throws: Never.self) { try FolderClaim(folder("shelf")) }
  }

  private func descriptors(of path: String) -> [CInt] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.compactMap { CInt($0) }.filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  /// A killed recorder may leave an empty folder, which another recording can claim.
  @Test func anEmptyFolderCanBeTakenAndAFullOneNot() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(folder: .corpus), Frames())
    mkdir(folder("empty"), 0o777)
    _ = try await output.record([try frames.frame(0)], to: folder("empty"))
    #expect(try Corpus(opening: folder("empty")).manifest.frameCount == 1)
    mkdir(folder("full"), 0o777)
    try write([1], to: folder("full/notes.txt"))
    symlink(folder("empty"), folder("link"))
    for name in ["full", "link", "empty", "none/shelf"] {
      let refused = #expect(throws: RecordingError.self) { try output.start(to: folder(name)) }
      #expect(refused?.code == .destination)
    }
    #expect(contents(folder("full/notes.txt")) == [1])
  }

  @Test(arguments: ["", ".mp4"]) func aNameThatIsTooLongIsSaid(_ ending: String) throws {
    let (folder, output) = (Folder(), RecordingOutput(folder: .corpus))
    let refused = #expect(throws: RecordingError.self) {
      try output.start(to: folder(String(repeating: "x", count: 300) + ending))
    }
    #expect(refused?.code == .destination && refused?.remedy == "choose a shorter name")
  }

  /// The suggested remedy depends on the error.
  @Test(arguments: [
    (ENOSPC, RecordingError.Code.diskFull, "free some space"),
    (EROFS, .destination, "that can be written to"),
    (EACCES, .destination, "another folder"),
  ])
  func theRemedyFitsTheReason(_ code: CInt, kind: RecordingError.Code, remedy: String) {
    let error = RecordingError.unmade("film.mp4", code, remedy: "name another folder")
    #expect(error.code == kind && error.remedy.contains(remedy))
  }

  @Test func aCorpusWithoutAFrameLeavesNoFolder() async throws {
    let (folder, output) = (Folder(), RecordingOutput(folder: .corpus))
    _ = try await output.record([], to: folder("shelf"))
    #expect(!folder.has("shelf"))
    mkdir(folder("mine"), 0o777)
    _ = try await output.record([], to: folder("mine"))
    #expect(folder.has("mine"), "it was there before")
  }

  @Test func anOutputThatIsLetGoEndsItsRecording() async throws {
    let folder = Folder()
    do {
      let output = RecordingOutput()
      try output.start(to: folder("film.mp4"))
      #expect(folder.has("film.mp4"))
    }
    #expect(!folder.has("film.mp4"))
  }

  /// A recording that fails at its first frame is reported as begun and then as ended.
  @Test func whoWatchesIsToldOfAFailure() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames(.nv12))
    let (states, path) = (output.states(), folder("film.mp4"))
    // MP4 cannot hold FFV1, so the first frame fails. Without an FFV1 encoder, `start` would fail instead.
    guard (try? LibAV.load())?.hasEncoder("ffv1") == true else { return }
    try output.start(RecordingSettings(codec: .ffv1), to: path)
    try output.begin()
    output.receive(try frames.frame(0))
    var seen: [RecordingState] = []
    for await state in states {
      seen.append(state)
      if seen.count == 3 { break }
    }
    #expect(seen == [.idle, .recording(path: path), .idle])
    #expect(try await output.stop().end == .failed && !folder.has("film.mp4"))
    output.end()
  }

  /// A recording that ends by itself is reported at once, not only when it is stopped.
  @Test func whatEndsByItselfIsToldAtOnce() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    let endings = output.endings()
    try output.start(to: folder("film.mp4"))
    try output.begin()
    output.receive(try frames.frame(0))
    var other = frames
    other.size = PixelSize(width: 32, height: 24)
    output.receive(try other.frame(1))
    for await recording in endings {
      #expect(recording.end == .formatChanged && recording.progress.written == 1)
      #expect(recording.unaskedEnd?.contains("another size") == true)
      break
    }
    #expect(output.latest?.unaskedEnd != nil)
    try output.start(to: folder("second.mp4"))
    output.receive(try frames.frame(2))
    #expect(try await output.stop().unaskedEnd == nil)
    output.end()
  }

  /// If a recorder was killed before its first picture, the list shows its file as empty.
  @Test func aFilmWithoutAByteIsListedAsEmpty() throws {
    let folder = Folder()
    try write([], to: folder("film.mp4"))
    let list = try RecordingList(folder: folder.path)
    let entry = try #require(list.entries.first)
    #expect(list.notes.isEmpty && entry.frameCount == 0 && entry.byteCount == 0 && entry.isCut)
    #expect(entry.duration == .zero)
  }

  /// `stop` returns the recording that it stopped, even if the next one begins at once.
  @Test func aStopAnswersItsOwnRecording() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    try output.begin()
    try output.start(to: folder("0.mp4"))
    for round in 1...40 {
      output.receive(try frames.frame(round))
      async let stopped = output.stop()
      while true {
        do throws(RecordingError) {
          try output.start(to: folder("\(round).mp4"))
          break
        } catch {
          #expect(error.code == .alreadyRecording)
          await Task.yield()
        }
      }
      #expect(try await stopped.path == folder("\(round - 1).mp4"))
    }
    _ = try await output.stop()
    output.end()
  }

  /// Of two calls at once, one gets the recording, and the other is refused at once. Without a session, the recording ends on a thread of
  /// its own, so that the first call waits for a while after the end.
  @Test(.timeLimit(.minutes(5))) func aSecondStopTakesNothingFromTheFirst() async throws {
    for round in 0..<8 {
      let (folder, output) = (Folder(), RecordingOutput())
      try output.start(to: folder("film.mp4"))
      let first = Task { try await output.stop() }
      while output.current != .idle {
        if case .finishing = output.current {
          let early = try? await output.stop()
          #expect(early == nil)
        }
        await Task.yield()
      }
      let second = try? await output.stop()
      #expect(second == nil, "round \(round)")
      if second == nil { #expect(try await first.value.path == folder("film.mp4")) } else { return }
    }
  }

  /// A recording is stopped while its session ends. Writing and closing never overlap, and every frame is counted.
  @Test func aStopWhileTheSessionEndsIsSound() async throws {
    for round in 0..<20 {
      let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
      try output.start(to: folder("film.mp4"))
      try output.begin()
      for number in 0..<12 { output.receive(try frames.frame(number)) }
      async let ended: Void = { output.end() }()
      let recording = try await output.stop()
      await ended
      let facts = try? MovieFacts(folder("film.mp4"))
      #expect(
        facts?.frames.count ?? 0 == recording.progress.written && recording.failure == nil, "round \(round)")
    }
  }
}
