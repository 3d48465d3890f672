import Foundation
import Harness

/// A run as kept in a history: its setting, its time and build, and its figures.
struct RunRecord {
  /// The properties that must be equal for two runs to be comparable, as in ``Comparison``.
  struct Setting: Hashable {
    var fingerprint: String
    var kind: String
    /// The digest of a recording, or the name of a device.
    var source: String
    /// The name for the reader.
    var name: String
    var format: String
    var profile: String
    var duration: String
  }

  var setting: Setting
  /// Start of the run, in milliseconds since 1970.
  var started: Int64
  var build: String
  var version: String
  var verdict: Verdict
  var figures: [(scenario: String, metric: MetricReport, decides: Bool)]

  /// Maximum number of figures of a run; a bench has about a hundred.
  static let figureLimit = 10_000

  /// - Parameters:
  ///   - name: the name of the report in errors.
  ///   - now: the current time; a run that began later than a day after it is refused, because it would stay the newest for ever.
  init(_ report: Report, named name: String, now: Date) throws(HistoryError) {
    try Self.refuse(report, name)
    guard let began = try? Date(report.started, strategy: .iso8601) else {
      throw .refused(name, "it does not say when it began", remedy: "make it again with `swiftwing bench`")
    }
    guard began < now.addingTimeInterval(86_400) else {
      throw .refused(
        name, "it says that it began in the future, \(report.started)",
        remedy: "set the machine's clock, and make the report again with `swiftwing bench`")
    }
    setting = Setting(report)
    started = Int64((began.timeIntervalSince1970 * 1000).rounded())
    build = report.tool.commit
    version = report.tool.version
    verdict = report.verdict
    figures = report.scenarios.flatMap { scenario in
      let deciding = Set(scenario.decidingMetrics.map(\.id))
      return scenario.metrics.map { (scenario.id, $0, deciding.contains($0.id)) }
    }
    try refuseFigures(name)
  }

  /// Refuses a run whose figures would be misleading about the build.
  private static func refuse(_ report: Report, _ name: String) throws(HistoryError) {
    let again = "make it again with `swiftwing bench`"
    if let fault = report.fault {
      throw .refused(
        name, "it was broken on purpose (--fault \(fault))",
        remedy: "make it again with `swiftwing bench`, without --fault")
    }
    if report.environment.build == "debug" {
      throw .refused(
        name, "it is of a debug build, whose times mean nothing",
        remedy: "build with `make build`, and make the report again with `swiftwing bench`")
    }
    if let shard = report.shard {
      throw .refused(
        name, "it is the part \(shard) of a run",
        remedy: "merge the parts with `swiftwing report merge` first")
    }
    if let flaw = report.flawAsNew { throw .refused(name, "it \(flaw)", remedy: again) }
  }

  private func refuseFigures(_ name: String) throws(HistoryError) {
    let again = "make it again with `swiftwing bench`"
    guard !figures.isEmpty else { throw .refused(name, "it has no metric", remedy: again) }
    guard figures.count <= Self.figureLimit else {
      throw .refused(
        name, "it has \(figures.count) metrics, over \(Self.figureLimit)",
        remedy: "run fewer scenarios at a time, with --suite or --scenario")
    }
    let names = Dictionary(grouping: figures) { "\($0.scenario)\u{0}\($0.metric.id)" }
    if let twice = names.values.first(where: { $0.count > 1 })?.first {
      throw .refused(name, "it has the metric \(twice.metric.id) of \(twice.scenario) twice", remedy: again)
    }
  }

  /// The identity of the run, independent of its report's formatting: SHA-256 of its start, setting, build and all figures.
  var identity: Data {
    var words = [
      setting.fingerprint, setting.kind, setting.source, setting.format, setting.profile, setting.duration,
      "\(started)", build, version,
    ]
    for (scenario, metric, _) in figures {
      words += [scenario, metric.id, "\(metric.count)"]
      words += [metric.min, metric.p50, metric.p90, metric.p99, metric.max, metric.mean].map {
        "\($0 ?? .nan)"
      }
    }
    return Data(Checksum.bytes(Array(words.joined(separator: "\u{1F}").utf8)))
  }
}

extension RunRecord.Setting {
  init(_ report: Report) {
    self.init(
      fingerprint: report.environment.fingerprint, kind: report.source.kind,
      source: report.source.digest ?? report.source.name, name: report.source.name,
      format: report.source.format ?? "", profile: report.profile, duration: report.duration.rawValue)
  }
}
