import Imagery
import System
import Testing

@testable import Capture

/// The passing of virtual time while work is in progress.
@Suite struct VirtualClockTests {
  private let clock = VirtualClock()

  /// Starts a thread that pauses for 20 ms in the middle of its work, and records when it continued.
  private func pause(_ wake: WakeSignal) throws -> (thread: NamedThread, wentOn: Locked<MonotonicTime?>) {
    let wentOn = Locked<MonotonicTime?>(nil)
    let (clock, due) = (clock, clock.now() + .milliseconds(20))
    clock.workBegan()
    let thread = try NamedThread(name: "paused") {
      clock.pauseWork(until: due, wake: wake)
      wentOn.withLock { $0 = clock.now() }
      clock.workEnded()
    }
    return (thread, wentOn)
  }

  @Test func timePassesForWorkThatWaits() async throws {
    let began = clock.now()
    let (thread, wentOn) = try pause(WakeSignal())
    await clock.run(for: .milliseconds(50))
    thread.join()
    #expect(wentOn.withLock { $0 } == began + .milliseconds(20))
    #expect(clock.now() == began + .milliseconds(50))
  }

  /// Items that wait behind a pausing worker do not hold up virtual time.
  @Test func timePassesForAWorkerThatPausesWhileItemsWait() async throws {
    let (clock, wake) = (clock, try WakeSignal())
    let worked = Locked<[Int]>([])
    let worker = OutputWorker<Int>(name: "slow", clock: clock, capacity: 1, overflow: .replaceOldest) {
      item in
      clock.pauseWork(until: clock.now() + .milliseconds(20), wake: wake)
      worked.withLock { $0.append(item) }
    }
    try worker.begin()
    worker.offer(1)
    await clock.run(for: .milliseconds(10))
    // The worker is still busy with the first item.
    for item in 2...4 { worker.offer(item) }
    await clock.run(for: .milliseconds(40))
    #expect(worked.withLock { $0 } == [1, 4])
    #expect(worker.replacedCount == 2)
    worker.end()
  }

  @Test func aSignalEndsThePauseThoughNobodyLetsTimePass() throws {
    let (wake, began) = (try WakeSignal(), clock.now())
    let (thread, wentOn) = try pause(wake)
    wake.signal()
    thread.join()
    #expect(wentOn.withLock { $0 } == began)
  }

  @Test func cancelledRunsReturnThoughWorkHoldsUpTheTime() async {
    let (clock, began) = (clock, clock.now())
    clock.workBegan()
    let plain = Task { await clock.run(for: .seconds(1)) }
    let until = Task { try await clock.run { await Task { await clock.run(for: .seconds(9)) }.value } }
    plain.cancel()
    until.cancel()
    await plain.value
    await #expect(throws: CancellationError.self) { try await until.value }
    #expect(clock.now() == began)
  }
}
