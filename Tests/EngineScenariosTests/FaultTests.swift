import Capture
import Imagery
import Replay
import System
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// In virtual time, each injected fault changes its own figure and no other.
@Suite struct FaultTests {
  private static let interval = FrameInterval(framesPerSecond: 50)
  private static let simulated = SimulatedSource(
    size: PixelSize(width: 320, height: 240), frameInterval: interval, frameLimit: 120)

  private struct Figures: Equatable {
    /// The longest glass-to-glass latency, in whole milliseconds.
    var latency: Int
    var dropped: Int
    var repeated: Int
    var reordered: Int
    /// The largest jitter, in whole milliseconds.
    var jitter: Int
    /// The longest time without a new picture, in whole milliseconds.
    var gap: Int
    var angles: Set<String>
  }

  private func figures(_ fault: InjectedFault?) async throws -> Figures {
    let scene = SimulatedScene()
    var source = Self.simulated
    source = SimulatedSource(
      size: source.size, frameInterval: source.frameInterval, frameLimit: source.frameLimit, scene: scene)
    let play = MovingPlay(simulated: source, fault: fault)
    let watched = try await play.virtualWatch(for: .milliseconds(2400))
    let log = watched.log
    let (latency, pan) = (LatencyProbe(log, of: play.subject), PanProbe(log, of: play.subject))
    return Figures(
      latency: Int(latency.glassToGlass.max() ?? -1), dropped: pan.dropped, repeated: pan.repeated,
      reordered: pan.reordered, jitter: Int(pan.jitter.max() ?? -1),
      gap: Int(watched.longestGap(chart: play.subject.chart)),
      angles: Set(log.compactMap { $0.seen?.description }))
  }

  private let sound = Figures(
    latency: 20, dropped: 0, repeated: 0, reordered: 0, jitter: 0, gap: 20, angles: ["0°"])

  @Test func nothingIsWrongWithoutAFault() async throws {
    #expect(try await figures(nil) == sound)
  }

  @Test func delayedFramesAreLateAndNothingElse() async throws {
    var expected = sound
    (expected.latency, expected.gap) = (60, 60)
    #expect(try await figures(.delaysFrames(.milliseconds(40))) == expected)
  }

  @Test func repeatedFramesAreSeenToRepeatAndAreNotLate() async throws {
    var expected = sound
    (expected.repeated, expected.gap) = (12, 40)
    #expect(try await figures(.repeatsFrames) == expected)
  }

  @Test func aMirroringCameraIsSeenInTheMirror() async throws {
    var expected = sound
    expected.angles = ["mirrored 0°"]
    #expect(try await figures(.mirrors) == expected)
  }

  @Test func anUnsteadySurfaceIsSeenToBeUnsteadyAndDropsNothing() async throws {
    var expected = sound
    (expected.latency, expected.jitter, expected.gap) = (26, 6, 26)
    #expect(try await figures(.jitters) == expected)
  }

  @Test func aPreviewThatStandsStillIsSeenTo() async throws {
    var expected = sound
    (expected.dropped, expected.gap) = (15, 320)
    #expect(try await figures(.freezes) == expected)
  }

  /// If the surface is unsteady, more than a tenth of the steps deviate by more than the limit, a quarter of the interval.
  @Test func theLimitOnJitterIsBrokenByAnUnsteadySurface() async throws {
    let limit = try #require(try Profile.load("seed").limit(on: "pan.jitter"))
    let factor = try #require(limit.reference?.factor)
    for (fault, isKept) in [(nil, true), (InjectedFault.jitters, false)] {
      let play = MovingPlay(simulated: Self.simulated, fault: fault)
      let jitter = PanProbe(try await play.virtualLog(for: .seconds(2)), of: play.subject).jitter
      let summary = try #require(Summary(jitter))
      #expect((limit.figure(of: summary) <= factor * play.subject.interval.milliseconds) == isKept)
    }
  }

  /// Each fault breaks its own limits of the profile, and no other limit for photos.
  @Test(
    arguments: [
      (nil, []),
      (.blanksPhotos, ["likeness", "scaling", "scaling-ssim", "chroma", "chroma-p99", "scaling-chroma"]),
      (.softensPhotos, ["likeness", "scaling", "scaling-ssim"]),
      (.swapsChroma, ["chroma", "chroma-p99", "scaling-chroma"]),
      (.swapsRedAndBlue, []), (.jitters, []),
    ] as [(InjectedFault?, Set<String>)])
  func spoiledPhotosBreakTheLimitsTheyShould(fault: InjectedFault?, broken: Set<String>) throws {
    let scene = try LikenessScene()
    let pipeline = Rig(fault: fault, viewfinder: "").makePhotoPipeline()
    let comparisons = try PhotoComparison.Kind.allCases.map {
      try scene.comparison(pipeline, $0)
    }
    let profile = try Profile.load("seed")
    var seen: Set<String> = []
    for metric in PhotoLikeness(name: "x", comparisons: comparisons, evidence: .synthetic).metrics {
      let limit = try #require(profile.limit(on: metric.id))
      let summary = try #require(Summary(metric.samples))
      if !limit.op.holds(limit.figure(of: summary), limit.value) {
        seen.insert(String(metric.id.dropFirst(8)))
      }
    }
    // Softening blurs colours too, more or less, so these limits may break or not.
    if fault == .softensPhotos { seen.subtract(["chroma", "chroma-p99", "scaling-chroma"]) }
    #expect(seen == broken)
  }

  @Test(arguments: [(nil, 0.0...1.0), (InjectedFault.swapsRedAndBlue, 100...255), (.jitters, 0...1)])
  func exchangedRedAndBlueAreSeen(fault: InjectedFault?, expected: ClosedRange<Double>) async throws {
    let rig = Rig(fault: fault, viewfinder: "")
    for format in [PixelFormat.nv12, .yuyv, .bgra, .p010] {
      let chart = CodeNoise(
        format: ImageFormat(
          pixelFormat: format, size: PixelSize(width: 64, height: 48),
          color: ColorDescription(matrix: .bt709, range: .limited)), seed: 1)
      let findings = try await ColorPlay(rig: rig, source: rig.broken(chart), isPlayed: true).findings(
        count: 2)
      #expect(findings.count == 2)
      #expect(findings.allSatisfy { expected.contains($0.distance.worst) }, "\(format) \(findings)")
    }
  }

  /// No fault, however large, makes the play hang, although virtual time waits for pending work.
  @Test(arguments: InjectedFault.names) func nothingHangsOnAFault(name: String) async throws {
    for amount in ["1", "1000"] {
      let fault = try #require(
        InjectedFault(name: name.replacing("PERCENT", with: amount).replacing("MILLISECONDS", with: amount)))
      let play = MovingPlay(simulated: Self.simulated, fault: fault)
      #expect(try await !play.virtualLog(for: .seconds(2)).isEmpty)
      let rig = Rig(fault: fault, viewfinder: "")
      _ = try await ColorPlay(rig: rig, source: rig.broken(Self.simulated), isPlayed: true).findings(count: 1)
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
