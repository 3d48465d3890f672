package import Foundation
import GRDB
package import Harness

extension History {
  package enum Intake: Sendable, Equatable {
    /// The report is now in the history.
    case added
    /// The report was in the history already: a run is stored only once.
    case known
  }

  /// Adds a run. When this returns, it is on disk.
  /// - Parameters:
  ///   - name: the name of the report in errors, such as its path.
  ///   - now: the current time; a run that began later than a day after it is refused.
  /// - Throws: `HistoryError` if the run was not finished, was broken on purpose, is of a debug build, is a part of a run, contradicts itself, or
  ///   cannot be written.
  package func add(
    _ report: Report, named name: String, now: Date = Date()
  ) throws(HistoryError) -> Intake {
    let record = try RunRecord(report, named: name, now: now)
    let identity = record.identity
    return try write("write the history") { database in
      let known = try Int.fetchOne(
        database, sql: "SELECT 1 FROM run WHERE identity = ?", arguments: [identity])
      guard known == nil else { return .known }
      let setting = try Self.id(of: record.setting, in: database)
      try database.execute(
        sql:
          "INSERT INTO run (identity, setting, started, build, version, verdict) VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [
          identity, setting, record.started, record.build, record.version, record.verdict.rawValue,
        ])
      let run = database.lastInsertedRowID
      for figure in record.figures {
        try Self.insert(figure.metric, of: figure.scenario, figure.decides, run: run, database: database)
      }
      return .added
    }
  }

  private static func id(of setting: RunRecord.Setting, in database: Database) throws -> Int64 {
    let key: StatementArguments = [
      setting.fingerprint, setting.kind, setting.source, setting.format, setting.profile, setting.duration,
    ]
    let found = try Int64.fetchOne(
      database,
      sql: """
        SELECT id FROM setting
        WHERE fingerprint = ? AND kind = ? AND source = ? AND format = ? AND profile = ? AND duration = ?
        """, arguments: key)
    if let found { return found }
    try database.execute(
      sql: """
        INSERT INTO setting (fingerprint, kind, source, format, profile, duration, name) VALUES (?, ?, ?, ?, ?, ?, ?)
        """, arguments: key + [setting.name])
    return database.lastInsertedRowID
  }

  private static func id(of metric: MetricReport, _ scenario: String, in database: Database) throws -> Int64 {
    // The kind is nil in reports that are older than this field.
    let kind = metric.kind?.rawValue ?? ""
    let key: StatementArguments = [
      metric.id, scenario, metric.unit.rawValue, metric.polarity.rawValue, metric.evidence.rawValue, kind,
    ]
    let found = try Int64.fetchOne(
      database,
      sql: """
        SELECT id FROM metric
        WHERE name = ? AND scenario = ? AND unit = ? AND polarity = ? AND level = ? AND kind = ?
        """, arguments: key)
    if let found { return found }
    try database.execute(
      sql:
        "INSERT INTO metric (name, scenario, unit, polarity, level, kind, title) VALUES (?, ?, ?, ?, ?, ?, ?)",
      arguments: key + [metric.title])
    return database.lastInsertedRowID
  }

  private static func insert(
    _ metric: MetricReport, of scenario: String, _ decides: Bool, run: Int64, database: Database
  ) throws {
    try database.execute(
      sql: """
        INSERT INTO figure (run, metric, count, median, p90, p99, mean, verdict, decides, statistic, "limit", relative, absolute,
        samples, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        run, try id(of: metric, scenario, in: database), metric.count, metric.p50, metric.p90, metric.p99,
        metric.mean, metric.verdict.rawValue, decides, metric.limit?.statistic.rawValue, metric.limit?.value,
        metric.tolerance.relative, metric.tolerance.absolute, QuantileDigest(metric.samples).bytes,
        metric.kind == .exact ? Checksum.number(metric.samples) : nil,
      ])
  }
}
