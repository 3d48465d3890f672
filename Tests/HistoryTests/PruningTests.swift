import Foundation
import Harness
import System
import Testing

@testable import History

@Suite struct PruningTests {
  private let folder: TemporaryFolder
  private let history: History

  init() throws {
    folder = try TemporaryFolder()
    history = try History(path: folder.history, making: true)
  }

  private func noisy(_ count: Int, _ level: Double) -> [Double] {
    var random = SplitMix64(seed: UInt64(count) + UInt64(level))
    return (0..<count).map { _ in level * exp(0.02 * random.normal()) }
  }

  @Test func newestStayOfEachMachine() throws {
    try history.add(noisy(20, 10), cpu: "One")
    try history.add(noisy(6, 20), cpu: "Other")
    let outcome = try history.prune(Pruning(.newest(5)))
    #expect(outcome == .init(removed: 16, spared: 0))
    #expect(try history.trend().settings.map(\.runs.count) == [5, 5])
    #expect(try history.trend().settings[0].runs.last?.commit == "c19")
  }

  @Test func runsOfAfterAMomentStay() throws {
    try history.add(noisy(20, 10))
    let moment = RunFixture.epoch.addingTimeInterval(15 * 86_400)
    #expect(try history.prune(Pruning(.since(moment))) == .init(removed: 15, spared: 0))
    #expect(try history.trend().settings[0].runs.first?.commit == "c15")
  }

  /// After the runs around a change are pruned, the change is still found at the same commit.
  @Test func runsOfAChangePointStay() throws {
    try history.add(noisy(40, 10) + noisy(60, 12.5))
    let before = try #require(try history.trend().series("latency.time")?.changes.first)
    let outcome = try history.prune(Pruning(.newest(15)))
    #expect(outcome.spared >= 2 * Pruning.least && outcome.removed + outcome.spared == 85)
    let after = try #require(try history.trend().series("latency.time")?.changes.first)
    #expect(after.commit == before.commit && after.before == before.before && after.verdict == before.verdict)
  }

  @Test func changePointsGoWhenThatIsSaid() throws {
    try history.add(noisy(40, 10) + noisy(60, 12.5))
    #expect(try history.prune(Pruning(.newest(15), takesChangePoints: true)) == .init(removed: 85, spared: 0))
    #expect(try history.trend().series("latency.time")?.changes.isEmpty == true)
  }

  @Test func spaceIsGivenBack() throws {
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: folder.history)[.size] as? Int ?? 0
    }
    try history.add(noisy(120, 10))
    let before = try size()
    _ = try history.prune(Pruning(.newest(2)))
    #expect(try size() < before)
    #expect(folder.names == ["history.sqlite"])
  }

  @Test func everyFigureIsExported() throws {
    let run = RunFixture(commit: "=cmd|' /C calc'!A0", cpu: "A, \"B\"", latency: [1, 2, 3])
    _ = try history.add(run.report, named: "a", now: RunFixture.now)
    let export = try history.export()
    let lines = export.csv.components(separatedBy: "\r\n")
    #expect(lines.count == 4 && lines[3].isEmpty && lines[0].hasPrefix("started,commit,"))
    #expect(
      lines[1]
        == "2026-11-01T00:00:00Z,'=cmd|' /C calc'!A0,0.1.0,pass,\"x86_64 · A, \"\"B\"\" · release\",pan,MJPG,seed,short,latency.example,latency.time,ms,3,2.0,3.0,3.0,pass,true"
    )
    struct Document: Decodable {
      var schema: String
      var rows: [HistoryExport.Row]
    }
    let document = try JSONDecoder().decode(Document.self, from: export.json)
    #expect(document.schema == "swiftwing-history/1" && document.rows == export.rows)
    #expect(document.rows.map(\.metric) == ["latency.time", "photo.bytes"])
  }
}
