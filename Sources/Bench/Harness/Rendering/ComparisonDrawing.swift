/// The drawing of one comparison: the figures of both builds, the change in each pair, the interval, and the tolerance. Everything is drawn as
/// a change from the base's median.
struct ComparisonDrawing {
  private let comparison: MetricComparison
  private let unit: MeasurementUnit
  private let title: String
  private let base: [Double]
  private let new: [Double]
  private let range: ClosedRange<Double>

  /// Each row has its name above its dots, so that the axis is as wide as the drawing.
  private static let (top, row) = (24.0, 34.0)

  /// - Returns: nil if the comparison tested no figures.
  init?(_ comparison: MetricComparison, _ unit: MeasurementUnit, title: String) {
    guard let base = comparison.base, let new = comparison.new, !base.isEmpty, !new.isEmpty,
      (base + new).allSatisfy(\.isFinite), comparison.tolerance?.count == 2
    else { return nil }
    self.comparison = comparison
    self.unit = unit
    self.title = title
    self.base = base
    self.new = new
    guard let range = Self.range(comparison, changes: Self.changes(comparison, base, new: new)) else {
      return nil
    }
    self.range = range
  }

  var svg: String {
    var rows = [("base", figures(base)), ("new", figures(new))]
    if comparison.method == .pairs { rows.append(("by pair", Self.changes(comparison, base, new: new))) }
    let bottom = Self.top + Self.row * Double(rows.count + 1) + 4
    let drawn = rows.enumerated().map { index, row in
      dots(row.0, row.1, y: Self.top + Self.row * (Double(index) + 0.7))
    }
    return """
      <svg width="100%" height="\(point(bottom + 22))" role="img" aria-label="\(HTMLText.escape(label))">
      \(band(bottom))\(drawn.joined())\(interval(Self.top + Self.row * (Double(rows.count) + 0.7)))
      <line class="axis" x1="0" x2="100%" y1="\(point(bottom))" y2="\(point(bottom))"/>
      \(ticks(bottom))
      </svg>
      """
  }

  private var label: String {
    let otherwise = comparison.otherwise.map { " \($0)" } ?? ""
    return "\(title): \(comparison.verdict.rawValue). \(comparison.reason).\(otherwise)"
  }

  private var isRatio: Bool { comparison.ratio != nil }
  private var none: Double { isRatio ? 1 : 0 }

  /// Returns the figure of each run as its change from the base's median.
  private func figures(_ runs: [Double]) -> [Double] {
    let was = comparison.p50 ?? 0
    return runs.map { isRatio && was != 0 ? $0 / was : $0 - was }
  }

  private static func changes(_ comparison: MetricComparison, _ base: [Double], new: [Double]) -> [Double] {
    guard comparison.method == .pairs else { return [] }
    return zip(base, new).map { comparison.ratio != nil && $0 != 0 ? $1 / $0 : $1 - $0 }
  }

  /// Returns the range of the axis. It contains the tolerance and the interval, and the pairs unless they are so far away that they would
  /// flatten these.
  private static func range(_ comparison: MetricComparison, changes: [Double]) -> ClosedRange<Double>? {
    let none = comparison.ratio != nil ? 1.0 : 0
    let centre = comparison.ratio ?? comparison.difference ?? none
    // An open-ended tolerance is drawn to the edge.
    let ends = (comparison.tolerance ?? []).filter { $0.isFinite && abs($0 - none) < max(2, abs(none)) * 2 }
    let kept = ends + (comparison.interval ?? []) + [none, centre]
    guard let low = kept.min(), let high = kept.max(), low.isFinite, high.isFinite else { return nil }
    let span = max(high - low, abs(none) * 0.01, 1e-9)
    let least = max(low - 1.5 * span, changes.min() ?? low)
    let most = min(high + 1.5 * span, changes.max() ?? high)
    return (min(low, least) - 0.1 * span)...(max(high, most) + 0.1 * span)
  }

  /// Returns the place of a value in percent of the width.
  private func x(_ value: Double) -> Double {
    let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return 1 + min(1, max(0, part)) * 98
  }

  private func name(_ words: String, y: Double) -> String {
    "<text class=\"lane\" x=\"0\" y=\"\(point(y - 11))\">\(words)</text>"
  }

  private func dots(_ title: String, _ values: [Double], y: Double) -> String {
    let marks = values.map { "<circle class=\"dot\" cx=\"\(point(x($0)))%\" cy=\"\(point(y))\" r=\"2.5\"/>" }
    return name(title, y: y) + marks.joined() + "\n"
  }

  private func band(_ bottom: Double) -> String {
    guard let tolerance = comparison.tolerance else { return "" }
    let (low, high) = (x(tolerance[0]), x(tolerance[1]))
    let middle = (low + high) / 2
    let anchor = middle < 18 ? "start" : middle > 82 ? "end" : "middle"
    return """
      <rect class="tolerance" x="\(point(low))%" y="\(point(Self.top))" width="\(point(max(0.1, high - low)))%" \
      height="\(point(bottom - Self.top))"/>\
      <text class="tick" x="\(point(middle))%" y="14" text-anchor="\(anchor)">does not matter</text>

      """
  }

  private func interval(_ y: Double) -> String {
    var text = name(comparison.method == .pairs ? "interval" : "runs", y: y)
    if let ends = comparison.interval {
      text += line("interval", x(ends[0]), max(x(ends[1]), x(ends[0]) + 0.2), y...y)
    }
    if let estimate = comparison.ratio ?? comparison.difference {
      text += line("estimate", x(estimate), x(estimate), (y - 6)...(y + 6))
    }
    return text
  }

  private func line(_ style: String, _ from: Double, _ to: Double, _ y: ClosedRange<Double>) -> String {
    """
    <line class="\(style)" x1="\(point(from))%" x2="\(point(to))%" y1="\(point(y.lowerBound))" y2="\(point(y.upperBound))"/>
    """
  }

  /// Ticks at round changes, with their figures.
  private func ticks(_ bottom: Double) -> String {
    let changes = isRatio ? (range.lowerBound - 1)...(range.upperBound - 1) : range
    return ChartFrame.ticks(changes, atMost: 5).map { change in
      let place = x(isRatio ? change + 1 : change)
      let words = isRatio ? (change == 0 ? "0 %" : Figure.change(change + 1)) : Figure.signed(change, unit)
      let anchor = place < 8 ? "start" : place > 92 ? "end" : "middle"
      return line("axis", place, place, bottom...(bottom + 4))
        + "<text class=\"tick\" x=\"\(point(place))%\" y=\"\(point(bottom + 16))\" text-anchor=\"\(anchor)\">\(HTMLText.escape(words))</text>"
    }.joined(separator: "\n")
  }
}
