import Synchronization

/// A queue of fixed size. Any thread may add to it without waiting or allocating, and one thread takes from it (Dmitry Vyukov, "Bounded MPMC
/// queue"). Events that arrive while it is full are counted and dropped.
///
/// `@unchecked Sendable`: each place belongs to one thread at a time; the place's turn determines to which. A writer owns a place from moving
/// `head` past it until it stores the next turn with release ordering; the single reader owns it once it has loaded that turn with acquire ordering.
final class EventRing: @unchecked Sendable {
  private struct Place: ~Copyable {
    /// The position in the queue for which the place is free, or this position plus one if it is filled.
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

  /// Adds an event. May be called from any thread.
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

  /// Takes the oldest event. Nil if there is none. Only one thread at a time may call it.
  func take() -> LogEvent? {
    let place = places + (tail & mask)
    guard place.pointee.turn.load(ordering: .acquiring) == tail + 1 else { return nil }
    let event = place.pointee.event
    place.pointee.turn.store(tail + mask + 1, ordering: .releasing)
    tail += 1
    return event
  }

  /// The number of events dropped since the last call.
  func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
