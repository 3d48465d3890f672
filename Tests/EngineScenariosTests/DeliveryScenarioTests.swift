import Foundation
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The delivery scenarios, judged on trial outcomes that a script prints.
@Suite struct DeliveryScenarioTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "trial-\(UUID().uuidString)")
    .path

  private func context() -> ScenarioContext {
    ScenarioContext(
      source: SourceDescription(kind: "simulated", name: "test"), scratchDirectory: "\(folder)/scratch")
  }

  /// Returns a rig whose `swiftwing-tool` is a script that prints `outcome`.
  private func rig(saying outcome: String, status: Int = 0) throws -> Rig {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let program = "\(folder)/swiftwing-tool"
    let script = URL(filePath: "\(folder)/script")
    try Data("#!/bin/sh\necho '\(outcome)'\nexit \(status)\n".utf8).write(to: script)
    // A separate process writes the program. If this process did, a child of another test could inherit the descriptor, and a file
    // that is open for writing cannot be executed.
    let install = ChildProgram(executable: "install", arguments: ["-m", "755", script.path, program])
    try #require(install.run().status == 0)
    return Rig(viewfinder: "\(folder)/swiftwing")
  }

  private static func crash(lost: Int = 0, images: Int = 0, findings: String = "") -> String {
    """
    {"kills":9,"moments":{"upload":3},"acknowledged":20,"refused":1,"troubles":1,"fillings":2,"delivered":20,"lost":\(lost),\
    "doubled":0,"imagesLeft":\(images),"jobs":20,"openJobs":0,"findings":[\(findings)]}
    """
  }

  @Test func whatWasLostOrLeftOrDamagedIsReported() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let good = try await KilledDelivery(rig: rig(saying: Self.crash())).run(context())
    #expect(good.checks.allSatisfy(\.passed) && good.metrics.allSatisfy { $0.samples == [0] })
    let bad = try await KilledDelivery(
      rig: rig(saying: Self.crash(lost: 2, images: 1, findings: "\"a scan is left in the queue\""), status: 1)
    ).run(context())
    #expect(bad.metrics.first { $0.id == "delivery.lost" }?.samples == [2])
    #expect(bad.metrics.first { $0.id == "delivery.images-left" }?.samples == [1])
    #expect(bad.checks.allSatisfy { !$0.passed })
    #expect(bad.checks.first?.detail == "a scan is left in the queue")
  }

  @Test func countingThatSeesNothingFailsItsSelfTest() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let blind = KilledDelivery(rig: try rig(saying: Self.crash()))
    guard case .failed = try await blind.selfTest(context()) else {
      Issue.record("a trial that noticed nothing passed")
      return
    }
    let seeing = KilledDelivery(rig: try rig(saying: Self.crash(lost: 1, images: 1), status: 1))
    guard case .passed = try await seeing.selfTest(context()) else {
      Issue.record("a trial that noticed the loss failed")
      return
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/scratch").isEmpty)
  }

  @Test(arguments: [("killed", 2), ("garbage", 0)])
  func trialWithoutAResultIsAnError(said: String, status: Int) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let scenario = LargeLibrary(rig: try rig(saying: said, status: status))
    await #expect(throws: LaunchError.self) { try await scenario.run(context()) }
  }

  @Test func queueThatGrowsSlowerIsSeen() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outcome = #"{"scans":60,"delivered":60,"queueSeconds":1,"rates":[100,80,50],"memory":[1,2,3]}"#
    let observation = try await LongQueue(rig: rig(saying: outcome)).run(context())
    #expect(observation.metrics.first { $0.id == "delivery.last-to-first" }?.samples == [0.5])
    #expect(observation.metrics.first { $0.id == "delivery.scan-time" }?.samples == [10, 12.5, 20])
    #expect(observation.checks.map(\.passed) == [false, true])
  }

  @Test func memoryThatGrowsIsSeen() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outcome =
      #"{"books":5,"importSeconds":1,"libraryBytes":9,"memory":[0,100000000],"searches":{"word":[1,2]},"missed":1}"#
    let observation = try await LargeLibrary(rig: rig(saying: outcome)).run(context())
    #expect(observation.metrics.map(\.id) == ["delivery.search.word"])
    #expect(observation.checks.map(\.passed) == [false, false])
  }

  /// The scenario reads the trial's output, and reports each broken rule under the rule's name.
  @Test func everyRuleOfTheProtocolIsSeenToBreakAlone() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(ProtocolLog.spoiledSamples.map(\.rule).count == ProtocolRules(log: .sample).checks.count)
    for (rule, log) in [("", ProtocolLog.sample)] + ProtocolLog.spoiledSamples {
      let said = String(decoding: try JSONEncoder().encode(log), as: UTF8.self)
      let observation = try await DeliveryProtocol(rig: rig(saying: said)).run(context())
      let red = observation.checks.filter { !$0.passed }.map(\.id)
      #expect(red == (rule.isEmpty ? [] : ["delivery.protocol.\(rule)"]))
    }
  }

  /// Returns the trial's figures of a scan along a shelf of 45 titles.
  private static func scan(books: Int, found: Int, lost: Int, doubled: Int) -> String {
    """
    {"recognizer":"none","accepted":5,"delivered":5,"acceptTimes":[1],"latencies":[2],"seconds":9,"books":\(books),"copies":0,\
    "spines":45,"spinesFound":\(found),"booksBesides":0,"titlesRead":36,"titleReadings":69,"titlesLost":\(lost),\
    "titlesDoubled":\(doubled),"uploads":5,"jobs":5,"openJobs":0,"imagesLeft":0,"fallbacks":0,"previewRates":[],"previewSeconds":0}
    """
  }

  @Test(arguments: [
    (scan(books: 47, found: 36, lost: 0, doubled: 2), [String]()),
    (
      scan(books: 0, found: 0, lost: 36, doubled: 0), ["scan.titles-found", "scan.titles-lost", "scan.books"]
    ),
    (scan(books: 78, found: 36, lost: 0, doubled: 33), ["scan.duplicates-found"]),
    (scan(books: 35, found: 35, lost: 1, doubled: 0), ["scan.titles-lost"]),
  ]) func aShelfThatDoesNotReachTheLibraryIsReported(said: String, red: [String]) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let observation = try await ShelfToLibrary(rig: rig(saying: said)).run(context())
    let profile = try Profile.load("seed")
    let broken = observation.metrics.filter { metric in
      guard let limit = profile.limit(on: metric.id), let summary = Summary(metric.samples) else {
        return false
      }
      let figure = limit.figure(of: summary)
      return metric.polarity == .higherIsBetter ? figure < limit.value : figure > limit.value
    }.map(\.id)
    #expect(broken + observation.checks.filter { !$0.passed }.map(\.id) == red)
  }

  /// A camera's shelf has no ground truth. The metrics that need one are marked as lacking, which is no failure.
  @Test func aShelfThatNobodyKnowsIsNotHeldAgainstItsTitles() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = Self.scan(books: 9, found: 0, lost: 0, doubled: 0)
      .replacing(#/"spines".*"titlesDoubled":0,/#, with: "")
    let observation = try await ShelfToLibrary(rig: rig(saying: said)).run(context())
    let lacking = observation.metrics.filter { $0.lack != nil }.map(\.id)
    #expect(lacking == ["scan.titles-found", "scan.titles-lost", "scan.duplicates-found"])
    #expect(observation.checks.filter { !$0.passed }.isEmpty)
  }

  // MARK: Scans

  /// Returns the JSON that a trial prints after scanning during an outage or beside a preview.
  private static func scripted(_ changes: [String: Any] = [:]) throws -> String {
    var figures: [String: Any] = [
      "recognizer": "none", "accepted": 5, "delivered": 5, "acceptTimes": [1], "latencies": [2], "seconds": 9,
      "drainTime": 900, "books": 10, "copies": 0, "uploads": 5, "jobs": 5, "openJobs": 0, "imagesLeft": 0,
      "fallbacks": 0, "previewRates": [60, 60, 60], "previewSeconds": 6.5,
    ]
    figures.merge(changes) { $1 }
    return String(decoding: try JSONSerialization.data(withJSONObject: figures), as: UTF8.self)
  }

  @Test(
    arguments: [
      ("", 0, []), ("delivered", 4, ["scan.outage.delivered"]), ("jobs", 6, ["scan.outage.once"]),
      ("imagesLeft", 1, ["scan.outage.images"]),
      ("accepted", 0, ["scan.outage.delivered", "scan.outage.once", "scan.outage.images"]),
    ] as [(String, Int, [String])])
  func anOutageThatCostsAScanIsReported(key: String, value: Int, red: [String]) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let said = try Self.scripted(key.isEmpty ? [:] : [key: value])
    let observation = try await BackendOutage(rig: rig(saying: said)).run(context())
    #expect(observation.checks.filter { !$0.passed }.map(\.id) == red)
    #expect(observation.metrics.first { $0.id == "scan.drain-time" }?.samples == [900])
  }

  @Test func aPreviewThatStuttersOrWasNotWatchedIsReported() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func red(_ changes: [String: Any]) async throws -> Set<String> {
      let rig = try rig(saying: Self.scripted(changes))
      return try await ScanningPreview(rig: rig).run(context()).red()
    }
    #expect(try await red([:]) == [])
    #expect(try await red(["previewRates": [60, 40, 60]]) == ["scan.preview-rate"])
    #expect(try await red(["previewRates": [Int]()]) == ["scan.preview-rate", "scan.preview.whole"])
    #expect(try await red(["previewSeconds": 3]) == ["scan.preview.whole"])
    #expect(try await red(["delivered": 2]) == ["scan.preview.busy"])
  }

  @Test func aSourceHasNoDelivery() async throws {
    let rig = Rig(specification: "corpus:turn", viewfinder: "")
    let scenarios: [any Scenario] = [
      KilledDelivery(rig: rig), DeliveryProtocol(rig: rig), LargeLibrary(rig: rig), LongQueue(rig: rig),
    ]
    for scenario in scenarios {
      await #expect(throws: Unsupported.self) { try await scenario.run(context()) }
    }
  }
}
