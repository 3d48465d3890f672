import Capture
import Corpora
import CorpusRecording
import Imagery
import System
import Testing

@testable import Recording

/// Zoom and exposure bias that the camera leaves to its outputs, and their effect in a recording.
@Suite struct LeftToOutputsTests {
  private func settings(zoom: Double = 1, bias: Double = 0) -> FrameSettings {
    var settings = FrameSettings()
    (settings.digitalZoom, settings.digitalExposureBias) = (zoom, bias)
    return settings
  }

  /// Returns a picture of a Motion JPEG film: the luma of its middle and of its corner, and its size.
  private func greys(_ path: String, _ number: Int) throws -> (middle: Int, corner: Int, size: PixelSize) {
    let frame = try MovieFacts(path).frames[number]
    let bytes = contents(path)[Int(frame.bytes.lowerBound)..<Int(frame.bytes.upperBound)]
    return (
      try luma(of: Array(bytes)) { ($0.width / 2, $0.height / 2) },
      try luma(of: Array(bytes)) { _ in (2, 2) },
      try ImageFile.read(Array(bytes)).image.format.size
    )
  }

  /// Motion JPEG frames are copied before and after the zoom, but encoded during it. The state reports that copying has stopped.
  @Test func copyingIsGivenUpForAZoomAndToldSo() async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames()
    frames.middle = 220
    let states = output.states()
    let given = try (0..<7).map { number in
      frames.settings = settings(zoom: (3...5).contains(number) ? 2 : 1)
      return try frames.frame(number)
    }
    let path = folder("film.mp4")
    let recording = try await output.record(given, to: path)
    #expect(recording.progress.written == 7 && recording.progress.reencoded == 3)
    #expect(recording.codec == .mjpeg && !recording.isCopied)
    let facts = try MovieFacts(path)
    for number in [0, 1, 2, 6] {
      let place = facts.frames[number].bytes
      #expect(
        Array(contents(path)[Int(place.lowerBound)..<Int(place.upperBound)]) == (try frames.bytes(number)))
    }
    for number in 3...5 {
      let grey = try greys(path, number)
      #expect(abs(grey.middle - grey.corner) <= 3 && grey.corner > 190, "the border is outside")
      #expect(grey.size == frames.size, "a video has one size")
    }
    var seen: [RecordingState] = []
    for await state in states {
      seen.append(state)
      if seen.count > 1, state == .idle { break }
    }
    // The recording may be stopped before a zoomed picture is encoded.
    #expect(seen.contains(.recording(path: path, hasStoppedCopying: true)) || seen.count == 4)
  }

  @Test(arguments: [RecordingCodec.mjpeg, nil]) func whatIsZoomedFromTheBeginningIsNotCopied(
    _ codec: RecordingCodec?
  ) async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames()
    frames.settings = settings(zoom: 1.5)
    let recording = try await output.record(
      [try frames.frame(0)], RecordingSettings(codec: codec), to: folder("film.mp4"))
    #expect(recording.progress.written == 1 && !recording.isCopied && recording.progress.reencoded == 0)
  }

  /// A zoom of 1.0001, which may come from a device's rounding, crops no pixel.
  @Test func aZoomOfLessThanAPixelIsNone() async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames()
    frames.settings = settings(zoom: 1.0001)
    let recording = try await output.record([try frames.frame(0)], to: folder("film.mp4"))
    #expect(recording.isCopied && recording.progress.reencoded == 0)
  }

  /// A bias of one EV multiplies the code by 2^(1/2.2), as in the preview.
  @Test(arguments: [PixelFormat.mjpeg, .nv12]) func whatIsBrightenedIsBrightInTheFile(_ format: PixelFormat)
    async throws
  {
    let folder = Folder()
    var codes: [Int] = []
    for bias in [0.0, 1] {
      var frames = Frames(format)
      (frames.settings, frames.color) = (settings(bias: bias), .jpeg)
      let path = folder("\(bias).mp4")
      _ = try await RecordingOutput().record(
        [try frames.frame(8)], RecordingSettings(codec: .mjpeg, quality: 95), to: path)
      codes.append(try greys(path, 0).middle)
    }
    // The fixture's chroma equals its luma, so green and blue differ a little. The luma grows with all three channels.
    #expect(abs(Double(codes[1]) - Double(codes[0]) * DigitalExposure(bias: 1).gain) <= 5, "\(codes)")
  }

  @Test func theThumbnailIsWhatTheFilmShows() async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames(.nv12)
    (frames.middle, frames.settings) = (220, settings(zoom: 2))
    _ = try await output.record(
      [try frames.frame(0)], RecordingSettings(codec: .mjpeg), to: folder("film.mp4"))
    #expect(try luma(of: contents(folder("film.jpg"))) { _ in (2, 2) } > 190)
  }

  /// A corpus keeps the camera's own pictures. For each frame it records the camera's settings, and the zoom and bias left to the
  /// outputs.
  @Test func aCorpusTellsHowEachFrameWasSet() async throws {
    let (folder, output) = (Folder(), RecordingOutput(folder: .corpus))
    var frames = Frames()
    var given: [Frame] = []
    for number in 0..<4 {
      frames.settings = settings(zoom: number == 2 ? 2 : 1, bias: number == 3 ? -0.5 : 0)
      frames.settings.exposureDuration = number < 2 ? 0.01 : 0.02
      (frames.settings.iso, frames.settings.isSettled) = (400, number != 2)
      given.append(try frames.frame(number))
    }
    let recording = try await output.record(given, to: folder("shelf"))
    #expect(recording.progress.written == 4)
    let corpus = try Corpus(opening: folder("shelf"))
    var told: [String] = []
    for event in try corpus.track().remaining() {
      if case .control(let name, let value) = event.kind {
        told.append("\(event.time / 33_000_000) \(name) \(value)")
      }
    }
    #expect(
      told == [
        "0 exposure-duration-ns 10000000", "0 iso 400", "2 exposure-duration-ns 20000000",
        "2 digital-zoom-permille 2000", "2 settled 0", "3 digital-zoom-permille 1000",
        "3 digital-exposure-bias-mev -500", "3 settled 1",
      ])
    #expect(contents(folder("shelf/frames/000003.jpg")) == (try frames.bytes(2)), "not cropped")
  }
}
