import Foundation
import Harness
import System
import Testing

@testable import swiftwing_tool

/// An archive of recorded runs and its replay.
@Suite struct GateReplayTests {
  /// Rounds and runs in which the slow build is 20 % slower than the others.
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
    // A round that was ended half way is left out.
    try await RecordedTurn.write(1, to: "\(folder)/pairs/0/0017/photo.floor/same-1.json")
    let archive = try GateArchive(folder: folder)
    #expect(archive.series(0, "same-1", new: "same-2").mapValues(\.count) == ["photo.floor": 16])
    #expect(archive.loads == [0] && archive.faults == ["slow-photo=20"] && archive.commits == ["abc"])
    let rows = try await TurnsReplay(archive: archive, limit: .seconds(300), atOnce: []).rows(
      same: 12, slower: 8)
    #expect(rows.map(\.count) == [12, 8])
    #expect(rows[0].share(.unchanged) == 1 && rows[1].share(.regressed) == 1)
    let stored = try StoredReplay(archive: archive).rows()
    #expect(stored.map(\.method) == ["one stored run", "one stored run", "5 stored runs", "5 stored runs"])
    for row in stored { #expect(row.share(row.fault == nil ? .unchanged : .regressed) == 1, "\(row)") }
    let page = GatePage(rows: rows + stored, archive: archive, limit: .seconds(300))
    #expect(page.markdown.contains("| by turns | 0 | slow-photo=20 | 8 | 8 | 0 | 0 | 0 | 0 |"))
    #expect(page.markdown.contains("17 recorded rounds of turns and 16 whole runs of the build abc"))
  }

  /// Long turns are recorded in the first rounds only, and take none of the others' rounds away.
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

  /// Builds that were recorded at once shared the time that their reports tell.
  @Test func whatRanAtOnceTookItsShareOfTheTime() async throws {
    let folder = NSTemporaryDirectory() + "archive-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await archive(folder, rounds: 16)
    let archive = try GateArchive(folder: folder)
    func minutes(_ atOnce: Set<String>) async throws -> [Duration] {
      try await TurnsReplay(archive: archive, limit: .seconds(300), atOnce: atOnce).rows(same: 3, slower: 3)
        .map { $0.time / $0.count }
    }
    // Turns of a second and three tenths; of three builds at once a third of a second and three tenths.
    let (turns, shares) = (try await minutes([]), try await minutes(["photo.floor"]))
    for (turn, share) in zip(turns, shares) { #expect(abs(share / turn - (1.0 / 3 + 0.3) / 1.3) < 0.01) }
  }

  /// No round is evidence twice: a recording that is too short decides nothing.
  @Test func aShortArchiveDecidesNothing() async throws {
    let folder = NSTemporaryDirectory() + "archive-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await archive(folder, rounds: 3)
    let rows = try await TurnsReplay(
      archive: try GateArchive(folder: folder), limit: .seconds(300), atOnce: []
    ).rows(
      same: 4, slower: 4)
    for row in rows { #expect(row.share(.interrupted) == 1) }
    try OutputFile(path: "\(folder)/pairs/0/0001/photo.floor/same-1.json").write("{")
    #expect(throws: HarnessError.self) { try GateArchive(folder: folder) }
  }

  @Test(arguments: [("90s", 90), ("5m", 300), ("1h", 3600), ("24h", 86_400)])
  func aTimeHasAUnit(text: String, seconds: Int) {
    #expect(TimeSpan(argument: text)?.duration == .seconds(seconds))
  }

  @Test(arguments: ["5", "m", "0s", "-1m", "1.5m", "25h", "5 m", "", "99999999999999999999s"])
  func whatIsNoTimeIsRefused(text: String) { #expect(TimeSpan(argument: text) == nil) }

  @Test func aFolderWithoutABuildIsNoneToTakeTurnsWith() throws {
    let folder = NSTemporaryDirectory() + "build-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
    let failure = #expect(throws: Failure.self) { try OtherBuild(folder) }
    #expect(failure?.status == .sourceUnavailable)
    try OutputFile(path: "\(folder)/bin/swiftwing").write("#!/bin/sh\necho '{}'\n")
    chmod("\(folder)/bin/swiftwing", 0o755)
    #expect(try OtherBuild(folder).name == folder)
  }

  /// A child that answers something else, or does not start, ends the comparison with one sentence.
  @Test(arguments: [
    ("echo nothing", Harness.ExitStatus.usage), ("/nowhere/at/all", .sourceUnavailable),
    ("exit 7;", .sourceUnavailable),
  ])
  func whatIsNoBuildSaysSo(command: String, status: Harness.ExitStatus) async throws {
    let build = try OtherBuild(command)
    let failure = await #expect(throws: Failure.self) { try await build.scenarios(["--duration", "turn"]) }
    #expect(failure?.status == status && failure?.description.contains("cannot take turns with") == true)
  }

  @Test func whatRefusesTheOptionsIsToldApart() async throws {
    #expect(try await OtherBuild("sh -c 'exit 2'").scenarios([]) == nil)
  }

  @Test func aTurnWithoutAReportIsAnError() async throws {
    let folder = NSTemporaryDirectory() + "turn-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (command, words) in [("true", "report.json"), ("sh -c 'echo broken >&2; exit 9'", "broken")] {
      let failure = await #expect(throws: Failure.self) {
        try await OtherBuild(command).turn([], folder: folder)
      }
      #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    }
  }

  @Test func aTurnThatIsCancelledEnds() async throws {
    let task = Task { try await OtherBuild("sleep 60; true").turn([], folder: "/tmp/none") }
    task.cancel()
    #expect(try await task.value == nil)
  }
}
