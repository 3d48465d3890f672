/// Runs work for at most so long.
struct Deadline: Sendable {
  let limit: Duration
  let clock: any Clock<Duration>
  static let grace = Duration.seconds(5)

  enum Outcome<Value: Sendable>: Sendable {
    case value(Value)
    case failure(any Error)
    /// The time was up; the work was cancelled, given `grace` to put its things away, and then left behind, so that one
    /// that hangs cannot hold the run.
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
      // Cancelled when the work is done first.
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

  /// Until the worker has ended, or for `grace`.
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
    // Not ended by the caller's cancellation: the caller may be what was cancelled.
    await Task { for await _ in ends { break } }.value
    waiter.cancel()
    timer.cancel()
  }
}
