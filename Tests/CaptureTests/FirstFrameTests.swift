import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Cameras that are slow to deliver the first picture, or never do, in virtual time.
@Suite struct FirstFrameTests {
  private let clock = VirtualClock()

  /// A camera of 50 frames a second whose every stream begins with `silence`.
  private func kernel(silence: Duration = .zero) -> ScriptedKernel {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock) {
      $0.wakingTime =
        silence.components.seconds * 1_000_000_000 + silence.components.attoseconds / 1_000_000_000
    }
    kernel.fill(every: 20_000_000)
    return kernel
  }

  private func session(_ kernel: ScriptedKernel) -> CaptureSession {
    CaptureSession(source: V4L2Source(path: "/dev/video0", kernel: kernel), clock: clock)
  }

  private func starts(_ kernel: ScriptedKernel) -> Int { kernel.log.count { $0 == "VIDIOC_STREAMON" } }

  /// Records the states published from now on, until the session is stopped.
  private func recordStates(_ session: CaptureSession) async -> () async -> [SessionState] {
    let stream = await session.states()
    let watcher = Task { await stream.reduce(into: []) { $0.append($1) } }
    return { await watcher.value }
  }

  @Test(arguments: [450, 600, 3_000, 4_900])
  func aCameraThatWakesSlowlyIsWaitedFor(milliseconds: Int) async throws {
    let kernel = kernel(silence: .milliseconds(milliseconds))
    let session = session(kernel)
    let states = await recordStates(session)
    try await session.start()
    await clock.run(for: .seconds(6))
    #expect(await session.state == .running)
    #expect(starts(kernel) == 1)
    await session.stop()
    #expect(await states() == [.idle, .starting, .loading, .running, .idle])
    #expect(kernel.leaks.isEmpty)
  }

  /// The long deadline applies to the first frame after every restart of the stream, whatever its cause.
  @Test(arguments: ["background", "inactivity", "replug", "stall"])
  func soIsItsEveryStart(cause: String) async throws {
    let kernel = kernel(silence: .seconds(3))
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .seconds(4))
    let states = await recordStates(session)
    switch cause {
    case "background":
      await session.background()
      try await session.foreground()
    case "inactivity":
      await clock.run(for: .seconds(30))
      #expect(await session.state == .paused(.inactivity))
      await session.noteActivity()
    case "replug":
      kernel.unplug()
      kernel.show(as: nil)
      await clock.run(for: .seconds(1))
      kernel.replug(as: "/dev/video0")
      kernel.show(as: "video0")
    default: kernel.with { $0.wakeAgain() }
    }
    await clock.run(for: .seconds(5))
    #expect(await session.state == .running)
    #expect(starts(kernel) == 2)
    await session.stop()
    let stalls = await states().count { $0 == .interrupted(.streamStalled) }
    #expect(stalls == (cause == "stall" ? 1 : 0))
    #expect(kernel.leaks.isEmpty)
  }

  /// A camera slower than the deadline gets more time at its second start. Later starts of the session remember that.
  @Test func oneThatIsSlowerStillIsFoundByItsSecondStart() async throws {
    let kernel = kernel(silence: .milliseconds(6_500))
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .seconds(12))
    #expect(await session.state == .running)
    #expect(starts(kernel) == 2)
    await session.background()
    try await session.foreground()
    await clock.run(for: .milliseconds(6_400))
    #expect(await session.state == .loading)
    await clock.run(for: .milliseconds(200))
    #expect(await session.state == .running)
    #expect(starts(kernel) == 3)
    await session.stop()
  }

  /// A camera that has already delivered frames is silent after a restart. The restarts go on at growing intervals, of at most five
  /// seconds.
  @Test func aQuickCameraIsRestartedSoonAndLessAndLess() async throws {
    let kernel = kernel()
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .milliseconds(305))
    kernel.with { $0.wakingTime = .max }
    kernel.with { $0.wakeAgain() }
    // The stream stalls after 500 ms of silence. The following restarts wait 0.5, 1, 2, 4 and 5 s for a frame.
    for (seconds, count) in [(0.4, 1), (0.2, 2), (0.5, 3), (1.0, 4), (2.0, 5), (4.0, 6), (5.0, 7)] {
      await clock.run(for: .seconds(seconds))
      #expect(starts(kernel) == count)
    }
    #expect(await session.state == .interrupted(.streamStalled), "one that has worked is waited for")
    kernel.with { $0.wakingTime = 0 }
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func aSilentStreamIsStartedAgain() async throws {
    let kernel = kernel(silence: .never)
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .milliseconds(4_900))
    #expect(await session.state == .loading)
    await clock.run(for: .milliseconds(200))
    #expect(await session.state == .interrupted(.streamStalled))
    kernel.with { $0.wakingTime = 0 }
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  /// The session fails with the reason, and can be started again.
  @Test func aCameraThatNeverDeliversIsGivenUp() async throws {
    let kernel = kernel(silence: .never)
    let session = session(kernel)
    for round in 1...2 {
      try await session.start()
      await clock.run(for: .milliseconds(24_900))
      #expect(await session.state == .interrupted(.streamStalled))
      await clock.run(for: .milliseconds(200))
      guard case .failed(let error) = await session.state else {
        Issue.record("\(await session.state)")
        return
      }
      #expect(
        error.description.hasPrefix(
          "cannot use /dev/video0: it was started 3 times and delivered no usable picture, the last time for 10 s;"
        ))
      #expect(starts(kernel) == 3 * round)
    }
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  /// An HDMI receiver, for example, needs time for its first frame after the signal returns.
  @Test func theFirstFrameAfterAnInterruptionHasTheSameDeadline() {
    var patience = PicturePatience(firstFrame: .seconds(5), stall: .milliseconds(500))
    let start = clock.now()
    patience.began(at: start)
    #expect(patience.deadline == start + .seconds(5))
    patience.pictureCame(at: start + .milliseconds(50))
    #expect(patience.deadline == start + .milliseconds(550))
    patience.began(at: start + .seconds(9))
    #expect(patience.deadline == start + .seconds(14))
  }

  @Test func theIntervalOfASlowCameraCountsForItsFirstFrameToo() {
    var patience = PicturePatience(firstFrame: .seconds(5), stall: .milliseconds(500))
    patience.noteInterval(.seconds(2))
    patience.began(at: clock.now())
    #expect(patience.allowance == .seconds(10))
    patience.pictureCame(at: clock.now() + .seconds(1))
    #expect(patience.allowance == .seconds(10))
  }
}

extension Duration {
  /// A time longer than any test.
  fileprivate static var never: Duration { .seconds(1_000_000_000) }
}
