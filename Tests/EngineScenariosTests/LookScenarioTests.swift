import Imagery
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The verdict on looks.
@Suite struct LookScenarioTests {
  private let context = ScenarioContext(source: SourceDescription(kind: "simulated", name: "test"))

  @Test func aSoundEngineKeepsEveryValue() async throws {
    #expect(try await LookColors(rig: Rig(viewfinder: "")).run(context).red() == [])
  }

  private func finding(_ path: LookFinding.Path, _ worst: Double = 0.5) -> LookFinding {
    LookFinding(path: path, format: .nv12, look: "a look", worst: worst)
  }

  @Test func everyWayMustBeSeen() throws {
    let scenario = LookColors(rig: Rig(viewfinder: ""))
    let sound = LookFinding.Path.allCases.map { finding($0) }
    #expect(try scenario.observation(sound).red() == [])
    #expect(try scenario.observation(sound + [finding(.photo, 1.2)]).red() == ["looks.photo.error"])
    #expect(try scenario.observation(Array(sound.dropLast())).red() == ["looks.colours.seen"])
    #expect(try scenario.observation([]).red() == ["looks.colours.seen"])
  }

  @Test func eachRoundIsOneOfBoth() throws {
    let picture = try CodeNoise.picture(
      ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 64, height: 32), color: .jpeg), seed: 1)
    let floor = try LookupFloor(.measured)
    let look = try ColorLookup(cube: ReferenceLook.measured.file)
    let outcome = try LookContest(picture: picture, rounds: 21).run(
      floor: { floor.apply(to: $0) }, ours: { try look.apply(to: $0) })
    #expect(outcome.floor.count == 21 && outcome.ours.count == 21)
  }

  /// The floor must make the engine's picture, to one level; otherwise the two could not be compared.
  @Test func theFloorMakesTheSamePicture() throws {
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 64, height: 32), color: .jpeg)
    let (theirs, ours) = (try CodeNoise.picture(format, seed: 2), try CodeNoise.picture(format, seed: 2))
    try LookupFloor(.measured).apply(to: theirs)
    try ColorLookup(cube: ReferenceLook.measured.file).apply(to: ours)
    let (left, right) = (theirs.planes[0].bytes, ours.planes[0].bytes)
    #expect(zip(left, right).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  /// Checked with the limits of the built-in profiles.
  @Test(arguments: Profile.builtInNames) func whatTakesTwiceAsLongBreaksTheLimit(name: String) throws {
    let profile = try Profile.load(name)
    for (ratio, isRed) in [(1.1, false), (2.1, true)] {
      let metrics = FloorOutcome(
        floor: [Double](repeating: 1, count: 30), ours: [Double](repeating: ratio, count: 30)
      ).metrics("looks.floor.shelf-1280x720", of: "x", ours: "ours", floor: "C")
      let verdict = MetricJudge(profile: profile, metrics: metrics).report(metrics[0]).verdict
      #expect(verdict == (isRed ? .fail : .pass))
    }
  }
}
