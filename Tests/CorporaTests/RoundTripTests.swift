import Charts
import Glibc
import Imagery
import Testing

@testable import Corpora

@Suite("Writing and reading corpora")
struct RoundTripTests {
  let folder = TestFolder()

  @Test("Everything that was written is read back: manifest, events, frames, truth")
  func roundTrip() throws {
    let made = try TestCorpus.make(in: folder)
    let corpus = try Corpus.find("small", searching: ["/nonexistent", folder.path])
    #expect(corpus.manifest == made.manifest)
    #expect(corpus.manifest.frameCount == 5 && corpus.manifest.timeCode == TestCorpus.rect)
    let events = try corpus.track().remaining()
    #expect(events.prefix(8).map(\.kind) == TestCorpus.events)
    #expect(events.map(\.time) == events.map(\.time).sorted())
    let frames = events.compactMap { event in
      if case .frame(let frame) = event.kind { frame } else { nil }
    }
    #expect(frames.map(\.sequence) == [0, 1, 2, 3, 4])
    for frame in frames {
      #expect(try corpus.frame(frame.file).bytes == TestCorpus.frame(frame.sequence))
      let image = try corpus.image(frame)
      #expect(TimeCode.read(from: image, corners: ChartCorners(TestCorpus.rect)) == frame.sequence)
    }
    #expect(try corpus.truth()?.spines.first?.title == "Emma")
    #expect(try corpus.truth()?.spines(in: "frames/000001.raw").first?.box.x == 0.5)
    #expect(corpus.verify() == made.verify())
    #expect(corpus.verify().isSound && corpus.verify().framesDecoded == 5)
  }

  @Test("The same corpus written twice has the same bytes")
  func deterministic() throws {
    try TestCorpus.make(in: folder)
    let first = try folder.text("small/corpus.json")
    try TestCorpus.make(in: folder, replacing: true)
    #expect(try folder.text("small/corpus.json") == first)
  }

  @Test("An existing folder is not overwritten, and only a corpus is replaced")
  func existing() throws {
    try TestCorpus.make(in: folder)
    #expect(throws: CorpusError.self) { try TestCorpus.make(in: folder) }
    mkdir("\(folder.path)/precious", 0o777)
    try folder.write("mine", to: "precious/notes.txt")
    #expect(throws: CorpusError.self) { try TestCorpus.make(in: folder, "precious", replacing: true) }
    #expect(try folder.text("precious/notes.txt") == "mine")
    #expect(Corpus.names(in: folder.path) == ["precious", "small"])
  }

  @Test("What could not be read back is refused, and replaces nothing")
  func unreadable() throws {
    let former = try TestCorpus.make(in: folder)
    var manifest = TestCorpus.manifest()
    manifest.licence = String(repeating: "x", count: CorpusLimits.textBytes + 1)
    let error = #expect(throws: CorpusError.self) {
      try CorpusWriter(creating: "\(folder.path)/small", manifest: manifest, replacing: true)
    }
    #expect(error?.kind == .limit && error?.reason == "licence must have at most 2048 bytes")
    #expect(try Corpus(opening: "\(folder.path)/small").manifest == former.manifest)
  }

  @Test("A writer takes no more frames than there may be files beside the track and the truth")
  func mostFrames() throws {
    let writer = try CorpusWriter(creating: "\(folder.path)/many", manifest: TestCorpus.manifest())
    #expect(writer.frameLimit + 2 == CorpusLimits.files)
    writer.frameLimit = 1
    try writer.addFrame(TestCorpus.frame(0), suffix: "raw", time: 0, sequence: 0)
    let error = #expect(throws: CorpusError.self) {
      try writer.addFrame(TestCorpus.frame(1), suffix: "raw", time: 1, sequence: 1)
    }
    #expect(error?.kind == .limit)
    #expect(try writer.finish().manifest.frameCount == 1)
  }

  @Test("A writer that is dropped leaves nothing behind")
  func dropped() throws {
    var writer: CorpusWriter? = try CorpusWriter(
      creating: "\(folder.path)/half//", manifest: TestCorpus.manifest())
    try writer?.addFrame(TestCorpus.frame(0), suffix: "raw", time: 0, sequence: 0)
    #expect(throws: CorpusError.self) { try writer?.add(CorpusEvent(time: -1, kind: .unplug)) }
    writer = nil
    #expect(Corpus.names(in: folder.path).isEmpty)
  }

  /// As on a full disk: removing the last frame makes room for the track and the manifest.
  @Test("A corpus that could not be finished is finished with one frame less, and is valid")
  func lastFrameGivesWay() throws {
    let path = "\(folder.path)/short"
    let writer = try CorpusWriter(creating: path, manifest: TestCorpus.manifest())
    for number in 0..<3 as Range<UInt32> {
      let time = Int64(number) * 10
      try writer.add(CorpusEvent(time: time, kind: .angle(degrees: Double(number))))
      try writer.addFrame(TestCorpus.frame(number), suffix: "raw", time: time, sequence: number)
    }
    // A folder with the track's name makes `finish` fail.
    let obstacle = "\(path).partial-\(getpid())/track.jsonl"
    mkdir(obstacle, 0o777)
    #expect(throws: CorpusError.self) { try writer.finish() }
    rmdir(obstacle)
    #expect(writer.removeLastFrame())
    #expect(throws: CorpusError.self) {
      try writer.addFrame(TestCorpus.frame(9), suffix: "raw", time: -1, sequence: 9)
    }
    let corpus = try writer.finish()
    #expect(corpus.manifest.frameCount == 2 && corpus.manifest.durationNanoseconds >= 20)
    let events = try corpus.track().remaining()
    #expect(events.count(where: { if case .frame = $0.kind { true } else { false } }) == 2)
    #expect(Corpus.names(in: "\(path)/frames") == ["000001.raw", "000002.raw"])
    #expect(corpus.verify().findings == [])
  }

  @Test("The upright turn is the mount angle plus the attitude, or minus it for a front camera")
  func upright() {
    var manifest = TestCorpus.manifest()
    manifest.mountAngle = .clockwise90
    #expect(manifest.uprightOrientation(attitude: 0) == Orientation(rotation: .clockwise90))
    #expect(manifest.uprightOrientation(attitude: 91) == Orientation(rotation: .half))
    #expect(manifest.uprightOrientation(attitude: 355) == Orientation(rotation: .clockwise90))
    manifest.isMirrored = true
    #expect(manifest.uprightOrientation(attitude: 90) == Orientation(rotation: .none, isMirrored: true))
  }

  @Test("The list of corpora includes damaged ones")
  func list() throws {
    try TestCorpus.make(in: folder, "one")
    try TestCorpus.make(in: folder, "two")
    try folder.write("{", to: "two/corpus.json")
    let (corpora, problems) = Corpus.list(in: [folder.path, "/nonexistent"])
    #expect(corpora.map(\.manifest.name) == ["one"] && problems.count == 1)
  }
}
