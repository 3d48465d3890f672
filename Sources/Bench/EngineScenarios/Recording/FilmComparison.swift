import Corpora
import Harness
import Imagery
import Recording
import System

/// A picture of a recording: its exposure time, and its bytes as a digest (64-bit FNV-1a) and a count.
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

/// The expected and the actual pictures of a recording, compared.
struct FilmComparison: Equatable {
  var expected = 0
  /// Number of expected pictures that the recording lacks.
  var missing = 0
  /// Number of pictures in the recording that were not expected, or not at that position.
  var foreign = 0
  /// The greatest difference between the moment at which a picture was exposed and its time stamp in the file, in nanoseconds.
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

  /// The resolution of times in a file: a microsecond, in nanoseconds.
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
  /// Reads the frames of a corpus, as recorded.
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

  /// Reads the frames of a video, independently of the code that wrote it.
  init(video path: String, _ facts: MovieFacts) throws {
    let file = try FilmBytes(path)
    self = try facts.frames.map { frame in
      try file.bytes(frame.bytes).withUnsafeBytes { FilmPicture(time: frame.time, $0) }
    }
  }
}
