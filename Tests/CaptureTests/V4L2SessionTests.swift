import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// A whole session on a scripted V4L2 device, in virtual time.
@Suite struct V4L2SessionTests {
  private let clock = VirtualClock()

  private func makeKernel() -> ScriptedKernel {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
    kernel.fill(every: 20_000_000)
    return kernel
  }

  private func makeSession(_ kernel: ScriptedKernel) -> CaptureSession {
    CaptureSession(source: V4L2Source(path: "/dev/video0", kernel: kernel), clock: clock)
  }

  @Test func framesArriveAndNothingIsLeft() async throws {
    let kernel = makeKernel()
    let session = makeSession(kernel)
    let shown = Shown()
    await session.add(
      PreviewOutput(
        surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock
      ) { shown.add($0) })
    try await session.start()
    await clock.run(for: .seconds(1))
    await session.stop()
    #expect((48...50).contains(shown.all.count))
    #expect(zip(shown.all, shown.all.dropFirst()).allSatisfy { $1.frame.sequence == $0.frame.sequence + 1 })
    #expect(kernel.leaks.isEmpty)
  }

  @Test func unpluggedWhileAPhotoAndThePreviewHoldBuffers() async throws {
    let kernel = makeKernel()
    let session = makeSession(kernel)
    let (photos, shown) = (PhotoOutput(clock: clock), Shown())
    await session.add(photos)
    await session.add(
      PreviewOutput(
        surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock
      ) { shown.add($0) })
    try await session.start()
    await clock.run(for: .milliseconds(305))
    let first = await session.timeline.firstFrame
    let unplugged = clock.now() + .milliseconds(2)
    kernel.at(unplugged.nanoseconds) {
      $0.unplug()
      $0.show(as: nil)
    }
    kernel.at((unplugged + .seconds(1)).nanoseconds) {
      $0.replug(as: "/dev/video2")
      $0.show(as: "video2")
    }
    // The press comes nearer to the next frame than to the last, but the next never arrives.
    await clock.run(for: .milliseconds(12))
    await #expect(throws: SessionError.captureInterrupted(.deviceDisconnected)) {
      try await clock.run { try await session.capturePhoto(from: photos) }
    }
    await clock.run(for: .milliseconds(50))
    #expect(await session.state == .interrupted(.deviceDisconnected))
    let before = shown.all.count
    await clock.run(for: .seconds(2))
    #expect(await session.state == .running)
    #expect(shown.all.count > before + 30)
    #expect(await session.timeline.firstFrame == first, "the first frame of the start, not of the return")
    _ = try await clock.run { try await session.capturePhoto(from: photos) }
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func aBusyDeviceIsTakenWhenItIsFree() async throws {
    let kernel = makeKernel()
    kernel.fail("VIDIOC_S_FMT", .busy, .busy, .busy)
    let session = makeSession(kernel)
    let states = Locked<[SessionState]>([])
    let stream = await session.states()
    let watcher = Task { for await state in stream { states.withLock { $0.append(state) } } }
    try await session.start()
    await clock.run(for: .seconds(1))
    #expect(await session.state == .running)
    await session.stop()
    await watcher.value
    #expect(states.withLock { $0 }.contains(.interrupted(.deviceInUse)))
    #expect(kernel.leaks.isEmpty)
  }

  /// HDMI: the source switches from one mode to another during the session.
  @Test func anotherSignalIsFollowedAtItsOwnSize() async throws {
    func timings(_ width: UInt32) -> v4l2_dv_timings {
      var timings = v4l2_dv_timings()
      timings.bt.width = width
      timings.bt.height = 36
      timings.bt.pixelclock = UInt64(width) * 36 * 50
      return timings
    }
    let kernel = ScriptedKernel.camera(
      [ScriptedMode(.yuyv, 64, 36), ScriptedMode(.yuyv, 128, 36)], clock: clock
    ) { $0.timings = timings(64) }
    kernel.fill(every: 20_000_000)
    let session = makeSession(kernel)
    let shown = Shown()
    await session.add(
      PreviewOutput(
        surface: OffscreenSurface(size: PixelSize(width: 32, height: 32), clock: clock), clock: clock
      ) { shown.add($0) })
    try await session.start()
    await clock.run(for: .milliseconds(305))
    #expect(shown.all.last?.frame.format.size.width == 64)
    kernel.with { $0.timings = timings(128) }
    kernel.changeSource()
    await clock.run(for: .seconds(1))
    #expect(await session.state == .running)
    #expect(await session.format?.image.size.width == 128)
    #expect(shown.all.last?.frame.format.size.width == 128)
    #expect(kernel.with { $0.timingsInForce?.bt.width } == 128)
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  /// Without a signal, no frame is overdue. After the signal's return, the next frame has the usual deadline.
  @Test func aLongLossOfSignalIsNoStall() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.yuyv, 64, 36)], clock: clock) {
      var timings = v4l2_dv_timings()
      (timings.bt.width, timings.bt.height, timings.bt.pixelclock) = (64, 36, 64 * 36 * 50)
      $0.timings = timings
    }
    kernel.fill(every: 400_000_000)
    let session = makeSession(kernel)
    let states = Locked<[SessionState]>([])
    let stream = await session.states()
    let watcher = Task { for await state in stream { states.withLock { $0.append(state) } } }
    try await session.start()
    await clock.run(for: .milliseconds(850))
    #expect(await session.state == .running)
    kernel.with { $0.signalFault = .noLink }
    kernel.changeSource()
    await clock.run(for: .seconds(10))
    #expect(await session.state == .interrupted(.signalLost))
    kernel.with { $0.signalFault = nil }
    kernel.changeSource()
    await clock.run(for: .seconds(1))
    #expect(await session.state == .running)
    await session.stop()
    await watcher.value
    #expect(!states.withLock { $0 }.contains(.interrupted(.streamStalled)))
    #expect(kernel.leaks.isEmpty)
  }

  /// A camera of two frames a second is not stalled after half a second without a frame.
  @Test func aSlowCameraIsNotRestarted() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [2])], clock: clock)
    kernel.fill(every: 700_000_000)
    let session = makeSession(kernel)
    try await session.start()
    await clock.run(for: .seconds(10))
    #expect(await session.state == .running)
    #expect(kernel.log.count { $0 == "VIDIOC_STREAMON" } == 1)
    await session.stop()
  }

  @Test func aPauseWhileTheDeviceIsGoneIsFollowedByWaitingAgain() async throws {
    let kernel = makeKernel()
    let session = makeSession(kernel)
    try await session.start()
    await clock.run(for: .milliseconds(305))
    kernel.unplug()
    kernel.show(as: nil)
    await clock.run(for: .milliseconds(500))
    await session.background()
    #expect(kernel.leaks.isEmpty, "closed when it returns")
    try await session.foreground()
    await clock.run(for: .seconds(2))
    #expect(await session.state == .interrupted(.deviceDisconnected))
    kernel.replug(as: "/dev/video0")
    kernel.show(as: "video0")
    await clock.run(for: .seconds(1))
    #expect(await session.state == .running)
    await session.background()
    #expect(kernel.leaks.isEmpty)
    await session.stop()
  }

  /// All frames pass the cap, although their stamps jitter around 1/30 s.
  @Test func analysisTakesThirtyJitteringFramesAsTheyAre() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [30])], clock: clock)
    kernel.fill(every: 33_333_333) { raw, _ in raw.timestamp.tv_usec -= raw.sequence % 2 == 0 ? 0 : 2000 }
    let session = makeSession(kernel)
    let sizes = Locked<[PixelSize]>([])
    await session.add(
      AnalysisOutput(clock: clock) { picture in sizes.withLock { $0.append(picture.image.format.size) } })
    try await session.start()
    await clock.run(for: .seconds(1))
    await session.stop()
    #expect(sizes.withLock { $0.count } >= 27)
    #expect(sizes.withLock { Set($0) } == [PixelSize(width: 64, height: 36)], "pictures are not enlarged")
  }

  private func opens(_ kernel: ScriptedKernel) -> Int { kernel.log.count { $0 == "open" } }

  /// A node loses its permissions while the camera stalls. The session reports the missing permission at once, and does not retry
  /// by itself (PER-1).
  @Test func aNodeThatMayNotBeOpenedAnyMoreIsToldAsThat() async throws {
    let kernel = makeKernel()
    let session = makeSession(kernel)
    let states = await session.states()
    let watcher = Task { await states.reduce(into: [SessionState]()) { $0.append($1) } }
    try await session.start()
    await clock.run(for: .milliseconds(305))
    kernel.with {
      ($0.wakingTime, $0.isReadable) = (1_000_000_000_000, false)
      $0.wakeAgain()
    }
    await clock.run(for: .milliseconds(600))
    #expect(await session.state == .failed(.permissionDenied("/dev/video0")))
    let count = opens(kernel)
    await clock.run(for: .seconds(10))
    #expect(opens(kernel) == count, "nothing is opened until asked")
    await #expect(throws: SessionError.camera(.permissionDenied("/dev/video0"))) { try await session.start() }
    kernel.with { ($0.wakingTime, $0.isReadable) = (0, true) }
    try await session.start()
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    await session.stop()
    #expect(await !watcher.value.contains(.interrupted(.deviceDisconnected)))
    #expect(kernel.leaks.isEmpty)
  }

  /// After a replug or a reset, the session waits for udev to set permissions, but not forever.
  @Test(arguments: [InterruptionReason.deviceDisconnected, .deviceReset], [0.3, 60])
  func aRefusalAfterAReturnMayPass(reason: InterruptionReason, seconds: Double) async throws {
    let kernel = makeKernel()
    let session = makeSession(kernel)
    for _ in 0..<2 {
      try await session.start()
      await clock.run(for: .milliseconds(305))
      #expect(await session.state == .running)
      kernel.with { $0.isReadable = false }
      if reason == .deviceReset {
        kernel.with { $0.isBroken = true }
      } else {
        kernel.unplug()
        kernel.show(as: nil)
        await clock.run(for: .seconds(5))
        kernel.replug(as: "/dev/video0")
        kernel.show(as: "video0")
      }
      await clock.run(for: .seconds(min(seconds, 1.8)))
      #expect(await session.state == .interrupted(reason))
      if seconds > 2 {
        await clock.run(for: .seconds(1))
        #expect(await session.state == .failed(.permissionDenied("/dev/video0")))
      }
      kernel.with { $0.isReadable = true }
      await clock.run(for: .seconds(1))
    }
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }
}
