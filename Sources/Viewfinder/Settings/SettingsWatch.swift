import Glibc
package import System

/// Tells of every change of the settings, whichever program made it, within a second.
///
/// The kernel tells of changes in the file's folder (inotify(7)); once a second the file is looked at too, for file systems where it
/// does not.
package final class SettingsWatch: Sendable {
  private let wake: WakeSignal
  private let thread: Locked<NamedThread?>
  /// Between two looks at a file of which nothing is told, in milliseconds.
  private static let look: Int32 = 900

  /// Watches from now on.
  /// - Parameter tell: is told on a thread of the watch: first what holds now, then what holds after each change.
  /// - Throws: when the process has no thread or descriptor left.
  package init(
    _ file: SettingsFile, _ tell: @escaping @Sendable (SettingsFile.Reading) -> Void
  ) throws(ResourceShortage) {
    let wake = try WakeSignal()
    let started = try NamedThread(name: "settings") {
      var watcher = Watcher(file: file, wake: wake.descriptor)
      var last: SettingsFile.Reading?
      repeat {
        if let now = try? file.read(), now != last {
          last = now
          tell(now)
        }
      } while watcher.wait(SettingsWatch.look)
    }
    self.wake = wake
    thread = Locked(started)
  }

  deinit { end() }

  /// Nothing is told any more when this returns. Not to be called from `tell`.
  package func end() {
    guard let running = thread.withLock({ $0.take() }) else { return }
    wake.signal()
    running.join()
  }

  /// What holds now and after each change, until the stream is left. One that is slow misses what has been overtaken.
  package static func readings(of file: SettingsFile) throws(ResourceShortage) -> AsyncStream<
    SettingsFile.Reading
  > {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SettingsFile.Reading.self, bufferingPolicy: .bufferingNewest(16))
    let watch = try SettingsWatch(file) { continuation.yield($0) }
    // Not waited for: the task that leaves may be the one that the watch is just waking, and each would wait for the other.
    continuation.onTermination = { _ in NamedThread.detached(name: "settings-end") { watch.end() } }
    return stream
  }
}

/// Waits for changes in the folder of a file; confined to one thread.
private struct Watcher: ~Copyable {
  private let wake: CInt
  private let inotify: CInt
  private let folder: String
  private var isWatching: Bool

  init(file: SettingsFile, wake: CInt) {
    self.wake = wake
    // `IN_NONBLOCK` and `IN_CLOEXEC` are these two (inotify_init1(2)).
    inotify = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    folder = file.path.folderName ?? "."
    isWatching = Self.adds(folder, to: inotify)
  }

  deinit { if inotify >= 0 { close(inotify) } }

  private static func adds(_ folder: String, to inotify: CInt) -> Bool {
    let events = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM)
    return inotify >= 0 && inotify_add_watch(inotify, folder, events) >= 0
  }

  /// - Returns: false when the watch is to end.
  mutating func wait(_ milliseconds: Int32) -> Bool {
    // The folder may come later than we do.
    if !isWatching { isWatching = Self.adds(folder, to: inotify) }
    var polled = [
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&polled, inotify >= 0 ? 2 : 1, milliseconds)
    if count > 0, polled[0].revents != 0 { return false }
    if count > 0, polled[1].revents != 0 { drain() }
    return true
  }

  private mutating func drain() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(inotify, &bytes, bytes.count) > 0 {}
    // The folder itself may have gone: it is watched anew.
    if access(folder, F_OK) != 0 { isWatching = false }
  }
}
