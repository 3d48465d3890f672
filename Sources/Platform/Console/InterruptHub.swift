import CLinux
import Glibc
import Synchronization
import System

/// Receives the process's signals: the handler writes each signal's number to a pipe, and a thread reads it and calls the watchers. A handler may
/// do little else (POSIX.1-2017, 2.4.3), and the pipe loses no signal.
enum InterruptHub {
  static let signals = [SIGINT, SIGTERM]

  private struct Watchers {
    var acts: [Int: @Sendable (CInt) -> Void] = [:]
    var last = 0
    /// A signal that arrived while there was no watcher.
    var kept: CInt?
  }

  private static let watchers = Locked(Watchers())
  /// The end of the pipe that the handler writes to. -1 before the pipe exists.
  private static let writer = Atomic<CInt>(-1)

  /// Starts receiving signals. From then on a signal does not end the program.
  static func listen() { _ = isListening }

  /// - Parameter act: called for every signal, and at once for a signal that arrived earlier.
  static func add(_ act: @escaping @Sendable (CInt) -> Void) -> Int {
    listen()
    let (number, early) = watchers.withLock { watchers in
      watchers.last += 1
      watchers.acts[watchers.last] = act
      defer { watchers.kept = nil }
      return (watchers.last, watchers.kept)
    }
    if let early { act(early) }
    return number
  }

  static func remove(_ number: Int) { watchers.withLock { $0.acts[number] = nil } }

  /// Installs the handler, once per process.
  private static let isListening: Bool = {
    var ends: [CInt] = [-1, -1]
    // Without a pipe or a thread, signals keep their default effect: they end the program.
    guard linux_pipe(&ends) == 0 else { return false }
    // The handler must never block. A full pipe holds more signals than are needed.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let reader = ends[0]
    do throws(ResourceShortage) {
      try NamedThread.start(name: "interrupts") { relay(from: reader) }
    } catch {
      close(ends[0])
      close(ends[1])
      return false
    }
    writer.store(ends[1], ordering: .releasing)
    for number in signals {
      signal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(InterruptHub.writer.load(ordering: .acquiring), &byte, 1)
        errno = before
      }
    }
    return true
  }()

  private static func relay(from reader: CInt) {
    var byte: UInt8 = 0
    while true {
      let count = read(reader, &byte, 1)
      if count == 1 { tell(CInt(byte)) } else if count == 0 || errno != EINTR { return }
    }
  }

  private static func tell(_ number: CInt) {
    let acts = watchers.withLock { watchers in
      // The second signal without a watcher ends the program.
      if watchers.acts.isEmpty, watchers.kept != nil { _exit(Interrupts.status) }
      if watchers.acts.isEmpty { watchers.kept = number }
      return watchers.acts
    }
    for (_, act) in acts.sorted(by: { $0.key < $1.key }) { act(number) }
  }
}
