import Glibc
import System

/// ^C and SIGTERM, heard in one way by every command.
package enum Interrupts {
  /// The exit status of a command that ^C has ended: 130, as shells report it.
  package static let status: CInt = 130

  /// From here on a signal is kept for whoever watches first. That includes one that came since the launcher began, which blocks
  /// signals.
  package static func keep() {
    InterruptHub.listen()
    var set = sigset_t()
    sigemptyset(&set)
    for number in InterruptHub.signals { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Runs `body`, cancelled on the first signal. A second one ends the program at once.
  /// - Parameters:
  ///   - notice: told on the first one.
  ///   - abandon: what is still to be removed when the second one comes, while `body` may be at work.
  package static func cancelling<Value: Sendable>(
    telling notice: String? = nil, abandoning abandon: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // An interrupt before the watch begins must not end the program.
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
    private let heard: Locked<Bool>
    private let number: Int

    /// - Parameter act: what to do at once, with the signal's number; without it the program looks at `isHeard`.
    package init(_ act: @escaping @Sendable (CInt) -> Void = { _ in }) {
      let heard = Locked(false)
      self.heard = heard
      number = InterruptHub.add { signal in
        heard.withLock { $0 = true }
        act(signal)
      }
    }

    deinit { end() }

    /// Whether a signal has come.
    package var isHeard: Bool { heard.withLock { $0 } }

    /// Stops watching. A signal that comes when nobody watches is kept for the next one who does.
    package func end() { InterruptHub.remove(number) }
  }
}
