import Capture
import CorpusRecording
import Imagery
import System
import Testing

@testable import Recording

/// Recordings from the first frame to the finished file, which is read without the library that wrote it.
@Suite struct RecordingOutputTests {
  @Test func everyFrameIsCopiedWithTheTimeOfItsExposure() async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames()
    frames.orientation = Orientation(rotation: .clockwise90)
    // The camera has lost frames 5 and 6.
    let numbers = Array(0..<5) + Array(7..<40)
    let recording = try await output.record(
      try numbers.map { try frames.frame($0) }, to: folder("film.mp4"),
      interval: FrameInterval(numerator: 33, denominator: 1000))
    #expect(recording.end == .stopped && recording.failure == nil && recording.isCopied)
    #expect(recording.progress.written == 38 && recording.progress.dropped == 0)
    // The last frame lasts as long as the others.
    #expect(recording.progress.duration == .milliseconds(40 * 33))
    #expect(try RecordingList(folder: folder.path).entries.map(\.duration) == [recording.progress.duration])
    let facts = try MovieFacts(folder("film.mp4"))
    #expect(facts.frames.map(\.time) == numbers.map { Int64($0) * 33_000_000 })
    #expect(facts.size == frames.size && facts.orientation == frames.orientation && !facts.isCut)
    let file = contents(folder("film.mp4"))
    for (number, frame) in zip(numbers, facts.frames) {
      let bytes = file[Int(frame.bytes.lowerBound)..<Int(frame.bytes.upperBound)]
      #expect(Array(bytes) == (try frames.bytes(number)), "frame \(number)")
    }
  }

  @Test func aSecondStartIsRefusedAndChangesNothing() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    try output.start(to: folder("first.mp4"))
    try output.begin()
    output.receive(try frames.frame(0))
    let refused = #expect(throws: RecordingError.self) { try output.start(to: folder("second.mp4")) }
    #expect(refused?.code == .alreadyRecording && !folder.has("second.mp4"))
    #expect(output.current == .recording(path: folder("first.mp4")))
    output.receive(try frames.frame(1))
    #expect(try await output.stop().progress.written == 2)
    let again = await #expect(throws: RecordingError.self) { try await output.stop() }
    #expect(again?.code == .notRecording && output.current == .idle)
    output.end()
  }

  @Test func oneRecordingFollowsAnother() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    for name in ["a.mp4", "b.mov"] {
      let recording = try await output.record(try (0..<3).map { try frames.frame($0) }, to: folder(name))
      #expect(recording.progress.written == 3)
      #expect(try MovieFacts(folder(name)).frames.count == 3)
    }
  }

  @Test func nothingThatIsThereIsReplaced() async throws {
    let (folder, output) = (Folder(), RecordingOutput(folder: .corpus))
    try write([1, 2, 3], to: folder("film.mp4"))
    for path in [folder("film.mp4"), folder.path, folder("none/film.mp4")] {
      let refused = #expect(throws: RecordingError.self) { try output.start(to: path) }
      #expect(refused?.code == .destination)
    }
    #expect(contents(folder("film.mp4")) == [1, 2, 3] && output.current == .idle)
  }

  @Test func aRecordingWithoutAFrameLeavesNoFile() async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    let recording = try await output.record([], to: folder("film.mp4"))
    #expect(recording.progress.written == 0 && recording.size == nil && !folder.has("film.mp4"))
  }

  @Test func itCanBeStoppedBeforeItsSessionRuns() async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    try output.start(to: folder("film.mp4"))
    #expect(try await output.stop().progress.written == 0)
    #expect(!folder.has("film.mp4"))
  }

  @Test func theEndOfTheSessionEndsItWithAllFrames() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    try output.start(to: folder("film.mp4"))
    try output.begin()
    for number in 0..<10 { output.receive(try frames.frame(number)) }
    output.end()
    #expect(output.latest?.end == .sessionEnded && output.current == .idle)
    let recording = try await output.stop()
    #expect(recording.progress.written == 10)
    #expect(try MovieFacts(folder("film.mp4")).frames.count == 10)
  }

  @Test func anotherFormatEndsIt() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    var larger = Frames()
    larger.size = PixelSize(width: 80, height: 48)
    let mixed = [try frames.frame(0), try frames.frame(1), try larger.frame(2), try larger.frame(3)]
    let recording = try await output.record(mixed, to: folder("film.mp4"))
    #expect(recording.end == .formatChanged && recording.progress.written == 2)
    #expect(try MovieFacts(folder("film.mp4")).frames.count == 2)
  }

  /// If frames come faster than the disk takes them, the queue fills up, and further frames are dropped and counted.
  @Test func whatFindsNoRoomIsDroppedAndCounted() async throws {
    let (folder, frames) = (Folder(), Frames())
    let (isOpen, isTaken) = (Locked(false), Locked(false))
    let output = RecordingOutput(
      clock: SystemClock(), bounds: RecordingTake.Bounds(frames: 8, bytes: 1 << 20, least: 4)
    ) { frame in
      isTaken.withLock { $0 = true }
      isTaken.notify()
      _ = isOpen.wait { $0 ? true : nil as Bool? }
      return frame
    }
    try output.start(to: folder("film.mp4"))
    try output.begin()
    output.receive(try frames.frame(0))
    _ = isTaken.wait { $0 ? true : nil as Bool? }
    for number in 1..<20 { output.receive(try frames.frame(number)) }
    #expect(output.progress?.dropped == 11)
    isOpen.withLock { $0 = true }
    isOpen.notify()
    let recording = try await output.stop()
    output.end()
    #expect(recording.progress.written == 9 && recording.progress.dropped == 11)
    #expect(try MovieFacts(folder("film.mp4")).frames.map(\.time) == (0..<9).map { $0 * 33_000_000 })
  }

  @Test func aFrameThatCannotBeDecodedIsLeftOutOfWhatIsEncoded() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    let format = ImageFormat(pixelFormat: .mjpeg, size: frames.size, color: .jpeg)
    let noise = try [UInt8](repeating: 7, count: 400).withUnsafeBytes { bytes throws(ImageError) in
      try PixelBufferPool().makeBuffer(format, compressed: bytes)
    }
    let damaged = Frame(
      image: noise, sequence: 1, exposureTime: frames.time(1), exposureEdge: .startOfExposure,
      arrivalTime: frames.time(2), orientation: .upright)
    let settings = RecordingSettings(codec: .mjpeg, look: Negative())
    let recording = try await output.record(
      [try frames.frame(0), damaged, try frames.frame(2)], settings, to: folder("film.mp4"))
    #expect(recording.progress.written == 2 && recording.progress.damaged == 1 && !recording.isCopied)
    #expect(try MovieFacts(folder("film.mp4")).frames.map(\.time) == [0, 66_000_000])
  }

  /// Copied frames can be decoded: bytes before a picture are removed, and a frame that cannot be decoded is left out.
  @Test func whatIsCopiedCanBeDecoded() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    let format = ImageFormat(pixelFormat: .mjpeg, size: frames.size, color: .jpeg)
    func frame(_ number: Int, _ bytes: [UInt8]) throws -> Frame {
      let image = try bytes.withUnsafeBytes { bytes throws(ImageError) in
        try PixelBufferPool().makeBuffer(format, compressed: bytes)
      }
      return Frame(
        image: image, sequence: UInt32(number), exposureTime: frames.time(number),
        exposureEdge: .startOfExposure, arrivalTime: frames.time(number + 1), orientation: .upright)
    }
    let (first, third) = (try frames.bytes(0), try frames.bytes(2))
    let sent = [
      try frame(0, [0xFF, 0xD8] + first), try frame(1, Array(frames.bytes(1).dropLast(60))),
      try frame(2, [9, 9, 9] + third),
    ]
    let recording = try await output.record(sent, to: folder("film.mp4"))
    #expect(recording.isCopied && recording.progress.written == 2 && recording.progress.damaged == 1)
    let file = contents(folder("film.mp4"))
    let packets = try MovieFacts(folder("film.mp4")).frames.map {
      Array(file[Int($0.bytes.lowerBound)..<Int($0.bytes.upperBound)])
    }
    #expect(packets == [first, third])
  }

  @Test func theThumbnailIsTheFirstPictureUpright() async throws {
    let (folder, output) = (Folder(), RecordingOutput())
    var frames = Frames()
    frames.size = PixelSize(width: 640, height: 480)
    frames.orientation = Orientation(rotation: .clockwise90)
    let recording = try await output.record([try frames.frame(0)], to: folder("film.mp4"))
    #expect(recording.thumbnailPath == folder("film.jpg"))
    let picture = try ImageFile.read(contents(folder("film.jpg")))
    #expect(picture.image.format.size == PixelSize(width: 240, height: 320))
    #expect(recording.thumbnailFailure == nil)
  }

  /// The thumbnail cannot be written, because its file exists. The film is complete, that file stays, and the reason is reported.
  @Test func aThumbnailThatCannotBeMadeIsSaid() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    try write([7], to: folder("film.jpg"))
    let recording = try await output.record([try frames.frame(0)], to: folder("film.mp4"))
    #expect(recording.thumbnailPath == nil && recording.failure == nil && recording.progress.written == 1)
    #expect(recording.thumbnailFailure == "there is something named \(folder("film.jpg")) already")
    #expect(contents(folder("film.jpg")) == [7])
    let settings = RecordingSettings(hasThumbnail: false)
    let bare = try await output.record([try frames.frame(0)], settings, to: folder("bare.mp4"))
    #expect(bare.thumbnailPath == nil && bare.thumbnailFailure == nil)
  }

  @Test func whoWatchesIsToldOfEachState() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    let states = output.states()
    let path = folder("film.mp4")
    _ = try await output.record([try frames.frame(0)], to: path)
    var seen: [RecordingState] = []
    for await state in states {
      seen.append(state)
      if seen.count == 4 { break }
    }
    #expect(seen == [.idle, .recording(path: path), .finishing(path: path), .idle])
  }
}

/// A look that inverts all colours.
struct Negative: RecordingLook {
  func apply(to picture: PixelBuffer) throws(ImageError) {
    for row in 0..<picture.format.size.height {
      let bytes = (picture.planes[0].base + row * picture.planes[0].bytesPerRow)
        .assumingMemoryBound(to: UInt8.self)
      for place in 0..<picture.format.size.width * 4 where place % 4 != 3 {
        bytes[place] = 255 - bytes[place]
      }
    }
  }
}
