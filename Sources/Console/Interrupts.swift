import Dispatch
import Glibc
import Locking
import Synchronization

/// ^C and SIGTERM, heard in one way by every command.
package enum Interrupts {
  /// The exit status of a command that ^C has ended: 130, as shells report it.
  package static let status: CInt = 130

  private static let signals = [SIGINT, SIGTERM]
  /// One that came before anyone was watching; 0 for none.
  private static let early = Atomic<CInt>(0)
  /// Notices signals even while all processors are busy.
  private static let queue = DispatchQueue(label: "swiftwing.interrupts", qos: .userInteractive)

  /// From here on a signal is kept for whoever watches first. That includes one that came since the launcher began, which blocks
  /// signals.
  package static func keep() {
    noteEarly()
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// From here on a signal does not end the program, and is noted.
  private static func noteEarly() {
    // Initialized here, because a signal handler must not do it.
    _ = early.load(ordering: .relaxed)
    for number in signals { signal(number) { Interrupts.early.store($0, ordering: .relaxed) } }
  }

  /// Runs `body`, cancelled on the first signal. A second one ends the program at once.
  /// - Parameter notice: told on the first one.
  package static func cancelling<Value: Sendable>(
    telling notice: String? = nil, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // One that comes before there is a watch must not end the program.
    noteEarly()
    let task = Task { try await body() }
    let watch = Watch { _ in
      if task.isCancelled { _exit(status) }
      if let notice { Terminal.tell(notice) }
      task.cancel()
    }
    defer { watch.end() }
    return try await task.value
  }

  /// Waits for one of the two signals, and returns its number.
  package static func wait() async -> CInt {
    let (heard, tell) = AsyncStream.makeStream(of: CInt.self)
    let watch = Watch { tell.yield($0) }
    defer { watch.end() }
    for await number in heard { return number }
    return SIGINT
  }

  /// Hears signals as long as it lives, on a thread of its own, so that work goes on until it has been told.
  package final class Watch {
    private let heard = Locked(false)
    private let sources: [any DispatchSourceSignal]

    /// - Parameter act: what to do at once, with the signal's number; without it the program looks at `isHeard`.
    package init(_ act: @escaping @Sendable (CInt) -> Void = { _ in }) {
      let hear: @Sendable (CInt) -> Void = { [heard] number in
        heard.withLock { $0 = true }
        act(number)
      }
      // Until a source has taken its place, which happens later.
      Interrupts.noteEarly()
      sources = Interrupts.signals.map { number in
        let source = DispatchSource.makeSignalSource(signal: number, queue: Interrupts.queue)
        source.setRegistrationHandler {
          // From here on the source hears; one that came before is noted.
          let number = Interrupts.early.exchange(0, ordering: .relaxed)
          if number != 0 { hear(number) }
        }
        source.setEventHandler { hear(number) }
        source.resume()
        return source
      }
    }

    deinit { end() }

    /// Whether a signal has come.
    package var isHeard: Bool { heard.withLock { $0 } }

    /// Stops watching. From then on a signal is ignored.
    package func end() { for source in sources { source.cancel() } }
  }
}
