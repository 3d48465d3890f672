import System

/// Tells any number of listeners what changes. Each has a stream of its own, which begins with what holds now and keeps the newest
/// that its listener has not taken yet.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var last = 0
  }

  private let state = Locked(State())
  /// Listeners that have left and are still in `state`. A lock of its own: a task that is being cancelled says so while it holds what the
  /// runtime needs to wake it, and whoever tells wakes tasks while it holds `state`. With one lock both would wait for ever.
  private let gone = Locked<[Int]>([])

  package init() {}

  deinit { finish() }

  /// A new listener's stream; nothing told from now on is missing in it.
  /// - Parameter present: what it begins with.
  package func listen(from present: [Element]) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(broadcastBacklog))
    let id = state.withLock { state in
      dropGone(&state)
      state.last += 1
      state.listeners[state.last] = continuation
      for element in present { continuation.yield(element) }
      return state.last
    }
    continuation.onTermination = { [gone] _ in gone.withLock { $0.append(id) } }
    return stream
  }

  private func dropGone(_ state: inout State) {
    let left = gone.withLock { gone in
      defer { gone = [] }
      return gone
    }
    for id in left { state.listeners[id] = nil }
  }

  /// Never blocks: a listener that is slow misses the oldest.
  package func tell(_ element: Element) {
    state.withLock { state in
      dropGone(&state)
      for listener in state.listeners.values { listener.yield(element) }
    }
  }

  /// Listeners that are kept, with those that left since the last change.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Ends every stream there is; later ones are new.
  package func finish() {
    let ending = state.withLock { state in
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in ending.values { listener.finish() }
  }
}

/// What a listener may leave waiting: far more than happens while a task is late.
private let broadcastBacklog = 256
