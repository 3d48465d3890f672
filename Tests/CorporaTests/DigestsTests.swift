import Glibc
import Imagery
import JSON
import Testing

@testable import Corpora

/// Reading `corpus.json` in pieces must give the same result as parsing all of it at once.
@Suite("Digests one by one")
struct DigestsTests {
  let folder = TestFolder()

  private static let digest = "sha256:" + String(repeating: "0a", count: 32)

  /// Returns the manifest read in pieces: the digests, and the rest as one JSON value. Nil if the manifest is refused.
  private func pieces(_ text: [UInt8]) -> (entries: [CorpusDigests.Entry], rest: JSONValue)? {
    guard (try? folder.writeManifest(text)) != nil,
      let digests = try? CorpusDigests(CorpusDirectory(opening: folder.path))
    else { return nil }
    var entries: [CorpusDigests.Entry] = []
    do {
      while let entry = try digests.next() { entries.append(entry) }
      return (entries, try JSONParser.parse(digests.rest))
    } catch { return nil }
  }

  /// Returns the manifest parsed at once, split into the same parts. The parser refuses duplicate names.
  private func whole(_ text: [UInt8]) -> (entries: [CorpusDigests.Entry], rest: JSONValue)? {
    guard let value = try? JSONParser.parse(text) else { return nil }
    guard case .object(var members) = value else { return ([], value) }
    guard case .object(let digests)? = members["digests"] else { return ([], .object(members)) }
    members["digests"] = .object([:])
    var entries: [CorpusDigests.Entry] = []
    for (file, value) in digests {
      guard case .string(let digest) = value, Digest.isWellFormed(digest) else { return nil }
      entries.append(CorpusDigests.Entry(file: file, digest: digest))
    }
    return (entries, .object(members))
  }

  private func expectSame(_ text: String) {
    let (pieces, whole) = (pieces(Array(text.utf8)), whole(Array(text.utf8)))
    #expect(pieces?.rest == whole?.rest, "\(text)")
    #expect(pieces.map { Set($0.entries) } == whole.map { Set($0.entries) }, "\(text)")
  }

  @Test("Reading in pieces gives the same as reading the whole")
  func pieces() {
    let entry = "\"a.jpg\": \"\(Self.digest)\""
    for text in [
      "{\"digests\": {\(entry)}}", "{\"digests\":{}}", "{\"digests\" :\n {  }, \"x\": 1}",
      "{\"digests\": {\(entry), \"b\\\"}, {.jpg\": \"\(Self.digest)\"}, \"after\": [1, {\"digests\": {\"x\": 2}}]}",
      "{\"a\": {\"digests\": {\"x\": \"y\"}}, \"digests\": {\(entry)}}",
      "{\"a\": \"digests\", \"b\": {\"x\": 1}}",
      "{\"a\": \"\\\"digests\\\": {\", \"digests\": {\(entry)}}", "{\"digests\": {\(entry),}}",
      "{\"digests\": {,}}",
      "{\"digests\": {\(entry) \(entry)}}", "{\"digests\": {\"a\": 1}}", "{\"digests\": {\"a\": {\(entry)}}}",
      "{\"digests\": {\"a\": [\(entry)]}}", "{\"digests\": {\(entry)}", "{\"digests\": {\(entry)",
      "{\"digests\" 1: {}}",
      "{\"digests\": [\(entry)]}", "{\"digests\": 5}", "{}", "", "[{\"digests\": {\(entry)}}]",
      "{\"digests\": {\(entry)}}}",
    ] { expectSame(text) }
  }

  @Test("Randomly damaged text is read the same in pieces and as a whole")
  func damage() {
    let sound = Array(
      "{\"x\": \"}{\", \"digests\": {\"a.jpg\": \"\(Self.digest)\", \"b.jpg\": \"\(Self.digest)\"}, \"y\": [{}, 1]}"
        .utf8)
    var random = SystemRandomNumberGenerator()
    let marks = Array("{}[]\",:\\ x1".utf8)
    for _ in 0..<400 {
      var text = sound
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        // Damages only the part before the digests, because damage within a digest is nearly always the same case.
        text[Int.random(in: 0..<40, using: &random)] = marks.randomElement(using: &random) ?? 0
      }
      let (pieces, whole) = (pieces(text), whole(text))
      // The parser refuses a duplicate name, which gives two entries here. Verifying the corpus would report it.
      if whole == nil, let pieces, Set(pieces.entries.map(\.file)).count < pieces.entries.count { continue }
      #expect(pieces?.rest == whole?.rest, "\(String(decoding: text, as: UTF8.self))")
      #expect(pieces.map { Set($0.entries) } == whole.map { Set($0.entries) })
    }
  }

  @Test("A repeated name, a digest that is too long, and a manifest beyond its limits are reported")
  func limits() throws {
    try TestCorpus.make(in: folder)
    let manifest = try folder.text("small/corpus.json")
    let entry = try #require(manifest.firstRange(of: "\"frames/000001.raw\""))
    try folder.write(
      manifest.replacingCharacters(in: entry, with: "\"frames/000002.raw\""), to: "small/corpus.json")
    let findings = try Corpus(opening: "\(folder.path)/small").verify().findings
    #expect(findings.contains("Files that have more than one digest in corpus.json: 1."))
    #expect(findings.contains { $0.hasSuffix("000001.raw is not named in corpus.json.") })
    for (old, long) in [
      ("frames/000001", String(repeating: "x", count: 5000)),
      ("A test", String(repeating: "x", count: 2 << 20)),
    ] {
      let range = try #require(manifest.firstRange(of: old))
      try folder.write(manifest.replacingCharacters(in: range, with: long), to: "small/corpus.json")
      let error = #expect(throws: CorpusError.self) { try Corpus(opening: "\(folder.path)/small") }
      #expect(error?.reason.contains("has more than") == true)
    }
  }

  @Test("A track with more events than are kept at once is reported, and can still be read event by event")
  func manyEvents() throws {
    let corpus = try TestCorpus.make(in: folder)
    let count = try corpus.track().remaining().count
    #expect(try corpus.track().count { _ in true } == count && count == 13)
    #expect(try corpus.track().remaining(atMost: 13).count == 13)
    let error = #expect(throws: CorpusError.self) { try corpus.track().remaining(atMost: 12) }
    #expect(error?.kind == .limit && error?.reason == "it has more than 12 events")
    let last = try corpus.track().first {
      if case .frame(let frame) = $0.kind { frame.sequence == 4 } else { false }
    }
    #expect(last?.time == 133_334_332)
  }

  /// Runs in a separate process, because the kernel counts memory per process, and memory that was freed after making the corpora
  /// would hide what the verification keeps.
  @Test("Memory does not grow with the number of frames")
  func memory() async throws {
    let place = Self.place(of: getpid())
    defer { FolderTree.remove(place) }
    for length in Self.lengths { try TestCorpus.make(at: "\(place)/\(length)", frames: length) }
    await #expect(processExitsWith: .success) {
      var peaks: [Int] = []
      // The first run is not compared, because it also makes the allocations that happen only once. The others are made twice, and
      // the lower peak counts: the kernel may read pages of the program again meanwhile.
      for length in [Self.lengths[0]] + Self.lengths + Self.lengths {
        try Peak.reset()
        let verification = try Corpus(opening: "\(Self.place(of: getppid()))/\(length)").verify()
        #expect(verification.isSound && verification.framesDecoded == length)
        peaks.append(try Peak.kibibytes())
      }
      // Eight bytes per name are 100 KiB. The events of all frames would be more than 1000 KiB, and names and digests 4000 KiB.
      #expect(min(peaks[2], peaks[4]) - min(peaks[1], peaks[3]) < 600, "\(peaks) KiB")
    }
  }

  private static let lengths = [200, 12_000]
  private static func place(of process: pid_t) -> String { "/tmp/swiftwing-corpora-memory-\(process)" }
}

extension TestFolder {
  func writeManifest(_ bytes: [UInt8]) throws {
    unlink("\(path)/corpus.json")
    try FolderTree.write(bytes, to: "\(path)/corpus.json")
  }
}

/// The peak resident memory of this process (proc(5): `clear_refs`, `VmHWM`).
private enum Peak {
  static func reset() throws {
    let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    try #require(write(file, "5", 1) == 1)
  }

  static func kibibytes() throws -> Int {
    let status = String(decoding: try TestFolder.bytes("/proc/self/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.split(separator: " ")[1]))
  }
}
