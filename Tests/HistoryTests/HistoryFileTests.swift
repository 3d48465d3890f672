import Foundation
import GRDB
import Harness
import System
import Testing

@testable import History

@Suite struct HistoryFileTests {
  @Test func theSameRunTwiceIsOne() throws {
    let folder = try TemporaryFolder()
    let history = try History(path: "\(folder.path)/deep/er/history.sqlite", making: true)
    let report = RunFixture().report
    #expect(try history.add(report, named: "a", now: RunFixture.now) == .added)
    #expect(try history.add(report, named: "a", now: RunFixture.now) == .known)
    // A report with the same figures but a different commit or time belongs to a different run.
    #expect(try history.add(RunFixture(commit: "c1").report, named: "b", now: RunFixture.now) == .added)
    #expect(try history.add(RunFixture(day: 0.1).report, named: "c", now: RunFixture.now) == .added)
    #expect(try History(path: history.path).count() == 3)
  }

  @Test(
    arguments: [
      (RunFixture(isComplete: false), "it is of a run that was interrupted or killed before its end"),
      (RunFixture(fault: "slow-preview=30"), "it was broken on purpose (--fault slow-preview=30)"),
      (RunFixture(build: "debug"), "it is of a debug build, whose times mean nothing"),
      (RunFixture(day: 1002), "it says that it began in the future"),
    ]) func whatSaysNothingOfTheBuildIsRefused(_ run: RunFixture, _ reason: String) throws
  {
    let folder = try TemporaryFolder()
    let history = try History(path: folder.history, making: true)
    let error = #expect(throws: HistoryError.self) {
      try history.add(run.report, named: "x.json", now: RunFixture.now)
    }
    #expect(
      error?.description.hasPrefix("Could not add x.json to the history: \(reason)") == true,
      "\(String(describing: error))")
    #expect(error?.kind == .badInput)
    #expect(try history.count() == 0)
  }

  @Test func contradictionPartAndNothingAreRefused() throws {
    let folder = try TemporaryFolder()
    let history = try History(path: folder.history, making: true)
    var edited = RunFixture().report
    edited.scenarios[0].metrics[0].p50 = 3
    var part = RunFixture().report
    part.shard = Shard("1/3")
    var empty = RunFixture().report
    empty.scenarios[0].metrics = []
    var twice = RunFixture().report
    twice.scenarios[0].metrics += twice.scenarios[0].metrics
    for (report, words) in [
      (edited, "says latency.time has"), (part, "the part 1/3 of a run"), (empty, "no metric"),
      (twice, "twice"),
    ] {
      let error = #expect(throws: HistoryError.self) {
        try history.add(report, named: "x", now: RunFixture.now)
      }
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
    #expect(try history.count() == 0)
  }

  @Test func digestKeepsQuantiles() {
    let few = QuantileDigest([3, 1, 2])
    #expect(few.values == [1, 2, 3])
    let many = QuantileDigest((0...1000).map(Double.init).shuffled())
    #expect(many.values == stride(from: 0, through: 1000, by: 50).map { $0 })
    for digest in [few, many, QuantileDigest([])] { #expect(QuantileDigest(bytes: digest.bytes) == digest) }
    #expect(QuantileDigest(bytes: Data([1, 2, 3])).values.isEmpty)
    #expect(many.bytes.count == 168)
  }

  // MARK: Files that are no history

  @Test func missingHistoryIsSaid() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: HistoryError.self) { try History(path: folder.history) }
    #expect(error?.reason == "there is no history there")
    #expect(folder.names.isEmpty)
  }

  @Test func foreignFilesAreRefusedAndLeftAlone() throws {
    let folder = try TemporaryFolder()
    try DatabaseQueue(path: "\(folder.path)/other.sqlite").write {
      try $0.execute(sql: "CREATE TABLE run (a)")
    }
    try Data("{}".utf8).write(to: URL(filePath: "\(folder.path)/report.json"))
    try Data().write(to: URL(filePath: "\(folder.path)/empty.sqlite"))
    for (name, reason) in [
      ("other.sqlite", "it is an SQLite file of another program"), ("report.json", "it is no SQLite file"),
      ("empty.sqlite", "it is empty, so all its runs are gone"), ("", "it is not a file"),
    ] {
      let path = "\(folder.path)/\(name)"
      let before = FileManager.default.contents(atPath: path)
      let error = #expect(throws: HistoryError.self) { try History(path: path, making: true) }
      #expect(error?.reason == reason && error?.kind == .badInput)
      #expect(FileManager.default.contents(atPath: path) == before)
    }
  }

  /// A truncated history is never read as a shorter history.
  @Test func truncatedHistoryIsNeverAShorterOne() throws {
    let folder = try TemporaryFolder()
    let history = try History(path: folder.history, making: true)
    try history.add((0..<30).map { 10 + Double($0 % 3) })
    try history.database.close()
    let whole = try #require(FileManager.default.contents(atPath: folder.history))
    for part in [1, 15, 16, 99, 100, 512, 4095, 4096, whole.count / 2, whole.count - 4096, whole.count - 1] {
      try whole.prefix(part).write(to: URL(filePath: folder.history))
      let error = #expect(throws: HistoryError.self, "\(part)") { try History(path: folder.history).trend() }
      #expect(
        error?.kind == .badInput && error?.reason.contains("cut off") == true,
        "\(part): \(String(describing: error))")
      #expect(FileManager.default.contents(atPath: folder.history)?.count == part)
    }
  }

  @Test func damagedHistoryIsSaid() throws {
    let folder = try TemporaryFolder()
    let history = try History(path: folder.history, making: true)
    try history.add((0..<30).map { 10 + Double($0 % 3) })
    try history.database.close()
    var bytes = try #require(FileManager.default.contents(atPath: folder.history))
    for index in stride(from: 4096, to: bytes.count, by: 3) { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: folder.history))
    let error = #expect(throws: HistoryError.self) { try History(path: folder.history).trend() }
    #expect(error?.reason.hasPrefix("it is damaged (") == true && error?.kind == .badInput)
  }

  /// A damaged file is read or refused, and never crashes the program.
  @Test(arguments: 0..<40) func damageNeverEndsTheProgram(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let history = try History(path: folder.history, making: true)
    try history.add((0..<12).map { 10 + Double($0 % 3) })
    try history.database.close()
    var bytes = [UInt8](try #require(FileManager.default.contents(atPath: folder.history)))
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0...(seed % 8) {
      let place = Int(random.next() % UInt64(bytes.count))
      bytes[place] = UInt8(truncatingIfNeeded: random.next())
    }
    try Data(bytes).write(to: URL(filePath: folder.history))
    let finding = Self.reading(folder.history)
    #expect(finding == nil || finding == .badInput, "\(seed)")
  }

  /// Returns the kind of the error; nil if everything could be read.
  private static func reading(_ path: String) -> HistoryError.Kind? {
    do throws(HistoryError) {
      let history = try History(path: path)
      let trend = try history.trend()
      _ = (TrendTable(trend).json, TrendTable(trend).text, TrendPage(trend).html)
      let export = try history.export()
      _ = (export.csv, export.json)
      return nil
    } catch { return error.kind }
  }

  @Test func tablesThatAreNotOursAreNotRead() throws {
    let folder = try TemporaryFolder()
    let history = try History(path: folder.history, making: true)
    try history.database.write { try $0.execute(sql: "ALTER TABLE run DROP COLUMN version") }
    try history.database.close()
    let error = #expect(throws: HistoryError.self) { try History(path: folder.history) }
    #expect(error?.reason == "its tables are not those of a history")
  }

  @Test func historyOfANewerProgramIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    let history = try History(path: folder.history, making: true)
    try history.database.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('9 what comes')")
    }
    let error = #expect(throws: HistoryError.self) { try History(path: folder.history, making: true) }
    #expect(error?.reason == "a newer SwiftWing has written it")
  }

  // MARK: Several writers

  /// Another program creates the file after this one has found none.
  @Test func historyThatHasComeMeanwhileStays() throws {
    let folder = try TemporaryFolder()
    _ = try History(path: folder.history, making: true).add(
      RunFixture().report, named: "a", now: RunFixture.now)
    try History.make(folder.history)
    #expect(try History(path: folder.history).count() == 1)
    #expect(folder.names == ["history.sqlite"])
  }

  /// Each writer opens the file by itself, even while another creates it.
  @Test func writersAtOnceLoseNothing() async throws {
    let folder = try TemporaryFolder()
    let path = folder.history
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for run in 0..<12 {
            let report = RunFixture(commit: "w\(writer)", day: Double(run)).report
            _ = try History(path: path, making: true).add(report, named: "\(run)", now: RunFixture.now)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try History(path: path).count() == 48)
    #expect(folder.names == ["history.sqlite"])
  }
}
