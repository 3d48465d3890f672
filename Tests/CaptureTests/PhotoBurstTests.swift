import Imagery
import Replay
import System
import Testing

@testable import Capture

/// Each shot of a burst gets exactly one answer, whatever happens between its frame and its photo.
@Suite struct PhotoBurstTests {
  private let clock = VirtualClock()
  private let photos: PhotoOutput

  init() { photos = PhotoOutput(clock: clock) }

  private func started() async throws -> CaptureSession {
    let source = SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 50))
    let session = CaptureSession(source: source, configuration: .patient, clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(200))
    return session
  }

  private func burst(_ count: Int) -> PhotoBurst {
    PhotoBurst(count, PhotoSettings(longSide: 16), pressed: clock.now(), camera: nil)
  }

  private func reasons(_ shots: AsyncStream<PhotoBurst.Shot>) async -> [SessionError?] {
    await shots.reduce(into: []) { reasons, shot in
      if case .failure(let error) = shot {
        reasons.append(error as? SessionError)
      } else {
        reasons.append(nil)
      }
    }
  }

  /// A full queue has refused the frame of a shot, and the session ends before the shot is put back. The shot
  /// is answered with the others.
  @Test(.timeLimit(.minutes(1))) func aShotThatIsPutBackAfterTheEndIsAnswered() async {
    let burst = burst(3)
    let shots = burst.shots()
    #expect(burst.nextShot() != nil)
    burst.fail(with: .captureCancelled)
    burst.putBack()
    #expect(burst.nextShot() == nil && burst.isOver)
    #expect(await reasons(shots) == [.captureCancelled, .captureCancelled, .captureCancelled])
  }

  /// A photo that is still being made at the end of the session is delivered, and then the burst ends.
  @Test(.timeLimit(.minutes(1))) func aShotThatIsUnderWayAtTheEndIsWaitedFor() async {
    let burst = burst(3)
    let shots = burst.shots()
    let shot = burst.nextShot()
    burst.fail(with: .captureCancelled)
    let reading = Task { await reasons(shots) }
    shot?.answer.give(.failure(SessionError.outputRemoved))
    let codes = await reading.value.map { $0?.code.rawValue ?? "" }.sorted()
    #expect(codes == ["captureCancelled", "captureCancelled", "outputRemoved"])
  }

  @Test(.timeLimit(.minutes(1))) func whoLeavesEndsIt() async {
    let burst = burst(3)
    do {
      let shots = burst.shots()
      _ = burst.nextShot()
      _ = shots
    }
    #expect(burst.isOver)
    burst.putBack()
    #expect(burst.isOver && burst.nextShot() == nil)
  }

  @Test(.timeLimit(.minutes(1))) func aReaderThatIsCancelledGetsNoMore() async {
    let burst = burst(3)
    let shots = burst.shots()
    let reading = Task { await reasons(shots) }
    await Task.yield()
    reading.cancel()
    #expect(await reading.value.isEmpty)
    #expect(burst.isOver)
  }

  /// The burst pauses while its photos are not read, so that they do not fill the memory.
  @Test func aBurstWaitsForItsReader() async throws {
    let session = try await started()
    let stream = try await session.captureBurst(of: 60, PhotoSettings(longSide: 16), from: photos)
    await clock.run(for: .seconds(3))
    #expect(photos.state.withLock { $0.bursts.first?.leftCount } == 60 - PhotoOutput.unreadLimit)
    let frames = try await clock.run {
      var frames: [UInt32] = []
      for await shot in stream { frames.append(try shot.get().frame.sequence) }
      return frames
    }
    #expect(frames.count == 60 && frames == frames.sorted() && Set(frames).count == 60)
    let limit = PhotoOutput.unreadLimit
    #expect(frames[limit - 1] - frames[0] == UInt32(limit - 1), "it had every frame until reading stopped")
    #expect(frames[limit] - frames[limit - 1] > 50, "three seconds later it went on")
    await session.stop()
  }

  @Test func moreBurstsThanMayBeUnderWayAreRefused() async throws {
    let session = try await started()
    var streams: [AsyncStream<PhotoBurst.Shot>] = []
    for _ in 0...PhotoOutput.pendingLimit {
      streams.append(try await session.captureBurst(of: 1000, PhotoSettings(longSide: 16), from: photos))
    }
    let refused = streams.removeLast()
    let answers = await reasons(refused)
    #expect(answers.count == 1000 && answers.allSatisfy { $0?.code == .tooManyPhotos })
    await session.stop()
  }
}
