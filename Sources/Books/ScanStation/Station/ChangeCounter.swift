import System

/// Counts changes, and lets tasks wait for the next one.
final class ChangeCounter: Sendable {
  private struct State {
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.count } }

  func increment() {
    let waiting = state.withLock { state in
      state.count += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once the count is above `seen`. May return early if a task is cancelled.
  func wait(after seen: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.count > seen || Task.isCancelled { return true }
          state.waiting.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      // Wakes all waiting tasks. The cancelled one sees that it is cancelled; the others check their condition again.
      increment()
    }
  }
}
