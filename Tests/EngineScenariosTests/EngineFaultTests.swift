import Capture
import Imagery
import Replay
import System
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// Faults of everything but pictures: states, the shutter, analysis, formats. In virtual time, each fault fails its own check and
/// no other.
@Suite struct EngineFaultTests {
  private static let context = ScenarioContext(
    source: SourceDescription(kind: "simulated", name: "test"))

  /// Returns the failed checks and metrics of a scenario, by the limits of the profile `seed`.
  private func red(_ scenario: any Scenario) async throws -> Set<String> {
    let observation = try await scenario.run(Self.context)
    let judge = MetricJudge(profile: try Profile.load("seed"), metrics: observation.metrics)
    return Set(
      observation.checks.filter { !$0.passed }.map(\.id)
        + observation.metrics.map(judge.report).filter { $0.verdict == .fail }.map(\.id))
  }

  /// Expects exactly these failed checks and metrics. `#expect(try await …)` would not say which there are.
  private func expectRed(
    _ scenario: any Scenario, _ expected: Set<String>, at place: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    let red = try await red(scenario)
    #expect(red == expected, sourceLocation: place)
  }

  private func rig(_ fault: InjectedFault?) -> Rig { Rig(fault: fault, viewfinder: "") }

  @Test(arguments: [nil, InjectedFault.staysOpen, .neverResumes, .freezes])
  func noticesAreSoundUnderOtherFaults(fault: InjectedFault?) async throws {
    try await expectRed(Notices(rig: rig(fault)), [])
  }

  @Test func noPhotoIsBeyondTheCeiling() async throws {
    try await expectRed(PhotoCeiling(rig: rig(nil)), [])
  }

  /// One frame is larger than a photo may be, and is scaled down. The other is smaller.
  @Test(arguments: [InjectedFault.upscalesPhotos, .freezes])
  func otherFaultsLiftNoCeiling(fault: InjectedFault) async throws {
    let frames = [PixelSize(width: 1922, height: 1080), PixelSize(width: 1280, height: 720)]
    try await expectRed(PhotoCeiling(rig: rig(fault), frames: frames), [])
  }

  @Test func photosBeyondTheCeilingAreNoticed() async throws {
    let red = try await red(PhotoCeiling(rig: rig(.exceedsCeiling)))
    #expect(red.contains("photo.ceiling.4000x3000.full") && red.contains("photo.ceiling.1922x1080.larger"))
    #expect(!red.contains { $0.contains("1280x720") })
  }

  @Test func theNearestFormatIsFound() async throws {
    try await expectRed(NearestFormat(rig: rig(nil)), [])
  }

  @Test func theFirstFormatForTheNearestIsNoticed() async throws {
    let red = try await red(NearestFormat(rig: rig(.takesFirstFormat)))
    #expect(red.contains("photo.nearest-format.told") && red.contains("photo.nearest-format.delivered"))
    #expect(!red.contains("photo.nearest-format.query"))
  }

  @Test func anEnlargedPhotoIsNoFormat() async throws {
    try await expectRed(NearestFormat(rig: rig(.upscalesPhotos)), ["photo.nearest-format.photo"])
  }

  @Test func analysisIsHandedAtMostThirtyASecond() async throws {
    try await expectRed(AnalysisRate(rig: rig(nil)), [])
  }

  @Test func analysisThatIsHandedTwiceAsManyIsNoticed() async throws {
    let red = try await red(AnalysisRate(rig: rig(.feedsTwice)))
    #expect(red.isSuperset(of: ["analysis.60.most", "analysis.100.most"]))
    #expect(red.allSatisfy { $0.hasSuffix(".most") })
  }

  private func absences(_ fault: InjectedFault?) async throws -> ForegroundPlay.Log {
    var rig = rig(fault)
    rig.camera = SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 50))
    return try await ForegroundPlay(
      rig: rig, bundled: "", surface: PixelSize(width: 64, height: 64), clock: VirtualClock()
    ).log(rounds: 3)
  }

  @Test func whoComesBackLateBreaksTheLimits() async throws {
    let (sound, late) = (try await absences(nil), try await absences(.slowsForeground))
    #expect(sound.resumed == [170, 170, 170] && late.resumed == [770, 770, 770])
    #expect(sound.openAway == 0 && late.openAway == 0 && late.shownAway == 0)
    let limit = try #require(try Profile.load("seed").limit(on: "recovery.foreground.resumed"))
    #expect(limit.op.holds(170, limit.value) && !limit.op.holds(770, limit.value))
  }

  @Test func aCameraLeftOpenInTheBackgroundIsNoticed() async throws {
    let open = try await absences(.staysOpen)
    #expect(open.openAway == 3 && open.resumed.count == 3 && open.shownAway == 0)
  }
}
