import Glibc
import Imagery
import Testing

@testable import Corpora

@Suite("Verifying corpora")
struct VerificationTests {
  let folder = TestFolder()

  init() throws { try TestCorpus.make(in: folder) }

  private func findings() throws -> [String] {
    try Corpus(opening: "\(folder.path)/small").verify().findings
  }

  private func expect(_ part: String) throws {
    let findings = try findings()
    #expect(findings.contains { $0.contains(part) }, "\(findings)")
  }

  @Test("A valid corpus has no finding")
  func sound() throws { #expect(try findings().isEmpty) }

  @Test("A changed byte of a frame is found")
  func changed() throws {
    var bytes = try folder.bytes("small/frames/000002.raw")
    bytes[bytes.count - 1] ^= 1
    unlink("\(folder.path)/small/frames/000002.raw")
    try FolderTree.write(bytes, to: "\(folder.path)/small/frames/000002.raw")
    #expect(try findings().count == 1)
    try expect("000002.raw has changed")
  }

  @Test("A missing file, an unlisted file and a short raw frame are found")
  func files() throws {
    unlink("\(folder.path)/small/frames/000001.raw")
    try expect("000001.raw: there is no such file")
    try folder.write("x", to: "small/notes.txt")
    try expect("notes.txt is not named")
    try folder.write("short", to: "small/frames/000003.raw")
    try expect("it has 5 bytes, and a GREY frame has 1536")
  }

  @Test("Counts, times, sequence numbers and time-codes that do not agree are found")
  func disagreement() throws {
    try folder.replace("\"frameCount\": 5", with: "\"frameCount\": 6", in: "small/corpus.json")
    try expect("The track has 5 frames")
    try folder.replace("\"sequence\":3", with: "\"sequence\":1", in: "small/track.jsonl")
    try expect("sequence number 1, not above the 2")
    try expect("shows time-code 3, and its sequence number is 1")
    try folder.replace("\"t\":133334332", with: "\"t\":533333333333", in: "small/track.jsonl")
    try expect("after the end")
  }

  @Test("Truth outside the pictures, of missing files or of faults that did not happen is found")
  func truth() throws {
    try folder.replace("[1, 2.5, 10, 20]", with: "[1, 2.5, 10, 2000]", in: "small/truth.json")
    try expect("The spine Emma is in no frame as a whole.")
    try folder.replace("000001.raw", with: "000009.raw", in: "small/truth.json")
    try expect("truth.json names frames/000009.raw")
    let faults = """
      {"schema": "swiftwing-truth/1", "faults": [
      {"kind": "shortFrame", "t": 1000, "durationNanoseconds": 0, "lostFrames": 1, "file": "frames/000001.raw"},
      {"kind": "corruptFrame", "t": 1000, "durationNanoseconds": 0, "lostFrames": 1, "file": "frames/000002.raw"},
      {"kind": "stall", "t": 1000, "durationNanoseconds": 90000000, "lostFrames": 2},
      {"kind": "sequenceGap", "t": 133000000, "durationNanoseconds": 1000, "lostFrames": 2}]}
      """
    try folder.write(faults, to: "small/truth.json")
    try expect("000001.raw is complete, and truth.json says that it is short.")
    try expect("000002.raw decodes, and truth.json says that it is corrupt.")
    try expect("There are frames during the stall")
    try expect("loses 0 frames, and the truth says 2")
  }
}
