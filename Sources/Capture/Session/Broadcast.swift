import Locking

/// Tells any number of listeners what changes. Each has a stream of its own, which begins with what holds now and keeps the newest
/// that its listener has not taken yet.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var last = 0
  }

  private let state = Locked(State())

  package init() {}

  deinit { finish() }

  /// A new listener's stream; nothing told from now on is missing in it.
  /// - Parameter present: what it begins with.
  package func listen(from present: [Element]) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(broadcastBacklog))
    let id = state.withLock { state in
      state.last += 1
      state.listeners[state.last] = continuation
      for element in present { continuation.yield(element) }
      return state.last
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in _ = state.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  /// Never blocks: a listener that is slow misses the oldest.
  package func tell(_ element: Element) {
    state.withLock { state in
      for listener in state.listeners.values { listener.yield(element) }
    }
  }

  /// Ends every stream there is; later ones are new.
  package func finish() {
    // Ended outside the lock: each says that it has ended, which takes the lock.
    let ending = state.withLock { state in
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in ending.values { listener.finish() }
  }
}

/// What a listener may leave waiting: far more than happens while a task is late.
private let broadcastBacklog = 256
