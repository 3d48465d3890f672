import Glibc

/// A thread that works through items handed to it, in order, with a bound on how many wait: what is over the bound
/// takes the place of the oldest (preview, analysis: a slow output gets the newest and never starves the driver), or
/// is refused (photos: the caller is told).
///
/// `@unchecked Sendable`: the variables are touched only with `mutex` held.
final class OutputWorker<Item: Sendable>: @unchecked Sendable {
  enum Overflow { case replaceOldest, refuse }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let clock: any CaptureClock
  private let capacity: Int
  private let overflow: Overflow
  private var waiting: [Item] = []
  private var isEnding = false
  private var replaced = 0
  private var thread: EngineThread?

  init(
    name: String, clock: any CaptureClock, capacity: Int, overflow: Overflow,
    work: @escaping @Sendable (Item) -> Void
  ) {
    self.clock = clock
    self.capacity = capacity
    self.overflow = overflow
    waiting.reserveCapacity(capacity + 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    thread = EngineThread(name: name) { [unowned self] in
      while let item = take() {
        work(item)
        clock.workEnded()
      }
    }
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// Items whose place a newer one took.
  var replacedCount: Int { locked { replaced } }

  /// False when the item was refused.
  @discardableResult func offer(_ item: Item) -> Bool {
    clock.workBegan()
    let (isAccepted, displaced): (Bool, Item?) = locked {
      if isEnding { return (false, nil) }
      guard waiting.count >= capacity else {
        waiting.append(item)
        return (true, nil)
      }
      guard overflow == .replaceOldest else { return (false, nil) }
      replaced += 1
      let oldest = waiting.removeFirst()
      waiting.append(item)
      return (true, oldest)
    }
    if isAccepted { pthread_cond_signal(changed) }
    if !isAccepted || displaced != nil { clock.workEnded() }
    return isAccepted
  }

  /// Lets go of what waits.
  func flush() {
    let dropped = locked {
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting
    }
    for _ in dropped { clock.workEnded() }
  }

  /// Ends the thread once it has worked through what waits, and waits for it. Not to be called from that thread.
  func end() {
    let ending = locked {
      isEnding = true
      pthread_cond_signal(changed)
      return thread.take()
    }
    ending?.join()
  }

  private func take() -> Item? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.isEmpty && !isEnding { pthread_cond_wait(changed, mutex) }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
