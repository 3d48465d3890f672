import Console
import Dispatch
import Glibc

/// ^C and SIGTERM as cancellation: the command ends with what it has.
struct Interrupts {
  /// Runs `body`, cancelled on the first signal. A second one ends the program at once.
  static func cancelling<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await body() }
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if task.isCancelled { _exit(130) }
        Terminal.tell("swiftwing: ending with what there is; again to end at once")
        task.cancel()
      }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    return try await task.value
  }
}
