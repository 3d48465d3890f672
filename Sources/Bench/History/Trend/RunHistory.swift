import Foundation
import GRDB
import Harness

/// The runs of one setting with their figures, as read from the file.
struct RunHistory {
  struct Run {
    var id: Int64
    var started: Int64
    var commit: String
    var verdict: Verdict
  }

  struct Metric: Hashable {
    var id: Int64
    var name: String
    var scenario: String
    var title: String
    var unit: MeasurementUnit
    var polarity: Polarity
    var kind: MetricKind?
  }

  struct Figure {
    var run: Int
    var count: Int
    var median: Double?
    var p90: Double?
    var mean: Double?
    var decides: Bool
    var statistic: Statistic?
    var limit: Double?
    var tolerance: Tolerance
    var quantiles: [Double]
    var checksum: Int64?
  }

  var id: Int64
  var setting: RunRecord.Setting
  /// The runs, ascending by time.
  var runs: [Run]
  /// The figures, ascending by run.
  var figures: [Metric: [Figure]]
}

extension RunHistory {
  /// Reads all settings, that of the newest run first.
  /// - Parameter last: the number of newest runs that are read of each setting.
  static func all(in database: Database, last: Int) throws -> [RunHistory] {
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM setting")
    let histories = try rows.map { row in
      let setting = RunRecord.Setting(
        fingerprint: row["fingerprint"], kind: row["kind"], source: row["source"], name: row["name"],
        format: row["format"], profile: row["profile"], duration: row["duration"])
      let id: Int64 = row["id"]
      let runs = try Self.runs(of: id, in: database, last: last)
      return RunHistory(id: id, setting: setting, runs: runs, figures: try figures(of: runs, in: database))
    }
    return histories.filter { !$0.runs.isEmpty }
      .sorted { ($0.runs.last?.started ?? 0, $0.id) > ($1.runs.last?.started ?? 0, $1.id) }
  }

  private static func runs(of setting: Int64, in database: Database, last: Int) throws -> [Run] {
    let rows = try Row.fetchAll(
      database, sql: "SELECT * FROM run WHERE setting = ? ORDER BY started DESC, id DESC LIMIT ?",
      arguments: [setting, last])
    return rows.reversed().map { row in
      Run(
        id: row["id"], started: row["started"], commit: row["build"],
        verdict: Verdict(rawValue: row["verdict"]) ?? .inconclusive)
    }
  }

  private static func figures(of runs: [Run], in database: Database) throws -> [Metric: [Figure]] {
    let metrics = try metrics(in: database)
    let statement = try database.makeStatement(sql: "SELECT * FROM figure WHERE run = ?")
    var figures: [Metric: [Figure]] = [:]
    for (index, run) in runs.enumerated() {
      let rows = try Row.fetchCursor(statement, arguments: [run.id])
      while let row = try rows.next() {
        guard let metric = metrics[row["metric"]] else { continue }
        figures[metric, default: []].append(Figure(row, run: index))
      }
    }
    return figures
  }

  /// Reads the metrics. Metrics with words that this version of the program does not know are left out.
  private static func metrics(in database: Database) throws -> [Int64: Metric] {
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM metric")
    let metrics = rows.compactMap { row -> Metric? in
      guard let unit = MeasurementUnit(rawValue: row["unit"]),
        let polarity = Polarity(rawValue: row["polarity"])
      else { return nil }
      return Metric(
        id: row["id"], name: row["name"], scenario: row["scenario"], title: row["title"], unit: unit,
        polarity: polarity, kind: MetricKind(rawValue: row["kind"]))
    }
    return Dictionary(uniqueKeysWithValues: metrics.map { ($0.id, $0) })
  }
}

extension RunHistory.Figure {
  fileprivate init(_ row: Row, run: Int) {
    let statistic: String? = row["statistic"]
    let decides: Bool = row["decides"]
    let limit: Double? = row["limit"]
    let (relative, absolute): (Double, Double) = (row["relative"], row["absolute"])
    self.init(
      run: run, count: row["count"], median: row["median"], p90: row["p90"], mean: row["mean"],
      decides: decides,
      statistic: statistic.flatMap(Statistic.init), limit: limit.flatMap { $0.isFinite ? $0 : nil },
      tolerance: Tolerance(
        relative: relative.isFinite ? relative : 0, absolute: absolute.isFinite ? absolute : 0),
      quantiles: QuantileDigest(bytes: row["samples"]).values, checksum: row["checksum"])
  }
}
