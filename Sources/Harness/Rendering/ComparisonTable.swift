public import Foundation

/// A comparison for a terminal of 80 columns, what needs attention first, and as JSON.
public struct ComparisonTable: Sendable {
  public let comparison: Comparison

  public init(_ comparison: Comparison) { self.comparison = comparison }

  /// Lines of at most 80 characters, except a reason that is longer.
  public var text: String {
    var lines = ["\(comparison.verdict.rawValue.uppercased())  \(comparison.reason)", ""]
    if !comparison.rows.isEmpty {
      lines.append(Self.line("metric", "base", "new", "change", "verdict"))
      lines += sorted.flatMap(row)
    }
    return lines.joined(separator: "\n").trimmingCharacters(in: .newlines) + "\n"
  }

  /// `swiftwing-comparison/1`.
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

  /// The medians, and on a line of its own what is not theirs: a tail, a drift.
  private func row(_ row: Comparison.Row) -> [String] {
    let cause = row.baseline.cause ?? .median
    let change = cause == .median ? Figure.change(row.baseline.ratio) : cause.rawValue
    let line = Self.line(
      Self.printable(row.metric), Figure.text(row.baseline.p50, row.unit), Figure.text(row.p50, row.unit),
      change, row.baseline.verdict.rawValue)
    return cause == .median ? [line] : [line, "  \(row.baseline.change(row.unit))"]
  }

  private static func line(
    _ metric: String, _ base: String, _ new: String, _ change: String, _ verdict: String
  ) -> String {
    func left(_ text: String, _ width: Int) -> String {
      text.count > width
        ? text.prefix(width - 1) + "…" : text + String(repeating: " ", count: width - text.count)
    }
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text.prefix(width)
    }
    // 31 + 12 + 12 + 10 + 3 + 12 = 80
    return left(metric, 31) + right(base, 12) + right(new, 12) + right(change, 10) + "   " + verdict
  }

  /// Metric names come from a file: nothing in them may drive the terminal.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 32 || (127..<160).contains($0.value) ? "?" : $0 }))
  }
}
