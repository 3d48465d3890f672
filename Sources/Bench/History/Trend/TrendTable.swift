package import Foundation
import Harness
import System

/// A trend as a table for a terminal of 80 columns, and as JSON.
package struct TrendTable: Sendable {
  package let trend: Trend

  /// Creates a table of a trend. Nothing is judged again.
  package init(_ trend: Trend) { self.trend = trend }

  /// The trend as JSON, `swiftwing-trend/1`.
  package var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Every figure is finite by construction.
    return (try? encoder.encode(trend)) ?? Data()
  }

  /// Lines of at most 80 characters, except for longer names, which are not cut.
  package var text: String {
    let head = Self.wrapped("\(trend.verdict.rawValue.uppercased()): \(trend.reason)", indent: "")
    return (head + trend.settings.flatMap(Self.lines)).joined(separator: "\n") + "\n"
  }

  private static func lines(_ setting: SettingTrend) -> [String] {
    let source = [setting.source, setting.format, "profile \(setting.profile)", setting.duration]
      .filter { !$0.isEmpty }.joined(separator: " · ")
    let state = setting.isRetired ? ", retired: it decides nothing" : ""
    let span = [setting.runs.first, setting.runs.last].compactMap { $0?.started.prefix(10) }
    var lines = [""] + wrapped(setting.fingerprint, indent: "") + wrapped(source, indent: "")
    lines +=
      wrapped("\(setting.runs.count) runs, \(span.joined(separator: " to "))\(state)", indent: "") + [""]
    let (each, counted) = setting.shown
    let rest = counted.isEmpty ? [] : ["\(counted.count) exact figures that never changed"]
    let (rows, summed) = summed(each)
    return lines + rows.flatMap(row) + summed + rest
  }

  /// Maximum number of inconclusive figures with the same reason that are listed; more are only counted. trend.html has all of them.
  private static let alike = 3
  /// Maximum number of figures without a change that are listed.
  private static let quietLimit = 40

  /// Returns the figures to list, and lines that count the others: inconclusive figures with the same reason, and the rest of those that did not
  /// change.
  private static func summed(_ each: [Series]) -> (rows: [Series], lines: [String]) {
    let open = Dictionary(
      grouping: each.filter { $0.verdict == .inconclusive && $0.changes.isEmpty }, by: \.reason
    ).filter { $0.value.count > alike }
    let listed = each.filter { open[$0.reason] == nil || !$0.changes.isEmpty }
    let quiet = listed.filter { $0.verdict == .unchanged && $0.changes.isEmpty }.dropFirst(quietLimit)
    let rows = listed.filter { !quiet.contains($0) }
    let waiting = open.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.flatMap {
      reason, series in
      wrapped("\(series.count) figures are open: \(reason)", indent: "")
    }
    return (rows, waiting + (quiet.isEmpty ? [] : ["\(quiet.count) more figures that did not change"]))
  }

  /// Returns the series, and below it each change.
  private static func row(_ series: Series) -> [String] {
    let name = TerminalText.printable(series.statistic == .p50 ? series.metric : "\(series.metric) p90")
    let level = Figure.text(series.points.last?.value, series.unit)
    // 32 + 1 + 13 + 1 + 20 + 1 + 12 = 80
    let figures =
      " " + level.leftPadded(to: 13) + " " + Sparkline.text(series.points.map(\.value), width: 20) + " "
    let verdict = series.decides ? series.verdict.rawValue : "shown"
    let row = name.padded(to: 32) + figures + verdict
    let first = name.count > 32 ? [name, "".padded(to: 32) + figures + verdict] : [row]
    let why = series.verdict == .inconclusive ? wrapped(series.reason, indent: "  ") : []
    return first + why
      + series.changes.suffix(3).flatMap { change in
        wrapped(
          "\(mark(change.verdict)) \(change.started.prefix(10)) \(change.word) \(change.sentence(series))",
          indent: "  ")
          + (change.bisection(series).map { ["    \(TerminalText.printable($0))"] } ?? [])
      }
  }

  static func mark(_ verdict: Verdict) -> String {
    switch verdict {
    case .regressed: "▲"
    case .improved: "▼"
    case .unchanged: "·"
    case .pass, .fail, .inconclusive, .incomparable, .unsupported, .recorded, .interrupted: "?"
    }
  }

  private static func wrapped(_ text: String, indent: String) -> [String] {
    var lines: [String] = []
    for word in TerminalText.printable(text).split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= 80 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(indent + (lines.isEmpty ? "" : indent) + word)
      }
    }
    return lines
  }
}

/// Figures over time in one line: blocks of eight heights, the newest at the right.
enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// - Returns: exactly `width` characters; spaces if there are no runs yet.
  static func text(_ values: [Double], width: Int) -> String {
    let shown = values.suffix(width)
    guard let least = shown.min(), let most = shown.max() else { return "".padded(to: width) }
    let line = shown.map { value in
      let height =
        most > least ? (value / 2 - least / 2) / (most / 2 - least / 2) * Double(blocks.count - 1) : 0
      return blocks[min(max(Int(height.rounded()), 0), blocks.count - 1)]
    }
    return String(line).leftPadded(to: width)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
