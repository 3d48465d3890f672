import Foundation
import Harness
import RecordedTurns
import System
import Testing

@testable import swiftwing_trials

/// The archive of recorded runs, and its replay.
@Suite struct GateReplayTests {
  /// Records rounds and runs in which the slow build is 20 % slower than the others.
  private func archive(_ folder: String, rounds: Int) async throws {
    var random = SplitMix64(seed: 5)
    func noise() -> Double { 1 + (Double(random.next() % 1000) / 1000 - 0.5) / 100 }
    for round in 1...rounds {
      let name = String(format: "%04d", round)
      for (build, ratio) in [("same-1", 1.0), ("same-2", 1), ("slow-photo=20", 1.2)] {
        try await RecordedTurn.write(
          ratio * noise(), to: "\(folder)/pairs/0/\(name)/photo.floor/\(build).json")
        if build != "same-2", round < 9 {
          try await RecordedTurn.write(ratio * noise(), to: "\(folder)/runs/0/\(name)/\(build).json")
        }
      }
    }
  }

  @Test func theReplayCountsWhatTheGateSays() async throws {
    let folder = NSTemporaryDirectory() + "archive-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await archive(folder, rounds: 16)
    // An incomplete round is left out.
    try await RecordedTurn.write(1, to: "\(folder)/pairs/0/0017/photo.floor/same-1.json")
    let archive = try GateArchive(folder: folder)
    #expect(archive.series(0, "same-1", new: "same-2").mapValues(\.count) == ["photo.floor": 16])
    #expect(Set(archive.rounds.keys).union(archive.runs.keys) == [0])
    #expect(archive.faults == ["slow-photo=20"] && archive.commits == ["abc"])
    let rows = try await TurnsReplay(archive: archive, limit: .seconds(300), atOnce: []).rows(
      same: 12, slower: 8)
    #expect(rows.map(\.count) == [12, 8])
    #expect(Set(rows[0].verdicts.keys) == [.unchanged] && Set(rows[1].verdicts.keys) == [.regressed])
    let stored = try StoredReplay(archive: archive).rows()
    #expect(stored.map(\.method) == ["one stored run", "one stored run", "5 stored runs", "5 stored runs"])
    for row in stored {
      #expect(Set(row.verdicts.keys) == [row.fault == nil ? .unchanged : .regressed], "\(row)")
    }
    let page = GatePage(rows: rows + stored, archive: archive, limit: .seconds(300))
    #expect(page.markdown.contains("| by turns | 0 | slow-photo=20 | 8 | 8 | 0 | 0 | 0 | 0 |"))
    #expect(
      page.markdown.contains(
        "17 recorded rounds of turns, 16 whole runs and 0 counting runs of the build abc"))
  }

  /// Each counting run is compared with all earlier ones, whichever load they had. A change beyond the tolerance is not missed.
  @Test func countingRunsAreComparedWithAllEarlierOnes() async throws {
    let folder = NSTemporaryDirectory() + "archive-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (load, number, instructions, second) in [
      (0, 1, 1000.0, 1), (0, 2, 1001, 3), (2, 1, 999, 2), (2, 2, 1010, 4),
    ] {
      var metric = Harness.Measurement(
        id: "counted.report.example.instructions", title: "Example", unit: .count, level: .synthetic,
        kind: .counted,
        samples: [instructions])
      metric.functions = FunctionCount(counter: "callgrind", functions: [])
      var report = try await MadeReport.of("counted.pixels", suite: "counted", [metric])
      report.started = "2026-01-01T00:00:0\(second)Z"
      try OutputFile(path: "\(folder)/counts/\(load)/000\(number)/same-1.json").write(
        try ReportFile.encode(report))
    }
    let archive = try GateArchive(folder: folder)
    #expect(archive.commits == ["abc"] && archive.runs.isEmpty)
    let rows = try CountedReplay(archive: archive).rows()
    #expect(rows.map(\.load) == [0, 2])
    #expect(rows.map(\.verdicts) == [[.unchanged: 2], [.unchanged: 1, .regressed: 3]])
    #expect(rows[1].blamed == ["counted.report.example.instructions": 3])
  }

  /// Long turns are recorded only in the first rounds. Other scenarios keep all their rounds.
  @Test func eachScenarioHasItsOwnRounds() async throws {
    let folder = NSTemporaryDirectory() + "archive-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await archive(folder, rounds: 16)
    for name in ["0001", "0002", "0003"] {
      for build in ["same-1", "same-2"] {
        try await RecordedTurn.write(1, to: "\(folder)/pairs/0/\(name)/scan.recognition/\(build).json")
      }
    }
    let series = try GateArchive(folder: folder).series(0, "same-1", new: "same-2")
    #expect(series.mapValues(\.count) == ["photo.floor": 16, "scan.recognition": 3])
  }

  /// If builds ran at the same time, each build's turn counts only its share of the time.
  @Test func whatRanAtOnceTookItsShareOfTheTime() async throws {
    let folder = NSTemporaryDirectory() + "archive-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await archive(folder, rounds: 16)
    let archive = try GateArchive(folder: folder)
    func minutes(_ atOnce: Set<String>) async throws -> [Duration] {
      try await TurnsReplay(archive: archive, limit: .seconds(300), atOnce: atOnce).rows(same: 3, slower: 3)
        .map { $0.time / $0.count }
    }
    // A turn takes 1 s plus 0.3 s. If three builds run at once, each takes a third of that second plus 0.3 s.
    let (turns, shares) = (try await minutes([]), try await minutes(["photo.floor"]))
    for (turn, share) in zip(turns, shares) { #expect(abs(share / turn - (1.0 / 3 + 0.3) / 1.3) < 0.01) }
  }

  /// A replay uses no round twice, so a recording that is too short decides nothing.
  @Test func aShortArchiveDecidesNothing() async throws {
    let folder = NSTemporaryDirectory() + "archive-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await archive(folder, rounds: 3)
    let rows = try await TurnsReplay(
      archive: try GateArchive(folder: folder), limit: .seconds(300), atOnce: []
    ).rows(
      same: 4, slower: 4)
    for row in rows { #expect(Set(row.verdicts.keys) == [.interrupted]) }
    try OutputFile(path: "\(folder)/pairs/0/0001/photo.floor/same-1.json").write("{")
    #expect(throws: HarnessError.self) { try GateArchive(folder: folder) }
  }
}
