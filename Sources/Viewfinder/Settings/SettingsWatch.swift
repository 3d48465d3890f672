import Glibc
package import System

/// Reports every change of the settings within a second, whichever program made it.
///
/// The kernel reports changes in the file's folder (inotify(7)). The file is also checked about once a second, for file systems of which
/// the kernel reports no changes.
package final class SettingsWatch: Sendable {
  private let wake: WakeSignal
  private let thread: Locked<NamedThread?>
  /// The time between two checks of the file, in milliseconds.
  private static let look: Int32 = 900

  /// Starts watching.
  /// - Parameter tell: called on the watch's thread, first with the present settings, then after each change.
  /// - Throws: an error if the process has no thread or descriptor left.
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

  /// Ends watching. `tell` is not called after this returns. Do not call this from `tell`.
  package func end() {
    guard let running = thread.withLock({ $0.take() }) else { return }
    wake.signal()
    running.join()
  }

  /// The settings now and after each change, until the stream is released. A slow reader misses intermediate states.
  package static func readings(of file: SettingsFile) throws(ResourceShortage) -> AsyncStream<
    SettingsFile.Reading
  > {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SettingsFile.Reading.self, bufferingPolicy: .bufferingNewest(16))
    let watch = try SettingsWatch(file) { continuation.yield($0) }
    // Ends the watch on another thread, because the task that ends the stream may be the task that the watch is waking. The two would wait
    // for each other.
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
    // The values of `IN_NONBLOCK` and `IN_CLOEXEC` (inotify_init1(2)).
    inotify = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    folder = file.path.folderName ?? "."
    isWatching = Self.adds(folder, to: inotify)
  }

  deinit { if inotify >= 0 { close(inotify) } }

  private static func adds(_ folder: String, to inotify: CInt) -> Bool {
    let events = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM)
    return inotify >= 0 && inotify_add_watch(inotify, folder, events) >= 0
  }

  /// - Returns: false if the watch must end.
  mutating func wait(_ milliseconds: Int32) -> Bool {
    // The folder may be created after the watch was started.
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
    // If the folder itself is gone, watch it anew once it exists.
    if access(folder, F_OK) != 0 { isWatching = false }
  }
}
