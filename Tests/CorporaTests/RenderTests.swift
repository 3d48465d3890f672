import Imagery
import Testing

@testable import Corpora
@testable import swiftwing_render

// Runs serially: Cairo shares its font caches among threads, and drawing on several threads has crashed. The program draws on one
// thread.
@Suite(
  "Drawing corpora", .serialized,
  .enabled(if: (try? FontLibrary()) != nil, "needs the fonts of apt-get install"))
struct RenderTests {
  let folder = TestFolder()

  private func fonts() throws { _ = try FontLibrary() }

  @Test("A folder without a name is refused, not taken for the root of the file system")
  func outWithoutAName() {
    #expect(RenderCommand(arguments: ["--out", "", "--help"]).run() == 2)
    #expect(RenderCommand(arguments: ["--out"]).run() == 2)
  }

  @Test("A small shelf pan made twice has the same bytes, and is valid")
  func twice() throws {
    try fonts()
    let pan = ShelfPan(size: PixelSize(width: 320, height: 180), frameCount: 3)
    let corpora = try ["one", "two"].map { place in
      try pan.record(
        DrawnRecording(name: "pan", directory: "\(folder.path)/\(place)/pan", isReplacing: false))
      return try Corpus(opening: "\(folder.path)/\(place)/pan")
    }
    #expect(corpora[0].digest == corpora[1].digest && corpora[0].fileCount == 5)
    let findings = corpora[0].verify().findings
    #expect(findings.filter { !$0.contains("is in no frame as a whole") } == [])
    let spines = try #require(try corpora[0].truth()).spines
    #expect(spines.count >= 40 && Set(spines.map(\.textAngle)) == [0, 90, 270])
    #expect(spines.contains { $0.isStacked })
  }

  @Test(
    "The pictures of the turn agree with the angles in the truth, mirrored or not", arguments: [false, true])
  func turn(isMirrored: Bool) throws {
    try fonts()
    var turn = TurnOfDevice(mountAngle: isMirrored ? .clockwise270 : .clockwise90, isMirrored: isMirrored)
    turn.size = PixelSize(width: 320, height: 240)
    turn.everyFrame = 45
    try turn.record(DrawnRecording(name: "turn", directory: "\(folder.path)/turn", isReplacing: false))
    let corpus = try Corpus(opening: "\(folder.path)/turn")
    #expect(corpus.verify().findings == [])
    var manifest = corpus.manifest
    manifest.isMirrored.toggle()
    #expect(manifest.uprightOrientation(attitude: 0) != corpus.manifest.uprightOrientation(attitude: 0))
    let angles = try corpus.track().remaining().filter { if case .angle = $0.kind { true } else { false } }
    #expect(angles.count == 301)
  }

  @Test("The EXIF orientation of the stills makes them upright")
  func stills() throws {
    try fonts()
    let stills = Stills(size: PixelSize(width: 400, height: 300), quality: 80)
    try stills.record(DrawnRecording(name: "stills", directory: "\(folder.path)/stills", isReplacing: false))
    let corpus = try Corpus(opening: "\(folder.path)/stills")
    #expect(corpus.verify().findings == [])
    let tags = try (1...8).map {
      try ImageFile.read(corpus.frame("frames/00000\($0).jpg").bytes).orientation.exif
    }
    #expect(Set(tags) == [1, 3, 6, 8])
  }

  @Test("Trouble has every kind of fault, and each is really there")
  func trouble() throws {
    try fonts()
    let trouble = Trouble(size: PixelSize(width: 160, height: 120))
    try trouble.record(
      DrawnRecording(name: "trouble", directory: "\(folder.path)/trouble", isReplacing: false))
    let corpus = try Corpus(opening: "\(folder.path)/trouble")
    let findings = corpus.verify().findings
    #expect(findings == [])
    #expect(Set(try #require(try corpus.truth()).faults.map(\.kind)) == Set(CorpusTruth.Fault.Kind.allCases))
  }

  @Test("Sine and cosine are right at every degree")
  func sine() {
    for degrees in -360...720 {
      let (sine, cosine) = Turn.sineAndCosine(Double(degrees))
      #expect(abs(sine * sine + cosine * cosine - 1) < 1e-6)
      if degrees % 90 == 0 { #expect([-1, 0, 1].contains(sine) && [-1, 0, 1].contains(cosine)) }
    }
    #expect(abs(Turn.sineAndCosine(30).0 - 0.5) < 1e-6 && Turn.sineAndCosine(90).0 == 1)
  }

  @Test("A bundled corpus is valid", .enabled(if: Corpus.names(in: "Corpus").count >= 5))
  func bundled() throws {
    #expect(Corpus.list(in: ["Corpus"]).corpora.count >= 5)
    #expect(try Corpus.find("turn", searching: ["Corpus"]).verify().findings == [])
  }
}
