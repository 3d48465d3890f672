public import Foundation
import System

/// A comparison as a table for a terminal of 80 columns, with rows that need attention first, and as JSON.
public struct ComparisonTable: Sendable {
  /// The comparison shown.
  public let comparison: Comparison

  /// Creates a table of a comparison. Nothing is compared again.
  public init(_ comparison: Comparison) { self.comparison = comparison }

  /// Lines of at most 80 characters, except for longer reasons and names, which are not cut. The first sentence counts the metrics of the first
  /// table; the metrics that do not decide have a second table.
  public var text: String {
    var lines = ["\(comparison.verdict.rawValue.uppercased())  \(comparison.reason)", ""]
    let (deciding, others) = (sorted.filter(\.decides), sorted.filter { !$0.decides })
    if !deciding.isEmpty {
      lines.append(contentsOf: Self.line("metric", "base", new: "new", change: "change", verdict: "verdict"))
      lines += deciding.flatMap(row)
    }
    if !others.isEmpty {
      lines += ["", "shown but not counted, because the profile says that they decide nothing:"]
      lines += others.flatMap(row)
    }
    return lines.joined(separator: "\n").trimmingCharacters(in: .newlines) + "\n"
  }

  /// The comparison as JSON, `swiftwing-comparison/1`.
  public var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Ratios and intervals are finite by construction.
    return (try? encoder.encode(comparison)) ?? Data()
  }

  private var sorted: [Comparison.Row] {
    comparison.rows.filter(\.baseline.verdict.needsAttention)
      + comparison.rows.filter { !$0.baseline.verdict.needsAttention }
  }

  /// Returns the line of the medians. If the row needs attention, a line below it says what would have
  /// changed the verdict.
  private func row(_ row: Comparison.Row) -> [String] {
    let isExact = row.baseline.differing != nil
    let change = isExact ? "exact" : row.baseline.ratio.map { Figure.change($0) } ?? "–"
    var lines = Self.line(
      TerminalText.printable(row.metric), Figure.text(row.baseline.p50, row.unit),
      new: Figure.text(row.p50, row.unit),
      change: change, verdict: row.baseline.verdict.rawValue)
    if isExact { lines.append("  \(row.baseline.change(row.unit))") }
    if row.baseline.verdict.needsAttention, let otherwise = row.baseline.otherwise {
      lines.append("   \(TerminalText.printable(otherwise))")
    }
    return lines
  }

  /// Returns a row. The figures after a long name are put on the next line.
  private static func line(
    _ metric: String, _ base: String, new: String, change: String, verdict: String
  ) -> [String] {
    func left(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    func right(_ text: String, _ width: Int) -> String {
      // Separates the text from the text before by at least one space.
      String(repeating: " ", count: max(1, width - text.count)) + text
    }
    // 31 + 12 + 12 + 10 + 3 + 12 = 80
    let figures = right(base, 12) + right(new, 12) + right(change, 10) + "   " + verdict
    return metric.count > 31 ? [metric, left("", 31) + figures] : [left(metric, 31) + figures]
  }
}
