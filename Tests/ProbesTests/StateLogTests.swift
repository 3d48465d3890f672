import Capture
import Imagery
import Replay
import System
import Testing

@testable import Probes

/// The log of the states that a session publishes, and the watching of a camera's events.
@Suite struct StateLogTests {
  private let source = SimulatedSource(
    size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 50), frameLimit: 10)

  @Test func everyStateIsKeptUntilTheSessionEnds() async throws {
    let clock = VirtualClock()
    let session = CaptureSession(source: source, configuration: .unattended, clock: clock)
    let log = await StateLog(of: session)
    try await session.start()
    await clock.run(for: .seconds(1))
    await session.stop()
    await log.finish()
    let states = log.all.map(\.state)
    #expect(states.contains(.starting) && states.contains(.running) && states.contains(.ended))
    #expect(log.all.map(\.time) == log.all.map(\.time).sorted())
    #expect(log.interruption(after: 0) == nil)
  }

  @Test func theFirstInterruptionAfterAStateIsFound() {
    let states: [SessionState] = [
      .running, .interrupted(.deviceInUse), .running, .interrupted(.deviceReset), .interrupted(.other),
    ]
    let marks = states.enumerated().map {
      StateMark(state: $1, time: MonotonicTime(nanoseconds: Int64($0)))
    }
    func found(_ count: Int) -> Int64? { StateLog.interruption(in: marks, after: count)?.time.nanoseconds }
    #expect([0, 1, 2, 3, 4, 5, 9].map(found) == [1, 1, 3, 3, 4, nil, nil])
  }

  @Test func whatPassesAWatchedCameraIsSeenAndMayBeChanged() async throws {
    let (opened, closed, frames) = (Locked(0), Locked(0), Locked(0))
    let watched = WatchedSource(source) {
      var count = 0
      return WatchedSource.Watcher(
        opened: { opened.withLock { $0 += 1 } }, closed: { closed.withLock { $0 += 1 } },
        event: { event in
          guard case .frame = event else { return event }
          count += 1
          frames.withLock { $0 = count }
          // Withholds every other frame.
          return count.isMultiple(of: 2) ? nil : event
        })
    }
    #expect(watched.specification == source.specification)
    let clock = VirtualClock()
    let play = await Play(
      source: watched, chart: nil, size: source.size, interval: .milliseconds(20), rig: Rig(viewfinder: ""),
      clock: clock)
    try await play.session.start()
    await clock.run(for: .seconds(1))
    await play.stop()
    #expect(play.log.all.map(\.frame.sequence) == [0, 2, 4, 6, 8])
    #expect(frames.withLock { $0 } == 10 && opened.withLock { $0 } == 1 && closed.withLock { $0 } >= 1)
  }

  @Test func deliveredFramesAreKeptUpToTheirNumber() async throws {
    let frames = DeliveredFrames(limit: 4)
    let clock = VirtualClock()
    let session = CaptureSession(
      source: frames.watching(source), configuration: .unattended, clock: clock)
    try await session.start()
    await clock.run(for: .seconds(1))
    await session.stop()
    #expect((0..<10).map { frames.image($0) != nil } == (0..<10).map { $0 >= 6 })
  }
}
