import Corpora
import Harness
import Imagery
import Recording
import System

/// A picture of a recording: when it was exposed, and its bytes by their digest (FNV-1a of 64 bits, and how many there are).
struct FilmPicture: Equatable {
  /// Nanoseconds since the first picture.
  var time: Int64
  var digest: UInt64
  var byteCount: Int

  init(time: Int64, digest: UInt64, byteCount: Int) {
    self.time = time
    self.digest = digest
    self.byteCount = byteCount
  }

  init(time: Int64, _ bytes: UnsafeRawBufferPointer) {
    self.time = time
    byteCount = bytes.count
    digest = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  func isSamePicture(as other: FilmPicture) -> Bool { digest == other.digest && byteCount == other.byteCount }
}

/// What a recording should hold, and what it holds.
struct FilmComparison: Equatable {
  var expected = 0
  /// Pictures that came and are not there.
  var missing = 0
  /// Pictures that are there, and did not come, or not in that place.
  var foreign = 0
  /// The greatest difference between when a picture was exposed and what the file says, nanoseconds.
  var worstTime: Int64 = 0

  init(of expected: [FilmPicture], with found: [FilmPicture]) {
    self.expected = expected.count
    var next = 0
    for picture in expected {
      guard let place = found[next...].firstIndex(where: { $0.isSamePicture(as: picture) }) else {
        missing += 1
        continue
      }
      foreign += place - next
      worstTime = max(worstTime, abs(found[place].time - picture.time))
      next = place + 1
    }
    foreign += found.count - next
  }

  /// A file counts time in microseconds.
  static let precision: Int64 = 1_000

  func checks(_ name: String) -> [Check] {
    [
      Check(
        id: "recording.\(name).frames", title: "\(name): every frame is there once, byte by byte",
        passed: missing == 0 && foreign == 0, subjects: expected,
        detail: "\(missing) of \(expected) are missing, \(foreign) are foreign", requirement: "REC-1"),
      Check(
        id: "recording.\(name).times", title: "\(name): every frame has the time of its exposure",
        passed: worstTime <= Self.precision, subjects: expected - missing,
        detail: "the worst is \(Double(worstTime) / 1e6) ms off", requirement: "REC-1"),
    ]
  }
}

extension Array where Element == FilmPicture {
  /// The frames of a corpus, as it was recorded.
  init(_ corpus: Corpus) throws {
    self = []
    let track = try corpus.track()
    var first: Int64?
    while let event = try track.next() {
      guard case .frame(let frame) = event.kind else { continue }
      let start = first ?? event.time
      first = start
      append(try corpus.frame(frame.file).withBytes { FilmPicture(time: event.time - start, $0) })
    }
  }

  /// The frames of a video, read apart from what wrote it.
  init(video path: String, _ facts: MovieFacts) throws {
    let file = try FilmBytes(path)
    self = try facts.frames.map { frame in
      try file.bytes(frame.bytes).withUnsafeBytes { FilmPicture(time: frame.time, $0) }
    }
  }
}
