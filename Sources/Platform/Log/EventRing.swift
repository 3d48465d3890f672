import Synchronization

/// A queue of fixed size that any thread may add to without waiting and without memory, and one thread takes from (Dmitry Vyukov, "Bounded MPMC
/// queue"). What comes while it is full is counted, not kept.
///
/// `@unchecked Sendable`: a place belongs to one thread at a time, which its turn says. A writer owns it once it has moved `head` past it, until it stores the
/// next turn with release; the reader, which is one at a time, once it has loaded that turn with acquire.
final class EventRing: @unchecked Sendable {
  private struct Place: ~Copyable {
    /// Its position where it is free, one more where it is filled.
    let turn: Atomic<Int>
    var event: LogEvent?
  }

  private let places: UnsafeMutablePointer<Place>
  private let mask: Int
  private let head = Atomic<Int>(0)
  private var tail = 0
  private let lost = Atomic<Int>(0)

  /// - Parameter size: a power of two.
  init(size: Int) {
    precondition(size > 1 && size & (size - 1) == 0)
    mask = size - 1
    places = .allocate(capacity: size)
    for index in 0..<size { (places + index).initialize(to: Place(turn: Atomic(index), event: nil)) }
  }

  deinit {
    places.deinitialize(count: mask + 1)
    places.deallocate()
  }

  /// From any thread.
  func add(_ event: LogEvent) {
    var position = head.load(ordering: .relaxed)
    while true {
      let place = places + (position & mask)
      let turn = place.pointee.turn.load(ordering: .acquiring)
      if turn == position {
        let (isOurs, now) = head.weakCompareExchange(
          expected: position, desired: position + 1, ordering: .relaxed)
        if isOurs {
          place.pointee.event = event
          place.pointee.turn.store(position + 1, ordering: .releasing)
          return
        }
        position = now
      } else if turn < position {
        lost.add(1, ordering: .relaxed)
        return
      } else {
        position = head.load(ordering: .relaxed)
      }
    }
  }

  /// The oldest event; nil where there is none. From one thread at a time.
  func take() -> LogEvent? {
    let place = places + (tail & mask)
    guard place.pointee.turn.load(ordering: .acquiring) == tail + 1 else { return nil }
    let event = place.pointee.event
    place.pointee.turn.store(tail + mask + 1, ordering: .releasing)
    tail += 1
    return event
  }

  /// How many came while it was full, since this was last asked.
  func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
