import Glibc
import Imagery
import Testing

@testable import Corpora

@Suite("Hostile corpora")
struct HostileCorpusTests {
  let folder = TestFolder()

  init() throws { try TestCorpus.make(in: folder) }

  private var path: String { "\(folder.path)/small" }

  /// Returns the error that `body` throws, and checks that its text is one plain sentence.
  private func error(_ body: () throws -> Void) throws -> CorpusError {
    let error = try #require(throws: CorpusError.self, performing: body)
    #expect(error.description.hasPrefix("Cannot ") && error.description.hasSuffix("."))
    #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
    return error
  }

  @Test(
    "Names that lead out are refused",
    arguments: [
      "../secret", "/etc/passwd", "frames/../../secret", "", ".", "..", "frames//x", "frames/", "a\0b",
      "a\nb",
      "./frames/000001.raw", String(repeating: "a/", count: 9) + "b", String(repeating: "x", count: 600),
    ])
  func escape(name: String) throws {
    let corpus = try Corpus(opening: path)
    #expect(try error { _ = try corpus.frame(name) }.kind == .unsafeName)
  }

  @Test("Links are not followed: a file, a folder on the way, the manifest")
  func links() throws {
    try folder.write("secret", to: "secret")
    symlink("\(folder.path)/secret", "\(path)/frames/link.raw")
    symlink(folder.path, "\(path)/out")
    let corpus = try Corpus(opening: path)
    #expect(try error { _ = try corpus.frame("frames/link.raw") }.kind == .unsafeName)
    #expect(throws: CorpusError.self) { try corpus.frame("out/secret") }
    unlink("\(path)/corpus.json")
    symlink("\(folder.path)/secret", "\(path)/corpus.json")
    #expect(try error { _ = try Corpus(opening: path) }.kind == .unsafeName)
  }

  @Test("A pipe in place of a frame neither blocks nor is read")
  func pipe() throws {
    mkfifo("\(path)/frames/pipe.raw", 0o666)
    #expect(try error { _ = try Corpus(opening: path).frame("frames/pipe.raw") }.kind == .malformed)
    #expect(throws: CorpusError.self) { try Corpus(opening: path).frame("frames") }
  }

  @Test(
    "A manifest out of bounds is refused",
    arguments: [
      ("\"width\": 48", "\"width\": 2000000000"), ("\"width\": 48", "\"width\": 0"),
      ("\"width\": 48", "\"width\": 32768, \"w\": 1"), ("\"width\": 48", "\"width\": NaN"),
      ("\"width\": 48", "\"width\": 1e400"), ("\"width\": 48", "\"width\": \"48\""), ("\"height\": 32,", ""),
      ("\"height\": 32", "\"height\": -32"), ("\"frameCount\": 5", "\"frameCount\": 1000000000"),
      ("\"denominator\": 30", "\"denominator\": 0"), ("\"denominator\": 30", "\"denominator\": 1000000000"),
      ("\"mountAngle\": 0", "\"mountAngle\": 45"), ("\"GREY\"", "\"H264\""),
      ("swiftwing-corpus/1", "other/9"),
      ("\"durationNanoseconds\": ", "\"durationNanoseconds\": -"), ("sha256:", "md5:"),
      ("\"exposureEdge\": \"startOfExposure\"", "\"exposureEdge\": \"never\""), ("{", "[[[[{"),
      ("\"stills\"", "\"mirrored\""),
    ])
  func manifest(old: String, new: String) throws {
    if new.contains("\"w\"") {
      try folder.replace("\"height\": 32", with: "\"height\": 32768", in: "small/corpus.json")
    }
    try folder.replace(old, with: new, in: "small/corpus.json")
    #expect(try error { _ = try Corpus(opening: path) }.kind == .malformed)
  }

  @Test("Charts outside the picture are refused")
  func charts() throws {
    try folder.replace("[4, 4, 24, 24]", with: "[40, 4, 24, 9223372036854775807]", in: "small/corpus.json")
    #expect(try error { _ = try Corpus(opening: path) }.kind == .malformed)
  }

  @Test(
    "A track line that is wrong is refused by its number",
    arguments: [
      "{\"t\":5,\"type\":\"explosion\"}", "{\"t\":-1,\"type\":\"unplug\"}", "{\"t\":NaN,\"type\":\"unplug\"}",
      "{\"t\":5,\"type\":\"angle\",\"degrees\":1e999}", "{\"t\":5,\"type\":\"angle\",\"degrees\":\"up\"}",
      "{\"t\":5,\"type\":\"frame\",\"file\":\"../x\",\"sequence\":1}",
      "{\"t\":5,\"type\":\"frame\",\"file\":\"x\",\"sequence\":4294967296}",
      "{\"t\":5,\"type\":\"frame\",\"file\":\"x\",\"sequence\":1,\"byteCount\":99999999999}",
      "{\"t\":9223372036854775808,\"type\":\"unplug\"}", "{\"t\":9000000000000000000,\"type\":\"unplug\"}",
      "{\"t\":5,\"type\":\"unplug\"} {}", "", "\u{FEFF}", "{\"t\":5,\"t\":6,\"type\":\"unplug\"}",
      "{\"t\":5,\"type\":\"interruption\",\"reason\":\"\\ud800\",\"phase\":\"began\"}",
    ])
  func track(line: String) throws {
    try folder.write("{\"t\":0,\"type\":\"unplug\"}\n\(line)\n", to: "small/track.jsonl")
    let track = try Corpus(opening: path).track()
    #expect(try track.next()?.kind == .unplug)
    let error = try error { _ = try track.next() }
    #expect(error.kind == .malformed && error.description.contains("line 2"))
  }

  @Test("Time must not run backwards")
  func backwards() throws {
    try folder.write(
      "{\"t\":5,\"type\":\"unplug\"}\n{\"t\":4,\"type\":\"replug\"}\n", to: "small/track.jsonl")
    #expect(try error { _ = try Corpus(opening: path).track().remaining() }.description.contains("before"))
  }

  @Test("A giant line is refused without being kept", arguments: [5000, 300_000])
  func giantLine(length: Int) throws {
    try folder.write(String(repeating: " ", count: length), to: "small/track.jsonl")
    #expect(try error { _ = try Corpus(opening: path).track().next() }.kind == .limit)
  }

  @Test("A last line without an end is read; an empty track has no events")
  func lastLine() throws {
    try folder.write("{\"t\":0,\"type\":\"unplug\"}", to: "small/track.jsonl")
    #expect(try Corpus(opening: path).track().remaining().count == 1)
    try folder.write("", to: "small/track.jsonl")
    #expect(try Corpus(opening: path).track().remaining().isEmpty)
  }

  @Test("Brackets nested a million deep neither crash nor take long")
  func nested() throws {
    try folder.write(String(repeating: "[", count: 1_000_000), to: "small/corpus.json")
    #expect(try error { _ = try Corpus(opening: path) }.kind == .malformed)
  }

  @Test("Missing things are named: corpus, manifest, frame")
  func missing() throws {
    #expect(try error { _ = try Corpus(opening: "\(folder.path)/none") }.kind == .notFound)
    #expect(try error { _ = try Corpus.find("none", searching: [folder.path]) }.kind == .notFound)
    #expect(try error { _ = try Corpus.find("..", searching: [folder.path]) }.kind == .notFound)
    #expect(try error { _ = try Corpus(opening: path).frame("frames/999999.raw") }.kind == .notFound)
    unlink("\(path)/corpus.json")
    #expect(try error { _ = try Corpus(opening: path) }.kind == .notFound)
    unlink("\(path)/truth.json")
  }

  @Test("Random damage to the text files never crashes, and what is read stays in bounds")
  func fuzz() throws {
    var random = SystemRandomNumberGenerator()
    let names = ["small/corpus.json", "small/track.jsonl", "small/truth.json"]
    let originals = try names.map { try folder.bytes($0) }
    for _ in 0..<300 {
      let index = Int.random(in: 0..<3, using: &random)
      var bytes = originals[index]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      unlink("\(folder.path)/\(names[index])")
      try FolderTree.write(bytes, to: "\(folder.path)/\(names[index])")
      if let corpus = try? Corpus(opening: path) {
        #expect(corpus.manifest.size.area <= CorpusLimits.area)
        _ = corpus.verify()
      }
      unlink("\(folder.path)/\(names[index])")
      try FolderTree.write(originals[index], to: "\(folder.path)/\(names[index])")
    }
  }
}
