package import Foundation
import GRDB

/// Every figure of every run of a history, for a spreadsheet or a program.
package struct HistoryExport: Sendable {
  /// One metric of one run. What a run did not measure is nil.
  package struct Row: Sendable, Codable, Equatable {
    /// ISO 8601, UTC.
    package var started: String
    /// Of the sources that the measured build is of.
    package var commit: String
    /// Of the tool that measured.
    package var version: String
    /// The run's.
    package var runVerdict: String
    /// The machine, in words.
    package var fingerprint: String
    /// What was measured.
    package var source: String
    /// Empty for several.
    package var format: String
    /// The profile's name.
    package var profile: String
    /// How long a run was to take.
    package var duration: String
    /// What measured it.
    package var scenario: String
    /// The metric's id.
    package var metric: String
    /// Of the figures.
    package var unit: String
    /// Samples.
    package var count: Int
    /// The median.
    package var p50: Double?
    /// Nine of ten samples are at most this.
    package var p90: Double?
    /// 99 of 100 samples are at most this.
    package var p99: Double?
    /// The metric's.
    package var verdict: String
    /// The profile asks something of it.
    package var decides: Bool
  }

  /// Which version of the format an export names.
  package static let schema = "swiftwing-history/1"

  private struct Document: Encodable {
    let schema = HistoryExport.schema
    let rows: [Row]
  }

  /// The oldest run first.
  package let rows: [Row]

  /// One object: `schema`, and `rows`.
  package var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return (try? encoder.encode(Document(rows: rows))) ?? Data()
  }

  /// RFC 4180, with a line of names. A text that a spreadsheet would run as a formula has an apostrophe before it (OWASP, "CSV
  /// Injection").
  package var csv: String {
    let head =
      "started,commit,version,run verdict,fingerprint,source,format,profile,duration,scenario,metric,unit,count,p50,p90,p99,verdict,decides"
    return ([head] + rows.map(Self.line)).joined(separator: "\r\n") + "\r\n"
  }

  private static func line(_ row: Row) -> String {
    let words = [
      row.started, row.commit, row.version, row.runVerdict, row.fingerprint, row.source, row.format,
      row.profile,
      row.duration, row.scenario, row.metric, row.unit,
    ].map(cell)
    let figures = ["\(row.count)"] + [row.p50, row.p90, row.p99].map { $0.map { "\($0)" } ?? "" }
    return (words + figures + [cell(row.verdict), "\(row.decides)"]).joined(separator: ",")
  }

  private static func cell(_ text: String) -> String {
    let isFormula = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
    let safe = isFormula ? "'\(text)" : text
    guard safe.utf8.contains(where: { $0 == 34 || $0 == 44 || $0 == 10 || $0 == 13 }) else { return safe }
    return "\"\(safe.replacing("\"", with: "\"\""))\""
  }
}

extension History {
  /// Everything in it.
  package func export() throws(HistoryError) -> HistoryExport {
    try read("export the history") { database in
      HistoryExport(rows: try GRDB.Row.fetchAll(database, sql: Self.everything).map(HistoryExport.Row.init))
    }
  }

  private static let everything = """
    SELECT run.started, run.build, run.version, run.verdict AS runVerdict, setting.fingerprint, setting.name AS source, setting.format,
    setting.profile, setting.duration, metric.scenario, metric.name AS metric, metric.unit, figure.count, figure.median, figure.p90,
    figure.p99, figure.verdict, figure.decides
    FROM figure JOIN run ON run.id = figure.run JOIN setting ON setting.id = run.setting JOIN metric ON metric.id = figure.metric
    ORDER BY run.started, run.id, metric.name, metric.id
    """
}

extension HistoryExport.Row {
  fileprivate init(_ row: GRDB.Row) {
    let started: Int64 = row["started"]
    self.init(
      started: Date(timeIntervalSince1970: Double(started) / 1000).formatted(.iso8601), commit: row["build"],
      version: row["version"], runVerdict: row["runVerdict"], fingerprint: row["fingerprint"],
      source: row["source"], format: row["format"], profile: row["profile"], duration: row["duration"],
      scenario: row["scenario"], metric: row["metric"], unit: row["unit"], count: row["count"],
      p50: row["median"],
      p90: row["p90"], p99: row["p99"], verdict: row["verdict"], decides: row["decides"])
  }
}
