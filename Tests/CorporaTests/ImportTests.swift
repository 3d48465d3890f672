import Charts
import Glibc
import Imagery
import Testing

@testable import Corpora
@testable import swiftwing_render

private let clips = "../shared/data/video/clips"
private let hasFFmpeg = access("/usr/bin/ffmpeg", X_OK) == 0
private let hasClips = hasFFmpeg && access(clips, R_OK) == 0

@Suite("Importing")
struct ImportTests {
  let folder = TestFolder()

  private func jpeg(_ size: PixelSize, _ value: UInt32, _ orientation: Orientation? = nil) throws -> [UInt8] {
    let image = SensorImage(size)
    image.clear(ChartRect(x: 0, y: 0, width: size.width, height: size.height))
    image.drawTimeCode(value, in: ChartRect(x: 4, y: 4, width: 48, height: 48))
    let bytes = try FrameCompressor().jpeg(image, quality: 90)
    return bytes[..<2] + (orientation.map(EXIF.application1) ?? []) + bytes[2...]
  }

  private func put(_ bytes: [UInt8], _ name: String) throws {
    mkdir("\(folder.path)/pictures", 0o777)
    try FolderTree.write(bytes, to: "\(folder.path)/pictures/\(name)")
  }

  private func importing(_ interval: FrameInterval? = nil) throws -> CorpusImport.Imported {
    try CorpusImport(to: "\(folder.path)/corpus").importing(
      "\(folder.path)/pictures", frameInterval: interval)
  }

  @Test("A folder of pictures becomes stills, byte for byte, with their EXIF, and damaged ones are named")
  func stills() throws {
    let first = try jpeg(PixelSize(width: 96, height: 64), 1, Orientation(rotation: .clockwise90))
    try put(first, "b.jpg")
    try put(try jpeg(PixelSize(width: 64, height: 80), 2), "a.JPG")
    try put(Array("no picture".utf8), "c.jpg")
    try put(Array("notes".utf8), "notes.txt")
    let imported = try importing()
    #expect(imported.notes.count == 1 && imported.notes[0].hasPrefix("c.jpg is left out"))
    let corpus = imported.corpus
    #expect(corpus.manifest.isStills && corpus.manifest.size == PixelSize(width: 96, height: 80))
    #expect(try corpus.frame("frames/000002.jpg").bytes == first)
    #expect(corpus.verify().findings == [])
    let image = try corpus.image(CorpusFrame(file: "frames/000001.jpg", sequence: 0))
    #expect(image.format.size == PixelSize(width: 64, height: 80))
  }

  @Test("With a frame rate it becomes a recording, of one size only")
  func recording() throws {
    let size = PixelSize(width: 96, height: 64)
    for value in 0..<3 { try put(try jpeg(size, UInt32(value)), "\(value).jpg") }
    let corpus = try importing(FrameInterval(numerator: 1, denominator: 25)).corpus
    #expect(try corpus.track().remaining().map(\.time) == [0, 40_000_000, 80_000_000])
    #expect(!corpus.manifest.isStills && corpus.verify().isSound)
    try put(try jpeg(PixelSize(width: 64, height: 64), 9), "9.jpg")
    #expect(throws: CorpusError.self) { try importing(FrameInterval(numerator: 1, denominator: 25)) }
  }

  @Test("A folder without pictures is refused with that reason")
  func nothing() throws {
    mkdir("\(folder.path)/pictures", 0o777)
    #expect(throws: CorpusError.self) { try importing() }
    #expect(throws: CorpusError.self) {
      try CorpusImport(to: "\(folder.path)/x").importing("\(folder.path)/none")
    }
  }

  @Test("A program that is not installed is named with the remedy; output beyond the limit is refused")
  func programs() throws {
    let error = #expect(throws: CorpusError.self) { try ExternalProgram.run("swiftwing-no-such-program", []) }
    #expect(
      error?.description.contains("not installed") == true && error?.description.contains("apt-get") == true)
    let echo = try ExternalProgram.run("echo", ["a; rm -rf /", "$HOME"])
    #expect(echo.status == 0 && String(decoding: echo.output, as: UTF8.self) == "a; rm -rf / $HOME\n")
    #expect(throws: CorpusError.self) { try ExternalProgram.run("yes", [], limit: 100_000) }
    #expect(try ExternalProgram.run("false", []).status == 1)
  }

  @Test("A file that is no video is refused in one sentence", .enabled(if: hasFFmpeg))
  func noVideo() throws {
    try folder.write("not a video", to: "x.mp4")
    let error = #expect(throws: CorpusError.self) {
      try CorpusImport(to: "\(folder.path)/y").importing("\(folder.path)/x.mp4")
    }
    #expect(error?.description.hasPrefix("Cannot import") == true)
    #expect(Corpus.names(in: folder.path) == ["x.mp4"])
  }

  @Test(
    "Real clips keep their rotation, size and number of frames", .enabled(if: hasClips),
    arguments: [
      ("video_90.mov", Rotation.clockwise90, 3), ("video_180.mov", .half, 3), ("100_0306.AVI", .none, 41),
      ("MVI_4823.AVI", .none, 78),
    ])
  func clip(file: String, rotation: Rotation, frames: Int) throws {
    let imported = try CorpusImport(to: "\(folder.path)/clip").importing("\(clips)/\(file)")
    #expect(imported.corpus.manifest.mountAngle == rotation)
    #expect(imported.corpus.manifest.frameCount == frames && imported.notes == [])
    #expect(imported.corpus.verify().findings == [])
  }

  /// Writes the display matrix into the finished file: 36 bytes in the box `tkhd`, from its 40th byte on.
  @Test(
    "A video's display matrix mirrors and turns", .enabled(if: hasFFmpeg), arguments: Orientation.allCases)
  func displayMatrix(orientation: Orientation) throws {
    let size = PixelSize(width: 96, height: 64)
    for value in 0..<2 { try put(try jpeg(size, UInt32(value)), "\(value).jpg") }
    let film = "\(folder.path)/film.mp4"
    let made = try ExternalProgram.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", "\(folder.path)/pictures/%d.jpg", "-c", "copy", "file:\(film)"])
    try #require(made.status == 0, "\(made.complaints)")
    var bytes = try TestFolder.bytes(film)
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("tkhd".utf8)) })
    for (index, number) in orientation.displayMatrix(size).enumerated() {
      for place in 0..<4 {
        bytes[header + 44 + index * 4 + place] = UInt8(truncatingIfNeeded: number >> Int32(24 - place * 8))
      }
    }
    try FolderTree.write(bytes, to: "\(folder.path)/turned.mp4")
    let imported = try CorpusImport(to: "\(folder.path)/clip").importing("\(folder.path)/turned.mp4")
    let manifest = imported.corpus.manifest
    #expect(manifest.uprightOrientation(attitude: 0) == orientation && imported.notes == [])
  }

  @Test("Motion JPEG packets are copied untouched, with their time stamps", .enabled(if: hasClips))
  func untouched() throws {
    let imported = try CorpusImport(to: "\(folder.path)/clip").importing("\(clips)/100_0306.AVI")
    let original = try TestFolder.bytes("../shared/data/video/mjpeg_avi1/kodak_001.jpg")
    #expect(try imported.corpus.frame("frames/000002.jpg").bytes == original)
    #expect(try imported.corpus.track().remaining()[1].time == 66_667_000)
  }

  @Test(
    "Folders of real and of malformed pictures: what cannot be read is named, the rest imported",
    .enabled(if: access("../shared/data/malformed", R_OK) == 0),
    arguments: [
      ("exif_orientation", 8), ("exif_orientation/pillow_hopper", 1), ("malformed/jpeg_odd", 1),
      ("malformed/pngsuite", 79), ("malformed/png_corrupt", 0), ("video/mjpeg_avi1", 60),
    ])
  func folders(name: String, atLeast count: Int) throws {
    let imported = try? CorpusImport(to: "\(folder.path)/corpus").importing("../shared/data/\(name)")
    #expect((imported?.corpus.manifest.frameCount ?? 0) >= count)
    #expect(imported?.notes.allSatisfy { !$0.contains("\n") } ?? (count == 0))
    _ = imported?.corpus.verify()
  }

  @Test("Irregular stamps stay irregular; a corrupt stream gives what can be read", .enabled(if: hasClips))
  func irregular() throws {
    let gps = try CorpusImport(to: "\(folder.path)/gps").importing("\(clips)/issue515_1280x720.mp4").corpus
    let times = try gps.track().remaining().map(\.time)
    #expect(Set(zip(times.dropFirst(), times).map { $0 - $1 }).count > 1)
    let corrupt = try CorpusImport(to: "\(folder.path)/bad").importing("\(clips)/corrupted.mp4")
    #expect(corrupt.corpus.manifest.frameCount > 0 && !corrupt.notes.isEmpty)
  }
}
