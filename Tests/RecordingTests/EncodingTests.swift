import Capture
import Corpora
import CorpusRecording
import Glibc
import Imagery
import System
import Testing

@testable import Recording

/// Encoding, rotation and colours of recordings, and the contents of a recorded corpus.
@Suite struct EncodingTests {
  private static func has(_ codec: RecordingCodec) -> Bool {
    guard let library = try? LibAV.load() else { return false }
    return codec.encoders.contains(where: library.hasEncoder)
  }

  private static let encoded = [RecordingCodec.h264, .hevc, .prores, .ffv1].filter(has)

  /// Sixty frames at 20 a second take three seconds, so at least three are key frames.
  @Test(arguments: encoded) func aKeyFrameComesEachSecondAndNoneOutOfOrder(_ codec: RecordingCodec)
    async throws
  {
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames(.nv12)
    frames.interval = 50
    let settings = RecordingSettings(codec: codec, hasThumbnail: false)
    try output.start(settings, to: folder("film.mov"), interval: FrameInterval(framesPerSecond: 30))
    try output.begin()
    for number in 0..<60 {
      output.receive(try frames.frame(number))
      // Waits until the frame is written, so that the queue drops none.
      while output.progress.map({ $0.written + $0.damaged <= number }) ?? false { sched_yield() }
    }
    let recording = try await output.stop()
    output.end()
    #expect(
      recording.progress.written == 60 && recording.codec == codec && recording.failure == nil,
      "\(recording.failure.map(String.init(describing:)) ?? "\(recording.progress)")")
    let facts = try MovieFacts(folder("film.mov"))
    #expect(facts.recordingCodec == codec)
    #expect(facts.frames.map(\.time) == (0..<60).map { $0 * 50_000_000 })
    let keys = facts.frames.filter(\.isKey).map(\.time)
    #expect(keys.first == 0 && keys.count >= 3)
    #expect(zip(keys, keys.dropFirst() + [3_000_000_000]).allSatisfy { $1 - $0 <= 1_000_000_000 })
  }

  @Test(arguments: [(ColorMatrix.bt601, 1, 1), (.bt709, 1, 1), (.bt2020, 9, 14)])
  func theFileSaysItsColours(_ matrix: ColorMatrix, _ primaries: Int, _ transfer: Int) async throws {
    guard Self.has(.h264) else { return }
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames(.nv12)
    frames.color.matrix = matrix
    let settings = RecordingSettings(codec: .h264, hasThumbnail: false)
    _ = try await output.record([try frames.frame(0)], settings, to: folder("film.mp4"))
    let tags = try #require(try MovieFacts(folder("film.mp4")).color)
    #expect(tags == .init(primaries: primaries, transfer: transfer, matrix: primaries))
  }

  @Test func aCodecThatTheFileCannotHoldIsRefusedByName() async throws {
    guard Self.has(.ffv1) else { return }
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames(.nv12))
    let recording = try await output.record(
      [try frames.frame(0)], RecordingSettings(codec: .ffv1), to: folder("film.mp4"))
    #expect(recording.end == .failed && recording.failure?.code == .settings && !folder.has("film.mp4"))
  }

  @Test(arguments: Rotation.allCases) func bakedPicturesAreUprightWithoutTheirPlayer(_ turn: Rotation)
    async throws
  {
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames(.yuyv)
    frames.orientation = Orientation(rotation: turn)
    let settings = RecordingSettings(codec: .mjpeg, orientation: .baked)
    _ = try await output.record([try frames.frame(0), try frames.frame(1)], settings, to: folder("film.mp4"))
    let facts = try MovieFacts(folder("film.mp4"))
    #expect(facts.orientation == .upright && facts.size == frames.orientation.applied(to: frames.size))
  }

  @Test func aLookIsBakedIn() async throws {
    // In picture 14, all three colours lie between black and white, so the look clips none.
    let (folder, frames) = (Folder(), Frames(.nv12))
    var luma: [Int] = []
    for (name, look) in [("plain.mp4", nil), ("negative.mp4", Negative())] as [(String, Negative?)] {
      let settings = RecordingSettings(codec: .mjpeg, look: look, quality: 95, hasThumbnail: false)
      _ = try await RecordingOutput().record([try frames.frame(14)], settings, to: folder(name))
      let frame = try #require(try MovieFacts(folder(name)).frames.first)
      let bytes = contents(folder(name))[Int(frame.bytes.lowerBound)..<Int(frame.bytes.upperBound)]
      let picture = try ImageFile.read(Array(bytes)).image
      let rgb = try PixelBufferPool().makeBuffer(
        ImageFormat(
          pixelFormat: .bgra, size: frames.size, color: ColorDescription(matrix: .bt709, range: .full)))
      try PreviewRenderer().render(picture, orientation: .upright, into: rgb)
      luma.append(Int(rgb.planes[0].base.load(fromByteOffset: 1, as: UInt8.self)))
    }
    #expect(abs(luma[0] + luma[1] - 255) <= 4, "green \(luma[0]) became \(luma[1])")
  }

  @Test func aCorpusKeepsFramesTimesAndTurns() async throws {
    let (folder, output) = (Folder(), RecordingOutput(folder: .corpus))
    var frames = Frames()
    let upright = try (0..<5).map { try frames.frame($0) }
    frames.orientation = Orientation(rotation: .clockwise90)
    let turned = try (5..<9).map { try frames.frame($0) }
    let recording = try await output.record(
      upright + turned, RecordingSettings(mount: .upright), to: folder("shelf"))
    #expect(recording.progress.written == 9 && recording.failure == nil && recording.codec == nil)
    let corpus = try Corpus(opening: folder("shelf"))
    #expect(corpus.manifest.frameCount == 9 && corpus.manifest.mountAngle == .none)
    #expect(corpus.manifest.exposureEdge == .startOfExposure)
    let events = try corpus.track().remaining()
    let times = events.compactMap { if case .frame = $0.kind { $0.time } else { nil } }
    #expect(times == (0..<9).map { $0 * 33_000_000 })
    let turns = events.compactMap { event -> Double? in
      if case .angle(let degrees) = event.kind { degrees } else { nil }
    }
    #expect(turns == [0, 90])
    #expect(contents(folder("shelf/frames/000006.jpg")) == (try frames.bytes(5)))
  }

  @Test(arguments: [PixelFormat.nv12, .yuyv, .grey, .p010]) func rawFramesAreKeptToTheByte(
    _ pixelFormat: PixelFormat
  ) async throws {
    let (folder, output) = (Folder(), RecordingOutput(folder: .corpus))
    var frames = Frames(pixelFormat)
    // Rows are padded in memory, because 50 is not a multiple of 64.
    frames.size = PixelSize(width: 50, height: 30)
    let recording = try await output.record([try frames.frame(3)], to: folder("raw"))
    #expect(recording.progress.written == 1)
    let format = ImageFormat(pixelFormat: pixelFormat, size: frames.size, color: frames.color)
    #expect(contents(folder("raw/frames/000001.raw")) == [UInt8](repeating: 46, count: format.frameByteCount))
  }

  @Test func aCorpusTakesNothingThatChangesPictures() throws {
    let (folder, output) = (Folder(), RecordingOutput(folder: .corpus))
    let refused = #expect(throws: RecordingError.self) {
      try output.start(RecordingSettings(codec: .h264), to: folder("shelf"))
    }
    #expect(refused?.code == .settings)
  }
}
