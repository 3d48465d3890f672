import Imagery
import Replay
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Bursts, deferred photos, stills, and the metadata of photos, in virtual time.
@Suite struct PhotoTests {
  private let clock = VirtualClock()
  private let photos: PhotoOutput

  init() {
    let clock = clock
    // Virtual time begins at 12:00:00 on 23 November 2026, UTC.
    photos = PhotoOutput(
      clock: clock, wallTime: { 1_795_435_200_000_000_000 + clock.now().nanoseconds - 1_000_000_000 })
  }

  private func source(framesPerSecond: Int = 50, frames: Int? = nil) -> SimulatedSource {
    SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: framesPerSecond),
      frameLimit: frames)
  }

  /// Returns a session that has run for 200 ms.
  private func started(
    _ source: any CameraSource, _ outputs: any FrameOutput...
  ) async throws -> CaptureSession {
    let session = CaptureSession(source: source, configuration: .patient, clock: clock)
    await session.add(photos)
    for output in outputs { await session.add(output) }
    try await session.start()
    await clock.run(for: .milliseconds(200))
    #expect(await session.state == .running)
    return session
  }

  private typealias Shots = [Result<CapturedPhoto, any Error>]

  private func collect(_ stream: AsyncStream<Result<CapturedPhoto, any Error>>) async -> Shots {
    await stream.reduce(into: []) { $0.append($1) }
  }

  private func sequences(_ shots: Shots) -> [UInt32] { shots.compactMap { try? $0.get().frame.sequence } }

  // MARK: Bursts

  /// PHO-1: a burst has a photo of every frame, beginning with the one nearest to the press.
  @Test func aBurstHasEveryFrame() async throws {
    let session = try await started(source())
    let (photos, pressed) = (photos, clock.now())
    let stream = try await session.captureBurst(of: 12, PhotoSettings(longSide: 16), from: photos)
    let shots = try await clock.run { await stream.reduce(into: Shots()) { $0.append($1) } }
    let numbers = sequences(shots)
    let first = try #require(numbers.first)
    #expect(numbers == Array(first..<first + 12))
    let lag = try #require(try shots.first?.get().shutterLag)
    #expect(abs(lag.milliseconds) <= 10, "half an interval")
    let requested = try shots.map { try $0.get().requestedTime }
    #expect(requested.allSatisfy { $0 == pressed })
    await session.stop()
  }

  /// If photos take longer than frames, a burst leaves frames out, and none of its shots fails.
  @Test func aBurstThatIsSlowerThanTheCameraLeavesFramesOut() async throws {
    let slow = PhotoOutput(clock: clock) { [clock] in SlowProcessor(clock: clock, delay: .milliseconds(70)) }
    let session = try await started(source(), slow)
    let stream = try await session.captureBurst(of: 20, PhotoSettings(longSide: 16), from: slow)
    let shots = try await clock.run { await stream.reduce(into: Shots()) { $0.append($1) } }
    let numbers = sequences(shots)
    #expect(numbers.count == 20 && numbers == numbers.sorted() && Set(numbers).count == 20)
    #expect(numbers[19] - numbers[0] > 40, "70 ms a photo are three and a half frames")
    await session.stop()
  }

  @Test func everyShotOfABurstThatIsInterruptedHasAnAnswer() async throws {
    let session = try await started(source())
    let stream = try await session.captureBurst(of: 100, PhotoSettings(longSide: 16), from: photos)
    await clock.run(for: .milliseconds(205))
    await session.stop()
    let shots = await collect(stream)
    #expect(shots.count == 100)
    #expect((9...12).contains(sequences(shots).count))
    let reasons = shots.compactMap { shot in if case .failure(let error) = shot { error } else { nil } }
    #expect(reasons.allSatisfy { ($0 as? SessionError)?.code == .captureCancelled })
    await #expect(throws: SessionError.captureRefused(.idle)) {
      try await session.captureBurst(of: 3, from: photos)
    }
  }

  @Test func aBurstThatNobodyListensToEnds() async throws {
    let session = try await started(source())
    let photos = photos
    try await clock.run {
      for await _ in try await session.captureBurst(of: 1000, PhotoSettings(longSide: 16), from: photos) {
        break
      }
    }
    await clock.run(for: .milliseconds(200))
    #expect(photos.state.withLock { $0.bursts.isEmpty })
    await session.stop()
  }

  /// A press during a burst gets its photo too.
  @Test func burstsAndPressesOverlap() async throws {
    let session = try await started(source())
    let photos = photos
    let first = try await session.captureBurst(of: 8, PhotoSettings(longSide: 16), from: photos)
    let second = try await session.captureBurst(of: 8, PhotoSettings(longSide: 8), from: photos)
    let press = Task { try await session.capturePhoto(PhotoSettings(longSide: 4), from: photos) }
    let (one, other) = try await clock.run {
      async let one = first.reduce(into: Shots()) { $0.append($1) }
      async let other = second.reduce(into: Shots()) { $0.append($1) }
      return await (one, other)
    }
    #expect(sequences(one) == sequences(other) && one.count == 8)
    #expect(try await press.value.photo.size.longSide == 4)
    await session.stop()
  }

  // MARK: Deferred

  /// PHO-3: the proxy arrives before the photo, and both show the same frame.
  @Test func theProxyComesFirst() async throws {
    let slow = PhotoOutput(clock: clock) { [clock] in
      SlowProcessor(clock: clock, delay: .milliseconds(300), above: 320)
    }
    let source = SimulatedSource(
      size: PixelSize(width: 800, height: 600), frameInterval: FrameInterval(framesPerSecond: 50))
    let session = try await started(source, slow)
    let deferred = try await clock.run {
      try await session.captureDeferredPhoto(PhotoSettings(longSide: 640), from: slow)
    }
    #expect(deferred.proxy.photo.size.longSide == 320 && !deferred.isFinished)
    // Neither the camera nor the next photo waits for the deferred photo.
    let next = try await clock.run { try await session.capturePhoto(PhotoSettings(longSide: 16), from: slow) }
    #expect(!deferred.isFinished)
    #expect(abs(next.shutterLag.milliseconds) <= 10)
    let photo = try await clock.run { try await deferred.finished() }
    #expect(photo.photo.size.longSide == 640 && deferred.isFinished)
    #expect(photo.frame == deferred.proxy.frame && photo.requestedTime == deferred.proxy.requestedTime)
    #expect(photo.finishedTime - deferred.proxy.finishedTime >= .milliseconds(290))
    #expect(try await deferred.finished().photo.bytes == photo.photo.bytes, "asked again")
    await session.stop()
  }

  @Test func whatWasPromisedIsFinishedBeforeTheEnd() async throws {
    let session = try await started(source())
    let photos = photos
    let deferred = try await clock.run {
      try await session.captureDeferredPhoto(
        PhotoSettings(longSide: 60), proxy: PhotoSettings(longSide: 8), from: photos)
    }
    await session.stop()
    #expect(deferred.isFinished)
    #expect(try await deferred.finished().photo.size.longSide == 60)
  }

  @Test func moreThanMayWaitAreRefusedWithTheReason() async throws {
    let slow = PhotoOutput(clock: clock) { [clock] in
      SlowProcessor(clock: clock, delay: .seconds(2), above: 32)
    }
    let session = try await started(source(), slow)
    var promised: [DeferredPhoto] = []
    for _ in 0..<PhotoOutput.pendingLimit + 4 {
      promised.append(
        try await clock.run {
          try await session.captureDeferredPhoto(
            PhotoSettings(longSide: 60), proxy: PhotoSettings(longSide: 8), from: slow)
        })
    }
    let waiting = promised
    let outcomes = try await clock.run {
      var outcomes: [Result<CapturedPhoto, any Error>] = []
      for deferred in waiting { outcomes.append(await Result.of { try await deferred.finished() }) }
      return outcomes
    }
    let refused = outcomes.compactMap { outcome in
      if case .failure(let error) = outcome { error } else { nil }
    }
    #expect(refused.count == 3, "one is made and sixteen wait")
    #expect(refused.allSatisfy { ($0 as? SessionError)?.code == .tooManyPhotos })
    await session.stop()
  }

  @Test func aDeferredPhotoMayBeCancelled() async throws {
    let slow = PhotoOutput(clock: clock) { [clock] in
      SlowProcessor(clock: clock, delay: .seconds(1), above: 32)
    }
    let session = try await started(source(), slow)
    let (first, second) = try await clock.run {
      let proxy = PhotoSettings(longSide: 8)
      let first = try await session.captureDeferredPhoto(
        PhotoSettings(longSide: 60), proxy: proxy, from: slow)
      let second = try await session.captureDeferredPhoto(
        PhotoSettings(longSide: 60), proxy: proxy, from: slow)
      return (first, second)
    }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.finished() }
    let waiting = Task { try await first.finished() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let photo = try await clock.run { try await first.finished() }
    #expect(photo.photo.size.longSide == 60, "the waiting caller is cancelled, not the work")
    await session.stop()
  }

  // MARK: Stills

  private func makeKernel() -> ScriptedKernel {
    let kernel = ScriptedKernel.camera(
      [ScriptedMode(.nv12, 64, 36, [50]), ScriptedMode(.yuyv, 128, 72, [50])], clock: clock)
    kernel.fill(every: 20_000_000)
    return kernel
  }

  private var small: SessionConfiguration {
    var configuration = SessionConfiguration.patient
    configuration.chooseFormat = { $0.first { $0.image.size.width == 64 } }
    return configuration
  }

  /// PHO-4: a still has another resolution than the preview. The session measures the interruption, and listeners do not see it.
  @Test func aStillIsOfAnotherSizeAndNobodySeesTheChange() async throws {
    let kernel = makeKernel()
    let session = CaptureSession(
      source: V4L2Source(path: "/dev/video0", kernel: kernel), configuration: small, clock: clock)
    let (shown, photos) = (Shown(), photos)
    let surface = OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock)
    await session.add(PreviewOutput(surface: surface, clock: clock) { shown.add($0) })
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(200))
    let states = await session.states()
    let still = try await clock.run {
      try await session.captureStill(size: PixelSize(width: 4000, height: 3000), from: photos)
    }
    #expect(still.photo.photo.size == PixelSize(width: 128, height: 72))
    #expect(still.format.image.size == PixelSize(width: 128, height: 72))
    let interruption = try #require(still.interruption)
    #expect(interruption > .milliseconds(80) && interruption < .milliseconds(400), "\(interruption)")
    await clock.run(for: .milliseconds(200))
    #expect(await session.format?.image.size == PixelSize(width: 64, height: 36))
    #expect(await session.state == .running)
    #expect(shown.all.allSatisfy { $0.frame.format.size == PixelSize(width: 64, height: 36) })
    #expect(kernel.log.count { $0 == "VIDIOC_STREAMON" } == 3)
    await session.stop()
    let seen = await states.reduce(into: []) { $0.append($1) }
    #expect(seen == [.running, .idle])
  }

  @Test func aStillOfTheSameSizeInterruptsNothing() async throws {
    let kernel = makeKernel()
    let session = CaptureSession(
      source: V4L2Source(path: "/dev/video0", kernel: kernel), configuration: small, clock: clock)
    let photos = photos
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(200))
    let still = try await clock.run {
      try await session.captureStill(size: PixelSize(width: 60, height: 34), from: photos)
    }
    #expect(still.interruption == .zero && still.photo.photo.size == PixelSize(width: 64, height: 36))
    #expect(kernel.log.count { $0 == "VIDIOC_STREAMON" } == 1)
    await session.stop()
  }

  /// A photo requested during a still is taken when the preview's stream runs again. Two stills are taken one after the other.
  @Test func photosWaitForAStill() async throws {
    let session = CaptureSession(
      source: V4L2Source(path: "/dev/video0", kernel: makeKernel()), configuration: small, clock: clock)
    let photos = photos
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(200))
    let (one, other, photo) = try await clock.run {
      async let one = session.captureStill(size: PixelSize(width: 128, height: 72), from: photos)
      async let other = session.captureStill(size: PixelSize(width: 128, height: 72), from: photos)
      while await !session.isTakingStill { await Task.yield() }
      async let photo = session.capturePhoto(PhotoSettings(), from: photos)
      return try await (one, other, photo)
    }
    #expect(one.photo.photo.size.width == 128 && other.photo.photo.size.width == 128)
    #expect(photo.photo.size.width == 64)
    await session.stop()
  }

  /// If the camera is unplugged during a still, the still fails once, and the preview's format is restored after the return.
  @Test func aStillThatFailsLeavesThePreviewsFormat() async throws {
    let kernel = makeKernel()
    let session = CaptureSession(
      source: V4L2Source(path: "/dev/video0", kernel: kernel), configuration: small, clock: clock)
    let photos = photos
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(200))
    kernel.fail("VIDIOC_STREAMON", .inputOutput)
    await #expect(throws: SessionError.self) {
      try await clock.run {
        try await session.captureStill(size: PixelSize(width: 128, height: 72), from: photos)
      }
    }
    await clock.run(for: .seconds(5))
    #expect(await session.state == .running)
    #expect(await session.format?.image.size == PixelSize(width: 64, height: 36))
    let photo = try await clock.run { try await session.capturePhoto(from: photos) }
    #expect(photo.photo.size.width == 64)
    await session.stop()
  }

  // MARK: Metadata

  @Test func aPhotoSaysWhenAndWithWhat() async throws {
    let session = try await started(source())
    let photos = photos
    let photo = try await clock.run { try await session.capturePhoto(from: photos) }
    let text = String(decoding: photo.photo.bytes.filter { $0 < 0x80 }, as: UTF8.self)
    #expect(text.contains("Exif") && text.contains("Simulated camera"))
    let time = CivilTime(
      unixNanoseconds: 1_795_435_200_000_000_000 + photo.frame.exposureTime.nanoseconds - 1_000_000_000)
    let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    #expect(
      text.contains(
        "2026:\(digits(time.month)):\(digits(time.day)) \(digits(time.hour)):\(digits(time.minute)):00"))
    let plain = try await clock.run {
      try await session.capturePhoto(PhotoSettings(writesMetadata: false), from: photos)
    }
    #expect(!String(decoding: plain.photo.bytes.filter { $0 < 0x80 }, as: UTF8.self).contains("Exif"))
    await session.stop()
  }
}

extension Result where Failure == any Error {
  fileprivate static func of(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}

/// A pipeline that takes `delay` of virtual time for pictures whose long side exceeds `above`.
private final class SlowProcessor: PhotoProcessing {
  private let base = PhotoPipeline(damage: .refuse)
  private let clock: any CaptureClock
  private let delay: Duration
  private let least: Int
  private let wake = WakeSignal.make()

  init(clock: any CaptureClock, delay: Duration, above least: Int = 0) {
    (self.clock, self.delay, self.least) = (clock, delay, least)
  }

  func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    if settings.longSide ?? .max > least { clock.pauseWork(until: clock.now() + delay, wake: wake) }
    return try base.process(image, orientation: orientation, settings: settings)
  }
}
