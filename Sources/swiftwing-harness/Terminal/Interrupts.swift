import Console
import Dispatch
import Glibc
import Synchronization

/// ^C and SIGTERM as cancellation: the command ends with what it has.
struct Interrupts {
  private static let signals = [SIGINT, SIGTERM]
  /// A signal came before anyone could be cancelled.
  private static let early = Atomic(false)

  /// From here on a signal is kept for `cancelling`. That includes one that came since the launcher began, which blocks signals.
  static func keep() {
    // Initialized here, because a signal handler must not do it.
    early.store(false, ordering: .relaxed)
    for number in signals { signal(number) { _ in Interrupts.early.store(true, ordering: .relaxed) } }
    allow()
  }

  /// Lets signals through that the launcher has blocked.
  static func allow() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Runs `body`, cancelled on the first signal. A second one ends the program at once.
  static func cancelling<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await body() }
    let cancel: @Sendable () -> Void = {
      if task.isCancelled { _exit(130) }
      Terminal.tell("swiftwing: ending with a report of what is done; press ^C again to end at once")
      task.cancel()
    }
    let sources = signals.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      // Once registered, the source handles the signal; one that came before is noted in `early`.
      source.setRegistrationHandler {
        if early.exchange(false, ordering: .relaxed) { cancel() }
      }
      source.setEventHandler(handler: cancel)
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    return try await task.value
  }

  private static let queue = DispatchQueue(label: "swiftwing.interrupts")
}
