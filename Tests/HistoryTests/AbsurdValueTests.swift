import Foundation
import GRDB
import System
import Testing

@testable import History

/// Values that a history's columns can hold, but no run has.
@Suite struct AbsurdValueTests {
  private static let values = [
    "9e999", "-9e999", "1e300", "-1e300", "0", "-1", "9223372036854775807", "-9223372036854775808", "''",
    "'x'", "x''", "randomblob(8)", "randomblob(1032)", "zeroblob(16)", "NULL",
  ]

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func nothingEndsTheProcess(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let history = try History(path: folder.history, making: true)
    for day in 0..<12 {
      let run = RunFixture(
        commit: "c\(day)", day: Double(day), latency: [day < 6 ? 10 : 20, day < 6 ? 11 : 21],
        bytes: [100, 100])
      _ = try history.add(run.report, named: "r", now: RunFixture.now)
    }
    var chance = SplitMix64(seed: seed)
    for _ in 0..<5 {
      let table = ["setting", "run", "metric", "figure"][Int.random(in: 0..<4, using: &chance)]
      let value = Self.values[Int.random(in: Self.values.indices, using: &chance)]
      let row = Int.random(in: 0..<100, using: &chance)
      let pick = Int.random(in: 0..<100, using: &chance)
      try history.database.write { database in
        let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('\(table)')")
        let keys = table == "figure" ? "run, metric" : "id"
        let column = columns[pick % columns.count]
        // If the column refuses the value, the row stays unchanged.
        _ = try? database.execute(
          sql: """
            UPDATE OR IGNORE \(table) SET "\(column)" = \(value) WHERE (\(keys)) =
            (SELECT \(keys) FROM \(table) LIMIT 1 OFFSET \(row) % (SELECT count(*) FROM \(table)))
            """)
      }
    }
    // Reading may throw an error, but must not crash.
    if let trend = try? history.trend() {
      #expect(!TrendTable(trend).text.isEmpty && !TrendPage(trend).html.isEmpty)
      _ = TrendTable(trend).json
    }
    _ = try? history.export()
    _ = try? history.prune(Pruning(.newest(3)))
  }
}
