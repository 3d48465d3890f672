import Glibc
import Harness

/// The system resources that this process holds, as counted by the kernel, so that the proof against leaks does not rely on the engine.
package struct ProcessFootprint: Sendable, Equatable {
  /// Number of open descriptors.
  package var descriptors = 0
  /// Number of open descriptors of video devices.
  package var videoDescriptors = 0
  /// Number of mapped areas.
  package var mappings = 0
  /// Number of mapped areas of video buffers. A picture that is still on loan keeps its buffer mapped.
  package var videoMappings = 0
  /// Number of threads, without the thread pool of the Swift runtime, which grows by a thread or two when the machine is busy.
  package var threads = 0
  /// Number of threads of the engine.
  package var engineThreads = 0

  package init(
    descriptors: Int = 0, videoDescriptors: Int = 0, mappings: Int = 0, videoMappings: Int = 0,
    threads: Int = 0,
    engineThreads: Int = 0
  ) {
    self.descriptors = descriptors
    self.videoDescriptors = videoDescriptors
    self.mappings = mappings
    self.videoMappings = videoMappings
    self.threads = threads
    self.engineThreads = engineThreads
  }

  /// The names of the engine's threads.
  private static let engineNames: Set<String> = [
    "capture", "preview", "photo", "photo-later", "analysis", "recording", "motion",
  ]

  /// The kernel keeps the last 15 characters of names such as `com.apple.root.default-qos.overcommit`.
  /// - Parameter program: the name of the main thread. Before Swift 6.3 the threads of the pool have this name too, and no thread of the
  /// engine has it.
  static func isOfPool(_ thread: String, of program: String) -> Bool {
    #if compiler(<6.3)
      if thread == program { return true }
    #endif
    return thread.contains("-qos")
  }

  /// Returns the least of several counts for each resource. A file that is open for a moment, such as the file with the load of other programs, is
  /// missing in some of the counts; a leak is in all.
  package static func lasting() async -> ProcessFootprint {
    var least = now()
    for _ in 1..<5 {
      try? await Task.sleep(for: .milliseconds(4))
      least = least.least(now())
    }
    return least
  }

  func least(_ other: ProcessFootprint) -> ProcessFootprint {
    ProcessFootprint(
      descriptors: min(descriptors, other.descriptors),
      videoDescriptors: min(videoDescriptors, other.videoDescriptors),
      mappings: min(mappings, other.mappings), videoMappings: min(videoMappings, other.videoMappings),
      threads: min(threads, other.threads), engineThreads: min(engineThreads, other.engineThreads))
  }

  package static func now() -> ProcessFootprint {
    var print = ProcessFootprint()
    for entry in names(in: "/proc/self/fd") {
      print.descriptors += 1
      if target(of: "/proc/self/fd/\(entry)").hasPrefix("/dev/video") { print.videoDescriptors += 1 }
    }
    for line in (SystemFile.text("/proc/self/maps") ?? "").split(separator: "\n") {
      print.mappings += 1
      if line.contains(" /dev/video") { print.videoMappings += 1 }
    }
    let main = getpid()
    let program = threadName(main)
    for entry in names(in: "/proc/self/task") {
      let thread = pid_t(entry) ?? 0
      let name = threadName(thread)
      print.threads += thread != main && isOfPool(name, of: program) ? 0 : 1
      print.engineThreads += engineNames.contains(name) ? 1 : 0
    }
    return print
  }

  private static func threadName(_ thread: pid_t) -> String {
    (SystemFile.text("/proc/self/task/\(thread)/comm") ?? "").filter { $0 != "\n" }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func target(of link: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink(link, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
  }
}

/// Repeated counts of a resource that should not grow.
package struct Growth: Sendable {
  let counts: [Int]

  package init(counts: [Int]) { self.counts = counts }

  /// The growth from the least count of the first quarter to the least count of the last quarter. So temporary resources (threads of a
  /// pool, memory kept for reuse) do not count, and lasting resources do. The first fifth is left out, because caches fill then.
  package var lasting: Int {
    let settled = counts.dropFirst(counts.count / 5)
    let quarter = max(1, settled.count / 4)
    guard let first = settled.prefix(quarter).min(), let last = settled.suffix(quarter).min() else {
      return 0
    }
    return last - first
  }
}
