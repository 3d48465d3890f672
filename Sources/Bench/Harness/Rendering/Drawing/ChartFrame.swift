/// The frame of a chart that is as wide as its place. Heights are pixels, horizontal places are shares of the width: text has one size on a
/// telephone and on a wide screen.
///
/// The plot is a nested drawing, 1000 wide and ``plotHeight`` high, that is stretched to the width. Strokes in it keep their width.
package struct ChartFrame {
  package static let top = 50.0
  package static let bottom = 160.0
  package static let height = 184.0
  package static let plotHeight = bottom - top
  /// Greatest number of ticks on the horizontal axis; so many labels fit on a telephone.
  private static let mostTicks = 5.0

  /// The values from the left edge to the right edge.
  let range: ClosedRange<Double>
  let unit: MeasurementUnit

  /// - Returns: nil for a range that cannot be drawn.
  init?(_ range: ClosedRange<Double>, _ unit: MeasurementUnit) {
    let span = range.upperBound - range.lowerBound
    guard span.isFinite, span > 0 else { return nil }
    self.range = range
    self.unit = unit
  }

  /// Returns the place of a value in the plot, 0...1000.
  func x(_ value: Double) -> Double {
    1000 * (value - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  /// Returns the whole drawing.
  /// - Parameters:
  ///   - label: the text for readers who do not see the drawing.
  ///   - plot: elements with the coordinates of the plot; `others` has those of the frame.
  package static func svg(_ label: String, plot: String, others: String, height: Double = height) -> String {
    """
    <svg width="100%" height="\(point(height))" role="img" aria-label="\(HTMLText.escape(label))">
    <svg class="plot" y="\(point(top))" width="100%" height="\(point(plotHeight))" viewBox="0 0 1000 \(point(plotHeight))" preserveAspectRatio="none">\(plot)</svg>
    \(others)
    </svg>
    """
  }

  /// The horizontal axis with ticks, their values, and the unit after the last.
  var axis: String { ticks(at: Self.bottom) }

  /// Returns the axis at a height.
  func ticks(at bottom: Double) -> String {
    let values = Self.ticks(range, atMost: Self.mostTicks)
    let labels = values.map { value -> String in
      let share = x(value) / 10
      let words = value == values.last ? Figure.text(value, unit) : Figure.number(value)
      let anchor = share < 6 ? "start" : share > 92 ? "end" : "middle"
      return """
        <line class="axis" x1="\(point(share))%" x2="\(point(share))%" y1="\(point(bottom))" y2="\(point(bottom + 5))"/>\
        <text class="tick" x="\(point(share))%" y="\(point(bottom + 19))" text-anchor="\(anchor)">\(HTMLText.escape(words))</text>
        """
    }
    return
      "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"\(point(bottom))\" y2=\"\(point(bottom))\"/>"
      + labels.joined()
  }

  /// Returns round values within a range.
  package static func ticks(_ range: ClosedRange<Double>, atMost most: Double) -> [Double] {
    let step = TimelineDrawing.niceStep((range.upperBound - range.lowerBound) * 8 / most)
    let first = (range.lowerBound / step - 1e-9).rounded(.up)
    let last = (range.upperBound / step + 1e-9).rounded(.down)
    guard step > 0, first.isFinite, last >= first, last - first < 100 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// Returns a vertical line at a value with words beside it, on one of the three lines of text above the plot.
  func mark(_ words: String, at value: Double, line: Int, style: String) -> String {
    let share = x(value) / 10
    let isRight = share > 50
    let y = 11 + 15 * Double(line)
    return """
      <line class="\(style)" x1="\(point(share))%" x2="\(point(share))%" y1="\(point(y - 9))" y2="\(point(Self.bottom))"/>\
      <text class="\(style)" x="\(point(share))%" dx="\(isRight ? -5 : 5)" y="\(point(y))"\
      \(isRight ? " text-anchor=\"end\"" : "")>\(HTMLText.escape(words))</text>
      """
  }

  /// Returns the line of a limit and the hatched side on which a sample breaks it. A limit outside of the range is named at the edge.
  func limit(_ limit: (relation: Relation, value: Double, text: String)?) -> String {
    guard let limit else { return "" }
    guard range.contains(limit.value) else {
      let isAbove = limit.value > range.upperBound
      let words = HTMLText.escape(isAbove ? limit.text + " →" : "← " + limit.text)
      return
        "<text class=\"limit\" x=\"\(isAbove ? "100%" : "0")\" y=\"41\"\(isAbove ? " text-anchor=\"end\"" : "")>\(words)</text>"
    }
    let share = x(limit.value) / 10
    let beyond: (from: Double, to: Double)? =
      switch limit.relation {
      case .atMost, .below: (share, 100)
      case .atLeast, .above: (0, share)
      case .equal: nil
      }
    let zone = beyond.map {
      """
      <rect class="beyond" x="\(point($0.from))%" width="\(point(max(0, $0.to - $0.from)))%" y="\(point(Self.top))" \
      height="\(point(Self.plotHeight))"/>
      """
    }
    return (zone ?? "") + mark(limit.text, at: limit.value, line: 2, style: "limit")
  }

  /// Returns a horizontal line of the grid with its value above it.
  /// - Parameters:
  ///   - place: where the text begins, in percent of the width; where it ends if `isRight`.
  package static func level(_ words: String, y: Double, at place: Double = 0, isRight: Bool = false) -> String
  {
    """
    <line class="grid" x1="0" x2="100%" y1="\(point(y))" y2="\(point(y))"/>\
    <text class="tick" x="\(point(place))%"\(isRight ? " text-anchor=\"end\"" : "") y="\(point(y - 4))">\(HTMLText.escape(words))</text>
    """
  }
}
