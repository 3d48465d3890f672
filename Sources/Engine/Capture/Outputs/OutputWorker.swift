package import System

/// A thread that works through items in order, with a limit on the number of waiting items. An item beyond the limit
/// replaces the oldest (preview, analysis: a slow output gets the newest, and the driver never runs out of buffers), or
/// is refused (photos: the caller gets an error). Without its thread, before `begin()`, it accepts nothing.
package final class OutputWorker<Item: Sendable>: Sendable {
  package enum Overflow { case replaceOldest, refuse }

  private struct Queue {
    var waiting: [Item] = []
    var isEnding = false
    /// True from the first item until no item waits. For the clock, all the items in between are one piece of work. So an item
    /// that waits behind a pausing item (`CaptureClock.pauseWork`) does not stop the time for which that item pauses.
    var isBusy = false
    var replaced = 0
    var thread: NamedThread?
    var hasBegun = false
  }

  private let name: String
  private let priority: ThreadPriority
  private let work: @Sendable (Item) -> Void
  private let queue = Locked(Queue())
  private let clock: any CaptureClock
  private let capacity: Int
  private let overflow: Overflow
  private let onReplaced: @Sendable (Item) -> Void
  private let onEnd: @Sendable () -> Void

  /// - Parameters:
  ///   - onReplaced: called on the thread of `offer` for each item that a newer one replaced.
  ///   - onEnd: called on the worker's thread when it ends.
  package init(
    name: String, priority: ThreadPriority = .ordinary, clock: any CaptureClock, capacity: Int,
    overflow: Overflow, onReplaced: @escaping @Sendable (Item) -> Void = { _ in },
    onEnd: @escaping @Sendable () -> Void = {},
    work: @escaping @Sendable (Item) -> Void
  ) {
    self.name = name
    self.priority = priority
    self.clock = clock
    self.capacity = capacity
    self.overflow = overflow
    self.onReplaced = onReplaced
    self.onEnd = onEnd
    self.work = work
    queue.withLock { $0.waiting.reserveCapacity(capacity + 1) }
  }

  /// Starts the thread, unless it runs already.
  /// - Throws: an error if the process cannot start another thread; `begin()` may then be called again.
  package func begin() throws(ResourceShortage) {
    let (queue, clock, work, onEnd) = (queue, clock, work, onEnd)
    try queue.withLock { state throws(ResourceShortage) in
      guard !state.hasBegun else { return }
      state.thread = try NamedThread(name: name, priority: priority) {
        while let item = Self.take(from: queue) {
          work(item)
          if Self.isDone(queue) { clock.workEnded() }
        }
        onEnd()
      }
      state.hasBegun = true
    }
  }

  /// The number of items that newer ones replaced.
  package var replacedCount: Int { queue.withLock { $0.replaced } }

  /// Adds an item; returns false if it was refused.
  /// - Parameter limit: the item is also refused if this number of items waits already.
  @discardableResult package func offer(_ item: Item, unlessWaiting limit: Int = .max) -> Bool {
    // Release the displaced item outside the lock.
    let (isAccepted, displaced): (Bool, Item?) = queue.withLock { queue in
      var oldest: Item?
      if queue.isEnding || !queue.hasBegun || queue.waiting.count >= limit { return (false, nil) }
      if queue.waiting.count >= capacity {
        guard overflow == .replaceOldest else { return (false, nil) }
        queue.replaced += 1
        oldest = queue.waiting.remove(at: 0)
      }
      queue.waiting.append(item)
      if !queue.isBusy { clock.workBegan() }
      queue.isBusy = true
      return (true, oldest)
    }
    if let displaced { onReplaced(displaced) }
    if isAccepted { queue.notify() }
    return isAccepted
  }

  /// Notes that an item was finished, and returns whether no other item waits.
  private static func isDone(_ queue: Locked<Queue>) -> Bool {
    queue.withLock { queue in
      queue.isBusy = !queue.waiting.isEmpty
      return !queue.isBusy
    }
  }

  /// Ends the thread after its waiting items, and waits for it. Must not be called on that thread. The worker may begin
  /// again afterwards.
  package func end() {
    let ending: NamedThread? = queue.withLock { queue in
      guard queue.hasBegun, !queue.isEnding else { return nil }
      queue.isEnding = true
      return queue.thread
    }
    guard let ending else { return }
    queue.notify()
    ending.join()
    queue.withLock { ($0.thread, $0.hasBegun, $0.isEnding) = (nil, false, false) }
  }

  private static func take(from queue: Locked<Queue>) -> Item? {
    queue.wait { queue in
      if !queue.waiting.isEmpty { return .some(queue.waiting.remove(at: 0)) }
      return queue.isEnding ? .some(nil) : nil
    }
  }
}
