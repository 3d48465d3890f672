import CFloor
import Glibc
import Imagery
import Subjects

// The photo path and the same thing by hand in C (IMG-5), by turns in one process, in CPU milliseconds.

/// Times both, round by round, so that whatever the machine is doing happens to both.
func contest(_ title: String, rounds: Int, floor: () throws -> Int, ours: () throws -> Int) throws {
  _ = (try floor(), try ours())
  let pairs = try (0..<rounds).map { _ in (floor: try milliseconds(floor), ours: try milliseconds(ours)) }
  print("\(title), \(rounds) rounds by turns (median, second lowest – second highest)")
  row("C", pairs.map(\.floor), "ms")
  row("SwiftWing", pairs.map(\.ours), "ms")
  row("ratio", pairs.map { $0.ours / $0.floor }, "")
}

func milliseconds(_ body: () throws -> Int) rethrows -> Double {
  let began = cpuNanoseconds()
  let bytes = try body()
  precondition(bytes > 0, "nothing was encoded")
  return Double(cpuNanoseconds() - began) / 1e6
}

func cpuNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func row(_ name: String, _ values: [Double], _ unit: String) {
  let sorted = values.sorted()
  func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
  let label = name + String(repeating: " ", count: 12 - name.count)
  print(
    "  \(label)\(text(sorted[sorted.count / 2])) \(unit)  (\(text(sorted[1])) – \(text(sorted[sorted.count - 2])))"
  )
}

func run(_ arguments: [String]) throws {
  let rounds = max(3, arguments.dropFirst(2).first.flatMap { Int($0) } ?? 31)
  let subjects = try Subjects(corpora: arguments.dropFirst().first ?? "../Corpus")
  guard let floor = photo_floor_open(4096, 3072) else {
    fatalError("no memory for the C pipeline")
  }
  defer { photo_floor_close(floor) }
  let (pipeline, settings) = (PhotoPipeline(), PhotoSettings(maximumBytes: nil))
  let turned = Orientation(rotation: .clockwise90)
  func photo(_ image: PixelBuffer) throws -> Int {
    try pipeline.process(image, orientation: turned, settings: settings).bytes.count
  }
  func jpeg(_ image: PixelBuffer, eighths: Int32, height: Int32) -> Int {
    let plane = image.planes[0]
    return photo_floor_jpeg(floor, plane.base, plane.byteCount, eighths, 1024, height)
  }
  func nv12(_ image: PixelBuffer) -> Int {
    let (luma, chroma) = (image.planes[0], image.planes[1])
    return photo_floor_nv12(
      floor, luma.base, Int32(luma.bytesPerRow), chroma.base, Int32(chroma.bytesPerRow), 4000, 3000, 1024, 768
    )
  }
  try contest(
    "12 MP JPEG → 90° → 768×1024", rounds: rounds,
    floor: { jpeg(subjects.jpeg12MP, eighths: 3, height: 768) }, ours: { try photo(subjects.jpeg12MP) })
  try contest(
    "12 MP NV12 → 90° → 768×1024", rounds: rounds,
    floor: { nv12(subjects.nv12MP12) }, ours: { try photo(subjects.nv12MP12) })
  try contest(
    "1080p MJPEG → 90° → 576×1024", rounds: rounds,
    floor: { jpeg(subjects.mjpegHD, eighths: 6, height: 576) }, ours: { try photo(subjects.mjpegHD) })
}

do { try run(CommandLine.arguments) } catch {
  print("floor: \(error)")
  exit(1)
}
