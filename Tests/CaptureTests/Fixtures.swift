import Capture
import Glibc
import Imagery
import System

/// Records the pictures of a preview.
final class Shown: Sendable {
  private let pictures = Locked<[PresentedPicture]>([])
  func add(_ picture: PresentedPicture) { pictures.withLock { $0.append(picture) } }
  var all: [PresentedPicture] { pictures.withLock { $0 } }
}

final class Counter: Sendable {
  private let count = Locked(0)
  func increment() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

/// Every kind of output. Each begins and ends with its session, and fails to begin if it gets no thread.
struct EveryOutput {
  struct Working {
    let output: any FrameOutput
    /// The least number of results that ten frames in 200 ms must give.
    let least: Int
    /// The number of results so far.
    let done: @Sendable () -> Int
  }

  let photos: PhotoOutput
  let all: [Working]

  init(clock: any CaptureClock = SystemClock()) {
    let (shown, analysed) = (Counter(), Counter())
    let surface = OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock)
    let preview = PreviewOutput(surface: surface, clock: clock) { _ in shown.increment() }
    let analysis = AnalysisOutput(clock: clock) { _ in analysed.increment() }
    photos = PhotoOutput(clock: clock)
    all = [
      // No test requests a photo from it.
      Working(output: photos, least: 0) { 0 },
      Working(output: preview, least: 10) { shown.value },
      Working(output: analysis, least: 5) { analysed.value },
    ]
  }
}

/// The process's resources that belong to the engine, as the kernel reports them. Threads and descriptors of the Swift runtime's
/// pool are not counted, because it creates more of them when the machine is busy.
struct Resources: Equatable {
  /// The number of threads with one of the engine's names.
  var threads: Int
  /// The number of `eventfd`s of wake-up signals, including one or two that the runtime may have.
  var signals: Int

  private static let names: Set<String> = [
    "capture", "preview", "photo", "photo-later", "photo-band", "analysis", "motion", "session-end",
    "output-end",
    "discovery",
    "discovery-end",
  ]

  static func now() -> Resources {
    // A new thread of the pool has the name of its creator until it runs. The loop waits until no engine's name is left; a leaked
    // thread keeps its name.
    for _ in 0..<10_000 where engineThreads > 0 { sched_yield() }
    return Resources(
      threads: engineThreads,
      signals: entries(in: "/proc/self/fd").count { target(of: "/proc/self/fd/\($0)").contains("[eventfd]") })
  }

  private static var engineThreads: Int {
    entries(in: "/proc/self/task").count { names.contains(line(of: "/proc/self/task/\($0)/comm")) }
  }

  private static func entries(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  private static func target(of link: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    return String(decoding: buffer.prefix(max(0, readlink(link, &buffer, buffer.count))), as: UTF8.self)
  }

  private static func line(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 64)
    guard fgets(&buffer, 64, file) != nil else { return "" }
    return String(
      decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
