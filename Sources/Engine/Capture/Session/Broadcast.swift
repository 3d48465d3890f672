import System

/// Sends changes to any number of listeners. Each listener has a stream of its own, which begins with the present state and keeps the newest
/// elements that its listener has not taken yet.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var last = 0
  }

  private let state = Locked(State())
  /// Listeners that have left but are still in `state`. They have a separate lock: a cancelled task adds itself here while it holds the
  /// runtime's lock for waking it, and a sender wakes tasks while it holds `state`. With one lock, the two would deadlock.
  private let gone = Locked<[Int]>([])

  package init() {}

  deinit { finish() }

  /// A stream for a new listener. It misses nothing that is sent from now on.
  /// - Parameter present: the first elements of the stream.
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

  /// Sends an element. Never blocks: a slow listener loses the oldest elements.
  package func tell(_ element: Element) {
    state.withLock { state in
      dropGone(&state)
      for listener in state.listeners.values { listener.yield(element) }
    }
  }

  /// The number of listeners, including those that left since the last change.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Ends all present streams. A later call of `listen(from:)` makes a new stream.
  package func finish() {
    let ending = state.withLock { state in
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in ending.values { listener.finish() }
  }
}

/// The number of elements that may wait for a listener: far more than are sent while a task is late.
private let broadcastBacklog = 256
