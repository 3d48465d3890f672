import ArgumentParser
import Capture
import Foundation
import Imagery
import System
import Testing

@testable import Recording
@testable import swiftwing_tool

/// The notes of `record` and `recordings` about differences from the request.
@Suite struct RecordNotesTests {
  private func outcome(
    codec: RecordingCodec?, isCopied: Bool = false, dropped: Int = 40,
    _ change: (inout Recording) -> Void = { _ in }
  ) async -> RecordOutcome {
    var recording = Recording(progress: RecordingProgress(path: "film.mov"), end: .stopped)
    (recording.progress.written, recording.progress.dropped) = (110, dropped)
    (recording.codec, recording.isCopied) = (codec, isCopied)
    change(&recording)
    let ending = await RecordEnding(of: CaptureSession(source: NoSource()))
    return RecordOutcome(recording, of: "none", ending)
  }

  private struct NoSource: CameraSource {
    var specification: String { "none" }
    func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
      throw .notFound("none", remedy: "none")
    }
  }

  @Test func whatTheEncoderDroppedIsSaidAndIsNoFailure() async throws {
    let encoded = await outcome(codec: .prores)
    let note = try #require(encoded.notes.first)
    #expect(encoded.notes.count == 1)
    #expect(note.hasPrefix("40 of 150 pictures were dropped because the encoder could not keep up; choose"))
    #expect(note.contains("--codec") && note.contains("smaller size"))
    #expect(throws: Never.self) { try encoded.check() }
    for (codec, isCopied) in [(RecordingCodec.mjpeg, true), (nil, true)] {
      let note = await outcome(codec: codec, isCopied: isCopied).notes.first
      #expect(note?.contains("the disk could not keep up") == true && note?.contains("--codec") == false)
    }
    #expect(await outcome(codec: .prores, dropped: 0).notes.isEmpty)
  }

  @Test func aThumbnailThatIsMissingIsSaid() async {
    let said = await outcome(codec: .h264, dropped: 0) { $0.thumbnailFailure = "there is something" }
    #expect(said.notes == ["the video has no thumbnail beside it: there is something"])
  }

  @Test(arguments: [
    ("--out shelf --quality 80", "--quality is for a video, and shelf would be a corpus"),
    ("--out shelf --bit-rate 100000", "--bit-rate is for a video, and shelf would be a corpus"),
    ("--out shelf --no-thumbnail", "--no-thumbnail is for a video, and shelf would be a corpus"),
    (
      "--out a.mov --codec prores --bit-rate 100000", "--bit-rate is for h264 and hevc, and --codec is prores"
    ),
  ])
  func anOptionWithoutEffectIsRefused(line: String, sentence: String) {
    let words = ["record"] + line.split(separator: " ").map(String.init)
    let error = #expect(throws: (any Error).self) { try Invocation(words).command() }
    #expect(error.map { SwiftwingCommands.message(for: $0).hasPrefix(sentence) } == true)
    #expect(error.map { SwiftwingCommands.exitCode(for: $0) } == .validationFailure)
  }

  @Test(arguments: [
    "--out a.mp4 --quality 80 --no-thumbnail", "--out a.mp4 --bit-rate 100000", "--out shelf",
    "--out a.mp4 --codec hevc --bit-rate 100000",
  ])
  func anOptionWithAnEffectIsTaken(line: String) throws {
    let words = ["record"] + line.split(separator: " ").map(String.init)
    #expect(try Invocation(words).command() is RecordCommand)
  }

  /// A file name with control characters moves neither the cursor nor the columns. A codec has its command-line name.
  @Test func aListedVideoIsOneLine() throws {
    let entry = RecordingList.Entry(
      path: "a\nb\u{1B}[2J.mp4", byteCount: 1, modified: 0, size: PixelSize(width: 4, height: 2),
      orientation: .upright, codec: "apch", recordingCodec: .prores, frameCount: 3,
      duration: .milliseconds(100), isCut: false, thumbnailPath: nil)
    let line = RecordingsCommand.Line(entry)
    #expect(line.text == "a b [2J.mp4  4×2 prores  3 frames in 0.1 s  0.0 MB")
    #expect(line.codec == "prores" && line.tag == "apch" && line.path == entry.path)
  }
}
