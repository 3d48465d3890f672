import Capture
import Imagery
import Replay
import System
import Testing

@testable import Recording

/// Recordings of a session, in virtual time.
@Suite struct SessionTests {
  private let source = SimulatedSource(
    size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 25))

  private func session(_ clock: VirtualClock, _ output: RecordingOutput) async -> CaptureSession {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = .seconds(2)
    let session = CaptureSession(source: source, configuration: configuration, clock: clock)
    await session.add(output)
    return session
  }

  /// A session does not pause for inactivity while it records.
  @Test func aSessionThatRecordsDoesNotPause() async throws {
    let (folder, clock) = (Folder(), VirtualClock())
    let output = RecordingOutput(clock: clock)
    let session = await session(clock, output)
    try output.start(RecordingSettings(codec: .mjpeg), to: folder("film.mp4"))
    try await session.start()
    await clock.run(for: .seconds(7))
    #expect(await session.state == .running)
    let recording = try await output.stop()
    await clock.run(for: .seconds(3))
    #expect(await session.state == .paused(.inactivity))
    await session.stop()
    #expect(recording.progress.dropped == 0 && recording.progress.written >= 7 * 25 - 2)
    let steps = try MovieFacts(folder("film.mp4")).frames.map(\.time)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $1 - $0 == 40_000_000 })
  }

  @Test func pausedIsAGapAndBackIsTheSameFile() async throws {
    let (folder, clock) = (Folder(), VirtualClock())
    let output = RecordingOutput(clock: clock)
    let session = await session(clock, output)
    try output.start(RecordingSettings(codec: .mjpeg), to: folder("film.mp4"))
    try await session.start()
    await clock.run(for: .seconds(1))
    await session.background()
    await clock.run(for: .seconds(4))
    try await session.foreground()
    await clock.run(for: .seconds(1))
    await session.stop()
    #expect(output.latest?.end == .sessionEnded)
    let times = try MovieFacts(folder("film.mp4")).frames.map(\.time)
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 40_000_000 }
    #expect(gaps.count == 1 && (gaps.first ?? 0) >= 4_000_000_000)
  }

  /// Settings that change during a recording apply from the next one.
  @Test func settingsAreThoseOfTheStart() async throws {
    let (folder, output, frames) = (Folder(), RecordingOutput(), Frames())
    var settings = RecordingSettings(codec: .mjpeg, orientation: .metadata, hasThumbnail: false)
    try output.start(settings, to: folder("film.mp4"))
    (settings.orientation, settings.hasThumbnail) = (.baked, true)
    try output.begin()
    output.receive(try frames.frame(0))
    let recording = try await output.stop()
    output.end()
    #expect(recording.thumbnailPath == nil && recording.isCopied && settings.hasThumbnail)
  }
}
