import Capture
import Imagery
import System
import Testing

@testable import Recording

/// Recordings of sessions whose frames pause or change, in virtual time.
@Suite struct GapTests {
  private let folder = Folder()
  private let clock = VirtualClock()
  private let source = TwoSizeSource()
  private var path: String { folder("film.mp4") }

  private func filming(_ output: RecordingOutput, _ others: any FrameOutput...) async throws -> CaptureSession
  {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    let finder = FormatFinder(size: PixelSize(width: 64, height: 48), framesPerSecond: 25)
    configuration.chooseFormat = { finder.best(of: $0) }
    let session = CaptureSession(source: source, configuration: configuration, clock: clock)
    for other in [output] + others { await session.add(other) }
    try output.start(RecordingSettings(codec: .mjpeg), to: path, interval: source.interval)
    try await session.start()
    await clock.run(for: .seconds(1))
    return session
  }

  /// A still of another size interrupts the stream. The recording continues after it, and reports the length of the gap.
  @Test func aStillOfAnotherSizeIsAGapThatIsCounted() async throws {
    let (output, photos) = (RecordingOutput(clock: clock), PhotoOutput(clock: clock))
    let session = try await filming(output, photos)
    let still = try await clock.run {
      try await session.captureStill(size: PixelSize(width: 128, height: 96), from: photos)
    }
    #expect(still.photo.photo.size == PixelSize(width: 128, height: 96))
    await clock.run(for: .seconds(1))
    let progress = try #require(output.progress)
    #expect(progress.gaps == 1 && progress.withheld >= 3 && progress.longestGap > .milliseconds(100))
    let recording = try await output.stop()
    await session.stop()
    #expect(recording.end == .stopped && recording.progress.dropped == 0)
    let times = try MovieFacts(path).frames.map(\.time)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 40_000_000 }
    #expect(steps == [recording.progress.longestGap.nanoseconds], "one gap, with the reported length")
    let intervals = Double(steps.first ?? 0) / 40_000_000
    #expect(recording.progress.withheld == Int(intervals.rounded()) - 1)
  }

  @Test func aCameraThatReturnsIsAGapInTheSameFile() async throws {
    let output = RecordingOutput(clock: clock)
    let session = try await filming(output)
    source.device.withLock { $0.isUnplugged = true }
    await clock.run(for: .seconds(3))
    source.device.withLock { $0.isUnplugged = false }
    await clock.run(for: .seconds(2))
    let recording = try await output.stop()
    await session.stop()
    #expect(recording.end == .stopped && recording.progress.gaps == 1)
    #expect(recording.progress.longestGap >= .seconds(3) && recording.progress.withheld == 0)
    #expect(try MovieFacts(path).frames.count == recording.progress.written)
  }

  @Test func aCameraThatReturnsWithAnotherSizeEndsIt() async throws {
    let output = RecordingOutput(clock: clock)
    let session = try await filming(output)
    source.device.withLock { $0.isUnplugged = true }
    await clock.run(for: .seconds(1))
    source.device.withLock { device in
      device.sizes = [PixelSize(width: 128, height: 96)]
      device.isUnplugged = false
    }
    await clock.run(for: .seconds(2))
    #expect(output.current == .idle && output.latest?.end == .formatChanged)
    #expect(await session.state == .running)
    let recording = try await output.stop()
    await session.stop()
    #expect(
      try MovieFacts(path).frames.count == recording.progress.written && recording.progress.written > 20)
  }

  /// The driver restarts its clock during the recording.
  @Test func aClockThatGoesBackIsTakenOut() async throws {
    let output = RecordingOutput()
    var frames = Frames()
    var given = try (0..<5).map { try frames.frame($0) }
    frames.start -= 4_000_000_000
    given += try (5..<10).map { try frames.frame($0) }
    let recording = try await output.record(
      given, to: path, interval: FrameInterval(numerator: 33, denominator: 1000))
    #expect(recording.progress.clockJumps == 1 && recording.progress.written == 10)
    #expect(recording.progress.duration == .milliseconds(10 * 33))
    #expect(try MovieFacts(path).frames.map(\.time) == (0..<10).map { $0 * 33_000_000 })
  }

  /// MP4 holds steps of less than 36 minutes; a longer step would give every later frame the same time.
  @Test func aNightBetweenTwoFramesIsHalfAnHour() async throws {
    let output = RecordingOutput()
    var frames = Frames()
    var given = try (0..<3).map { try frames.frame($0) }
    frames.start += 8 * 3_600_000_000_000
    given += try (3..<6).map { try frames.frame($0) }
    let recording = try await output.record(given, to: path)
    #expect(recording.progress.written == 6 && recording.progress.clockJumps == 1)
    let times = try MovieFacts(path).frames.map(\.time)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(steps == [33_000_000, 33_000_000, RecordingTimeline.longestStep, 33_000_000, 33_000_000])
  }
}
