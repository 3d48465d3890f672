import Glibc
import System

/// Handles ^C and SIGTERM, in the same way for every command.
package enum Interrupts {
  /// The exit status of a command that ^C has ended: 130, as shells report it.
  package static let status: CInt = 130

  /// From now on keeps each signal until there is a watcher. This includes a signal
  /// that arrived since the start of the launcher, which blocks signals.
  package static func keep() {
    InterruptHub.listen()
    var set = sigset_t()
    sigemptyset(&set)
    for number in InterruptHub.signals { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Runs `body`, and cancels it on the first signal. A second signal ends the program at once.
  /// - Parameters:
  ///   - notice: printed on the first signal.
  ///   - abandon: removes leftovers on the second signal, possibly while `body` is still running.
  package static func cancelling<Value: Sendable>(
    telling notice: String? = nil, abandoning abandon: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // A signal before the watch is set up must not end the program.
    InterruptHub.listen()
    let task = Task { try await body() }
    let watch = Watch { _ in
      if task.isCancelled {
        abandon()
        _exit(status)
      }
      if let notice { Terminal.tell(notice) }
      task.cancel()
    }
    defer { watch.end() }
    return try await task.value
  }

  /// Waits for SIGINT or SIGTERM, and returns its number.
  package static func wait() async -> CInt {
    let (heard, tell) = AsyncStream.makeStream(of: CInt.self)
    let watch = Watch { tell.yield($0) }
    defer { watch.end() }
    for await number in heard { return number }
    return SIGINT
  }

  /// Watches signals during its lifetime. They are received on a separate thread, so the work continues until it is told to stop.
  package final class Watch {
    private let heard: Locked<Bool>
    private let number: Int

    /// - Parameter act: called at once with the signal's number. Without it the program checks `isHeard`.
    package init(_ act: @escaping @Sendable (CInt) -> Void = { _ in }) {
      let heard = Locked(false)
      self.heard = heard
      number = InterruptHub.add { signal in
        heard.withLock { $0 = true }
        act(signal)
      }
    }

    deinit { end() }

    /// Whether a signal has arrived.
    package var isHeard: Bool { heard.withLock { $0 } }

    /// Stops watching. A signal that arrives without a watcher is kept for the next one.
    package func end() { InterruptHub.remove(number) }
  }
}
