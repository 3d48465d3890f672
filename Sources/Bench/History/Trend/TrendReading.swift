import Foundation
import Harness
import System

/// The evaluation of runs as a trend: it selects the figures that are followed, and concludes.
package struct TrendReading: Sendable {
  /// The number of newest runs of each setting that are read.
  package static let runLimit = 400
  /// The number of newest runs in which a regression fails the trend. Earlier regressions have been accepted and are only shown.
  package static let recent = 20
  /// Days without a run before the newest run of the history, after which a setting does not decide any more.
  package static let retirement = 30
  /// Highest probability with which a trend without changes is called `regressed` after a new run.
  static let falseAlarm = 0.01

  /// Ids or patterns of the metrics that are followed. Empty for those that decide.
  package var metrics: [String]

  /// - Parameter metrics: ids, or patterns in which `*` matches one part between dots; empty for the metrics that decide.
  package init(metrics: [String] = []) { self.metrics = metrics }

  func read(_ histories: [RunHistory]) -> Trend {
    let newest = histories.first?.runs.last?.started ?? 0
    let settings = histories.map { history in
      let days = Double(newest - (history.runs.last?.started ?? newest)) / 86_400_000
      return setting(history, isRetired: days > Double(Self.retirement))
    }
    var trend = Trend(verdict: .inconclusive, reason: "", settings: settings)
    trend.conclude()
    return trend
  }

  private func setting(_ history: RunHistory, isRetired: Bool) -> SettingTrend {
    let followed = history.figures.flatMap { metric, figures in
      follows(metric, figures) ? FollowedFigure.all(metric, figures, runs: history.runs.count) : []
    }
    let deciding = max(1, followed.count(where: \.decides))
    let level = Self.falseAlarm / Double(deciding)
    let runs = history.runs.map {
      SettingTrend.Run(started: Self.moment($0.started), commit: $0.commit, verdict: $0.verdict)
    }
    let series = followed.map { SeriesReading(figure: $0, runs: runs, level: level).series }
    return SettingTrend(
      fingerprint: history.setting.fingerprint, source: history.setting.name, format: history.setting.format,
      profile: history.setting.profile, duration: history.setting.duration, isRetired: isRetired,
      level: level,
      runs: runs, series: series.sorted { $0.order < $1.order })
  }

  private func follows(_ metric: RunHistory.Metric, _ figures: [RunHistory.Figure]) -> Bool {
    metrics.isEmpty
      ? figures.last?.decides == true : metrics.contains { MetricPattern($0).fits(metric.name) }
  }

  private static func moment(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
  }
}

extension History {
  /// Returns the trend of the whole history.
  /// - Throws: `HistoryError` if it cannot be read, or if a requested metric does not exist in it.
  package func trend(_ reading: TrendReading = TrendReading()) throws(HistoryError) -> Trend {
    let histories = try read("read the history") { try RunHistory.all(in: $0, last: TrendReading.runLimit) }
    let names = histories.flatMap { $0.figures.keys.map(\.name) }
    for metric in reading.metrics where !names.contains(where: { MetricPattern(metric).fits($0) }) {
      throw HistoryError(
        .badInput, "follow the metric \(metric)", reason: "no run of \(path) has it",
        remedy:
          "choose one that `swiftwing report export --csv \(ShellCommand.option("--history", path))` lists")
    }
    return reading.read(histories)
  }
}

extension Series {
  /// The sort key: first series that need attention, then those that changed, then by name.
  fileprivate var order: SeriesOrder {
    SeriesOrder(
      rank: verdict.needsAttention ? 0 : changes.isEmpty ? 2 : 1, name: metric, statistic: statistic.rawValue)
  }
}

private struct SeriesOrder: Comparable {
  var rank: Int
  var name: String
  var statistic: String

  static func < (one: Self, other: Self) -> Bool {
    (one.rank, one.name, one.statistic) < (other.rank, other.name, other.statistic)
  }
}
