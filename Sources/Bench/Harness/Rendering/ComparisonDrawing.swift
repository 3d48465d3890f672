/// The drawing of one comparison: the figures of both builds, the change in each pair, the interval, and the tolerance. Everything is drawn as
/// a change from the base's median.
struct ComparisonDrawing {
  private let comparison: MetricComparison
  private let unit: MeasurementUnit
  private let title: String
  private let base: [Double]
  private let new: [Double]
  private let range: ClosedRange<Double>

  private static let (left, right) = (86.0, 634.0)
  private static let (top, row) = (28.0, 24.0)

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
    let bottom = Self.top + Self.row * Double(rows.count + 1)
    let drawn = rows.enumerated().map { index, row in
      dots(row.0, row.1, y: Self.top + Self.row * (Double(index) + 0.5))
    }
    return """
      <svg viewBox="0 0 640 \(point(bottom + 22))" role="img" aria-label="\(HTMLText.escape(label))">
      \(band(bottom))\(drawn.joined())\(interval(bottom - Self.row / 2))
      <path class="axis" d="M\(point(Self.left)) \(point(bottom))H\(point(Self.right))"/>
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

  private func x(_ value: Double) -> Double {
    let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Self.left + min(1, max(0, part)) * (Self.right - Self.left)
  }

  private func dots(_ name: String, _ values: [Double], y: Double) -> String {
    let marks = values.map { "M\(point(x($0))) \(point(y))h.01" }.joined()
    return
      "<text class=\"lane\" x=\"4\" y=\"\(point(y + 4))\">\(name)</text><path class=\"dots\" d=\"\(marks)\"/>\n"
  }

  private func band(_ bottom: Double) -> String {
    guard let tolerance = comparison.tolerance else { return "" }
    let (low, high) = (x(tolerance[0]), x(tolerance[1]))
    return
      "<rect class=\"tolerance\" x=\"\(point(low))\" y=\"\(point(Self.top))\" width=\"\(point(max(1, high - low)))\" "
      + "height=\"\(point(bottom - Self.top))\"/>"
      + "<text class=\"tick\" x=\"\(point((low + high) / 2))\" y=\"18\" text-anchor=\"middle\">does not matter</text>\n"
  }

  private func interval(_ y: Double) -> String {
    let name = comparison.method == .pairs ? "interval" : "runs"
    var text = "<text class=\"lane\" x=\"4\" y=\"\(point(y + 4))\">\(name)</text>"
    if let ends = comparison.interval {
      text +=
        "<path class=\"interval\" d=\"M\(point(x(ends[0]))) \(point(y))H\(point(max(x(ends[1]), x(ends[0]) + 1)))\"/>"
    }
    if let estimate = comparison.ratio ?? comparison.difference {
      text += "<path class=\"estimate\" d=\"M\(point(x(estimate))) \(point(y - 6))v12\"/>"
    }
    return text
  }

  /// Ticks at the ends of the tolerance and at no change, with their figures.
  private func ticks(_ bottom: Double) -> String {
    let ends = (comparison.tolerance ?? []).filter(range.contains)
    var taken: [Double] = []
    return ([none] + ends).compactMap { value -> String? in
      let place = x(value)
      guard taken.allSatisfy({ abs($0 - place) > 52 }) else { return nil }
      taken.append(place)
      let words = isRatio ? (value == 1 ? "0 %" : Figure.change(value)) : Figure.signed(value, unit)
      return
        "<path class=\"axis\" d=\"M\(point(place)) \(point(bottom))v4\"/><text class=\"tick\" x=\"\(point(place))\" "
        + "y=\"\(point(bottom + 16))\" text-anchor=\"middle\">\(HTMLText.escape(words))</text>"
    }.joined(separator: "\n")
  }
}
