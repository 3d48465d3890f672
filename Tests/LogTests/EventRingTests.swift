import System
import Testing

@testable import Log

@Suite struct EventRingTests {
  private func event(_ number: Int64) -> LogEvent {
    LogEvent(
      name: "event", category: .frame, level: .trace, began: number, ended: number, thread: 1, frame: nil,
      first: nil, second: nil)
  }

  @Test func whatIsAddedIsTakenInItsOrder() {
    let ring = EventRing(size: 4)
    #expect(ring.take() == nil)
    // The events go round the ring several times.
    for turn in Int64(0)..<5 {
      for number in Int64(0)..<3 { ring.add(event(turn * 3 + number)) }
      for number in Int64(0)..<3 { #expect(ring.take()?.began == turn * 3 + number) }
      #expect(ring.take() == nil)
    }
    #expect(ring.takeLost() == 0)
  }

  @Test func whatComesToAFullRingIsCounted() {
    let ring = EventRing(size: 4)
    for number in Int64(0)..<7 { ring.add(event(number)) }
    #expect(ring.takeLost() == 3)
    #expect(ring.takeLost() == 0)
    for number in Int64(0)..<4 { #expect(ring.take()?.began == number) }
    #expect(ring.take() == nil)
    ring.add(event(9))
    #expect(ring.take()?.began == 9)
  }

  /// Four threads add events at full speed while one takes them. Each event is taken once or counted as lost, and the events of
  /// each thread stay in order.
  @Test func noEventIsLostUncountedAmongThreads() throws {
    let (ring, each) = (EventRing(size: 64), Int64(20_000))
    let running = Locked(4)
    let threads = try (0..<4).map { writer in
      try NamedThread(name: "writer") {
        for number in 0..<each { ring.add(event(Int64(writer) << 32 + number)) }
        running.withLock { $0 -= 1 }
      }
    }
    var (taken, last) = (0, [Int64](repeating: -1, count: 4))
    while true {
      let isOver = running.withLock { $0 == 0 }
      while let event = ring.take() {
        let (writer, number) = (Int(event.began >> 32), event.began & 0xFFFF_FFFF)
        #expect(number > last[writer])
        last[writer] = number
        taken += 1
      }
      if isOver { break }
    }
    for thread in threads { thread.join() }
    #expect(taken + ring.takeLost() == 4 * Int(each))
  }
}
