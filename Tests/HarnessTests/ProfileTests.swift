import Foundation
import Testing

@testable import Harness

@Suite struct ProfileTests {
  @Test(arguments: Profile.builtInNames)
  func builtInsLoadAndAgreeWithTheCommittedFile(_ name: String) throws {
    let profile = try Profile.load(name)
    #expect(profile.name == name)
    #expect(!profile.limits.isEmpty)
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    #expect(try Profile.load(root.appending(path: "Profiles/\(name).json").path) == profile)
  }

  @Test func strictIsNowhereLaxerThanSeed() throws {
    let strict = try Profile.load("strict")
    for limit in try Profile.load("seed").limits {
      let ours = try #require(strict.limit(on: limit.metric), "\(limit.metric) has no strict limit")
      guard ours.reference == nil else { continue }
      let isFloor = limit.op == .atLeast || limit.op == .above
      #expect(isFloor ? ours.value >= limit.value : ours.value <= limit.value, "\(limit.metric)")
    }
  }

  @Test func tolerancesGoFromParticularToGeneral() {
    var profile = Profile.make()
    profile.tolerances = [
      ToleranceRule(tolerance: Tolerance(relative: 0.1)),
      ToleranceRule(unit: .bytes, tolerance: Tolerance(relative: 0.2)),
      ToleranceRule(metric: "a", tolerance: Tolerance(relative: 0.3)),
    ]
    #expect(profile.tolerance(for: "a", in: .bytes).relative == 0.3)
    #expect(profile.tolerance(for: "b", in: .bytes).relative == 0.2)
    #expect(profile.tolerance(for: "b", in: .count).relative == 0.1)
  }

  @Test func aPatternStandsForOnePart() {
    let profile = Profile.make([
      .make(.p99, .below, 500, metric: "photo.*.time"), .make(.p99, .below, 100, metric: "photo.mjpg.time"),
    ])
    #expect(profile.limit(on: "photo.nv12.time")?.value == 500)
    #expect(profile.limit(on: "photo.mjpg.time")?.value == 100)
    #expect(profile.limit(on: "photo.time") == nil)
    #expect(profile.limit(on: "photo.a.b.time") == nil)
    #expect(profile.limit(on: "photo.nv12.bytes") == nil)
  }

  private func error(_ json: String) -> String {
    do {
      _ = try Profile.decode(Data(json.utf8), path: "my.json")
      return "none"
    } catch { return error.description }
  }

  @Test func aBrokenProfileIsOneSentence() {
    #expect(
      error("nonsense")
        == "Could not read the profile my.json: it is not JSON; choose one of seed, strict or correct the file."
    )
    #expect(error(#"{"schema": "swiftwing-profile/1"}"#).contains("`name` is missing"))
    #expect(
      error(#"{"schema": "swiftwing-profile/9", "name": "", "title": "", "limits": [], "tolerances": []}"#)
        .contains("its schema is `swiftwing-profile/9`"))
    let limit =
      #"{"metric":"m","statistic":"p99","op":"<=","value":1,"unit":"ms","requirement":"R","source":"s"}"#
    let twice =
      #"{"schema":"swiftwing-profile/1","name":"n","title":"t","limits":[\#(limit),\#(limit)],"tolerances":[]}"#
    #expect(error(twice).contains("`m` has more than one limit"))
    #expect(error(twice.replacingOccurrences(of: "p99", with: "p98")).contains("limits[0].statistic"))
  }

  @Test func aMissingFileSaysSo() {
    let error = #expect(throws: HarnessError.self) { try Profile.load("/nowhere/p.json") }
    #expect(error?.description.contains(": no such file or directory; choose one of seed, strict") == true)
  }
}
