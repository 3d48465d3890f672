/// A time limit for work.
struct Deadline: Sendable {
  let limit: Duration
  let clock: any Clock<Duration>
  static let grace = Duration.seconds(5)

  enum Outcome<Value: Sendable>: Sendable {
    case value(Value)
    case failure(any Error)
    /// The time was up. The work was cancelled, given `grace` to clean up, and then abandoned, so that work that hangs cannot stop the run.
    case timedOut
    /// The caller's task was cancelled.
    case interrupted
  }

  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async -> Outcome<Value> {
    let (outcomes, first) = AsyncStream<Outcome<Value>>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let worker = Task {
      do { first.yield(.value(try await work())) } catch { first.yield(.failure(error)) }
    }
    let timer = Task {
      // The sleep is cancelled if the work is done first.
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      first.yield(.timedOut)
    }
    let outcome = await withTaskCancellationHandler {
      for await outcome in outcomes { return outcome }
      return Outcome<Value>.interrupted
    } onCancel: {
      first.yield(.interrupted)
    }
    timer.cancel()
    worker.cancel()
    await wait(for: worker)
    return outcome
  }

  /// Waits until the worker has ended, at most for `grace`.
  private func wait(for worker: Task<Void, Never>) async {
    let (ends, end) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let waiter = Task {
      await worker.value
      end.yield()
    }
    let timer = Task {
      guard (try? await clock.sleep(for: Self.grace)) != nil else { return }
      end.yield()
    }
    // Waits in a task of its own, which the caller's cancellation does not end: the caller may be cancelled already.
    await Task { for await _ in ends { break } }.value
    waiter.cancel()
    timer.cancel()
  }
}
