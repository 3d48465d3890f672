import Dispatch
import Glibc

/// ^C and SIGTERM as cancellation: the command ends with what it has.
enum Interrupts {
  /// Runs `body`, cancelled on the first signal. A second one ends the program at once.
  static func cancelling<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await body() }
    let sources = watch { _ in
      if task.isCancelled { _exit(130) }
      task.cancel()
    }
    defer { for source in sources { source.cancel() } }
    return try await task.value
  }

  /// Waits for one of the two; which.
  static func wait() async -> CInt {
    let (signals, tell) = AsyncStream.makeStream(of: CInt.self)
    let sources = watch { tell.yield($0) }
    defer { for source in sources { source.cancel() } }
    for await number in signals { return number }
    return SIGINT
  }

  private static func watch(_ act: @escaping @Sendable (CInt) -> Void) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { act(number) }
      source.resume()
      return source
    }
  }
}
