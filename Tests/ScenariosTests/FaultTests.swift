import Capture
import Imagery
import Testing

@testable import Scenarios

/// Every injected fault moves the figure it should, and leaves the others alone; in virtual time.
@Suite struct FaultTests {
  private static let interval = FrameInterval(framesPerSecond: 50)
  private static let simulated = SimulatedSource(
    size: PixelSize(width: 320, height: 240), frameInterval: interval, frameLimit: 40)

  private struct Figures: Equatable {
    /// Whole milliseconds.
    var latency: Int
    var dropped: Int
    var repeated: Int
    var reordered: Int
    var angles: Set<String>
  }

  private func figures(_ fault: InjectedFault?) async throws -> Figures {
    let scene = SimulatedScene()
    var source = Self.simulated
    source = SimulatedSource(
      size: source.size, frameInterval: source.frameInterval, frameLimit: source.frameLimit, scene: scene)
    let subject = MovingSubject(simulated: source, fault: fault)
    let clock = VirtualClock()
    // Square, so that the code in the corner of the middle square is shown however the picture is turned.
    let play = await Play(
      source: subject.source, chart: subject.chart, size: subject.size, interval: subject.interval,
      rig: Rig(viewfinder: ""), clock: clock)
    try await play.session.start()
    await clock.run(for: .seconds(2))
    await play.session.stop()
    let log = play.log.all
    let latency = LatencyProbe(log, chart: subject.chart, interval: subject.interval)
    let pan = PanProbe(log, chart: subject.chart, interval: subject.interval)
    return Figures(
      latency: Int(latency.glassToGlass.max() ?? -1), dropped: pan.dropped, repeated: pan.repeated,
      reordered: pan.reordered, angles: Set(log.compactMap { $0.seen?.description }))
  }

  private let sound = Figures(latency: 20, dropped: 0, repeated: 0, reordered: 0, angles: ["0°"])

  @Test func nothingIsWrongWithoutAFault() async throws {
    #expect(try await figures(nil) == sound)
  }

  @Test func delayedFramesAreLateAndNothingElse() async throws {
    var expected = sound
    expected.latency = 60
    #expect(try await figures(.delaysFrames(.milliseconds(40))) == expected)
  }

  @Test func repeatedFramesAreSeenToRepeatAndAreNotLate() async throws {
    var expected = sound
    expected.repeated = 4
    #expect(try await figures(.repeatsFrames) == expected)
  }

  @Test func aMirroringCameraIsSeenInTheMirror() async throws {
    var expected = sound
    expected.angles = ["mirrored 0°"]
    #expect(try await figures(.mirrors) == expected)
  }

  @Test(arguments: InjectedFault.names) func everyNameNamesAFault(name: String) {
    #expect(InjectedFault(name: name.replacing("PERCENT", with: "30")) != nil)
  }

  @Test func nonsenseNamesNone() {
    for name in ["", "swap", "slow-preview", "slow-preview=0", "slow-preview=x", "slow-preview=1001"] {
      #expect(InjectedFault(name: name) == nil)
    }
  }

  @Test func enlargedPhotosAreNoticed() async throws {
    let broken = Rig(specification: "simulated:640x480@50", fault: .upscalesPhotos, viewfinder: "")
    let sound = Rig(specification: "simulated:640x480@50", viewfinder: "")
    let (wrong, right) = (
      try await PhotoPlay(rig: broken, bundled: "").shots(count: 1),
      try await PhotoPlay(rig: sound, bundled: "").shots(count: 1)
    )
    #expect(wrong.count == 1 && right.count == 1)
    #expect(wrong.allSatisfy { !$0.isRightSize })
    #expect(right.allSatisfy { $0.isRightSize && ($0.similarity ?? 0) > 0.95 })
  }
}
