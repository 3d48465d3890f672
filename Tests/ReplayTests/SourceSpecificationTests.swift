import Capture
import Corpora
import Foundation
import Imagery
import System
import Testing

@testable import Replay

@Suite("The text form of sources")
struct SourceSpecificationTests {
  /// Runs `body` with the path of a corpus folder whose manifest is `text`.
  private func withCorpus(_ text: String, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(text.utf8).write(to: folder.appendingPathComponent("corpus.json"))
    try body(folder.path)
  }

  @Test("A damaged corpus is bad input, reported in one sentence that names the file")
  func damagedCorpus() throws {
    try withCorpus("{") { folder in
      let error = #expect(throws: CameraError.self) {
        try SourceSpecification("corpus:\(folder)").makeSource(corpusRoots: [])
      }
      #expect(error?.isUnavailability == false)
      #expect(
        error?.description.hasPrefix("cannot use corpus:\(folder): cannot read \(folder)/corpus.json: ")
          == true)
      #expect(error?.description.contains(".;") == false && error?.description.hasSuffix(".") == false)
    }
  }

  @Test("A missing corpus is a source that is not available")
  func missingCorpus() {
    let error = #expect(throws: CameraError.self) {
      try SourceSpecification("corpus:nowhere").makeSource(corpusRoots: ["/nonexistent"])
    }
    #expect(error?.isUnavailability == true)
  }

  @Test(
    "A V4L2 format keeps its small letters, and may lack the spaces at its end",
    arguments: [
      ("pRAA", "pRAA"), ("yuyv", "YUYV"), ("Y10", "Y10 "), ("y16-be", "Y16 -BE"), ("Y16 -BE", "Y16 -BE"),
    ])
  func formatNames(name: String, printed: String) throws {
    let source = try SourceSpecification("/dev/video0?format=\(name)&black=64").makeSource(corpusRoots: [])
    let request = try #require(source as? V4L2Source).request
    #expect(request.description == printed)
    #expect(request.blackLevel == 64)
  }

  @Test("What is no format or no number is refused", arguments: ["format=Z16", "format=", "black=dark"])
  func wrongFormats(option: String) {
    #expect(throws: CameraError.self) {
      try SourceSpecification("/dev/video0?\(option)").makeSource(corpusRoots: [])
    }
  }

  @Test("Sizes are read as they are printed", arguments: ["x", "×"])
  func sizes(times: String) throws {
    let simulated = try SourceSpecification("simulated:640\(times)360@50").makeSource(corpusRoots: [])
    #expect((simulated as? SimulatedSource)?.size == PixelSize(width: 640, height: 360))
    let device = try SourceSpecification("/dev/video0?size=640\(times)480").makeSource(corpusRoots: [])
    #expect((device as? V4L2Source)?.request.size == PixelSize(width: 640, height: 480))
  }

  @Test("Sizes and rates of a device are read as they are printed")
  func wishes() throws {
    for text in ["/dev/video0?size=1024x768&fps=7.5", "/dev/video0?size=1024×768&fps=7.5"] {
      let source = try SourceSpecification(text).makeSource(corpusRoots: []) as? V4L2Source
      #expect(source?.request.size == PixelSize(width: 1024, height: 768))
      #expect(source?.request.description == "1024×768 7.5 fps")
    }
    #expect(throws: CameraError.self) {
      try SourceSpecification("/dev/video0?fps=nan").makeSource(corpusRoots: [])
    }
    #expect(throws: CameraError.self) {
      try SourceSpecification("/dev/video0?size=1024xx768").makeSource(corpusRoots: [])
    }
  }

  @Test("A recording is played several times as fast, with the frame interval of that speed")
  func speed() throws {
    func camera(_ options: String) throws -> any Camera {
      let source = try SourceSpecification("corpus:stills-12mp\(options)").makeSource(
        corpusRoots: ["Corpus"])
      return try source.makeCamera(clock: VirtualClock())
    }
    func interval(_ options: String) throws -> Duration? {
      try camera(options).open().formats.first?.frameInterval.duration
    }
    #expect(try interval("") == .seconds(1))
    #expect(try interval("?speed=5") == .milliseconds(200))
    for bad in ["0", "101", "-1", "fast", ""] {
      #expect(throws: CameraError.self) { try interval("?speed=\(bad)") }
    }
  }

  @Test("At five times the speed, times are a fifth; two seconds in a loop have two frames each time")
  func speedOfTrack() throws {
    let corpus = try Corpus.find("stills-12mp", searching: ["Corpus"])
    func times(_ options: ReplayOptions) throws -> [Duration] {
      var player = try TrackPlayer(corpus: corpus, options: options)
      var times: [Duration] = []
      while times.count < 10, let event = try player.next() { if event.isFrame { times.append(event.time) } }
      return times
    }
    var options = ReplayOptions()
    (options.loops, options.speed) = (true, 5)
    let expected = (0..<10).map { Duration.milliseconds(200) * $0 }
    #expect(try times(options) == expected)
    options.seconds = 2
    #expect(try times(options) == expected)
    options.loops = false
    #expect(try times(options).count == 2)
  }
}
