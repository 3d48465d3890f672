package import Foundation
import GRDB

/// All figures of all runs in a history, for a spreadsheet or a program.
package struct HistoryExport: Sendable {
  /// A metric of a run. Figures that the run did not measure are nil.
  package struct Row: Sendable, Codable, Equatable {
    /// Start of the run, ISO 8601 in UTC.
    package var started: String
    /// The commit of the measured build's sources.
    package var commit: String
    /// The version of the tool that measured.
    package var version: String
    package var runVerdict: String
    /// The machine, in words.
    package var fingerprint: String
    package var source: String
    /// The format. Empty for several formats.
    package var format: String
    package var profile: String
    /// The duration class of the run.
    package var duration: String
    /// The scenario that measured the metric.
    package var scenario: String
    package var metric: String
    package var unit: String
    /// Number of samples.
    package var count: Int
    /// The median.
    package var p50: Double?
    /// The 90th percentile: nine of ten samples are at most this.
    package var p90: Double?
    /// The 99th percentile: 99 of 100 samples are at most this.
    package var p99: Double?
    package var verdict: String
    /// Whether comparisons decide by the metric.
    package var decides: Bool
  }

  /// The format version that an export names.
  package static let schema = "swiftwing-history/1"

  private struct Document: Encodable {
    let schema = HistoryExport.schema
    let rows: [Row]
  }

  /// The rows, the oldest run first.
  package let rows: [Row]

  /// The export as a JSON object with `schema` and `rows`.
  package var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return (try? encoder.encode(Document(rows: rows))) ?? Data()
  }

  /// The export as CSV (RFC 4180), with a header line. A text that a spreadsheet would execute as a formula is preceded by an apostrophe (OWASP,
  /// "CSV Injection").
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
