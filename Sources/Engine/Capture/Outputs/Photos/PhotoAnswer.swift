import System

/// The answer to a press of the shutter. Only the first call of `give` has an effect.
final class PhotoAnswer: Sendable {
  typealias Outcome = Result<CapturedPhoto, any Error>

  private struct State {
    var outcome: Outcome?
    var waiters: [Int: CheckedContinuation<CapturedPhoto, any Error>] = [:]
    /// Waits that were cancelled before they began.
    var cancelled: Set<Int> = []
    var last = 0
  }

  private let state = Locked(State())
  private let tell: @Sendable (Outcome) -> Void

  /// - Parameter tell: called with the answer when it is given.
  init(_ tell: @escaping @Sendable (Outcome) -> Void = { _ in }) { self.tell = tell }

  var isAwaited: Bool { state.withLock { $0.outcome == nil } }

  /// Gives the answer, unless there is one already.
  func give(_ outcome: Outcome) {
    let waiters = state.withLock { state -> [CheckedContinuation<CapturedPhoto, any Error>]? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    guard let waiters else { return }
    for waiter in waiters { waiter.resume(with: outcome) }
    tell(outcome)
  }

  /// Waits for the answer. A cancelled task throws `CancellationError` at once, which does not prevent the answer.
  func value() async throws -> CapturedPhoto {
    let id = state.withLock { state in
      state.last += 1
      return state.last
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early = state.withLock { state -> Outcome? in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if state.outcome == nil { state.waiters[id] = continuation }
          return state.outcome
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: id)
        if waiter == nil, state.outcome == nil { state.cancelled.insert(id) }
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }
}
