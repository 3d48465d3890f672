import Foundation
import Harness

/// A series over its runs, as SVG as wide as its place: the figure of each run, the band with eight of ten of its samples, the levels, a line at each
/// change, and the limit.
struct TrendDrawing {
  let series: Series
  let runs: [SettingTrend.Run]

  /// The drawing; a paragraph with the value if it is the same in every run; empty if nothing can be drawn.
  var html: String {
    if let first = series.points.first, series.points.allSatisfy({ $0.value == first.value }) {
      return "<p class=\"figure\">\(HTMLText.escape(Figure.text(first.value, series.unit))) in every run</p>"
    }
    return svg.isEmpty ? "" : "<figure class=\"trend\">\(svg)</figure>"
  }

  private var svg: String {
    guard let range else { return "" }
    func y(_ value: Double) -> Double {
      ChartFrame.plotHeight * (range.upperBound - value) / (range.upperBound - range.lowerBound)
    }
    let dots = series.points.map { "M\(point(x($0.run))) \(point(y($0.value)))h.01" }.joined()
    let bottom = point(ChartFrame.bottom)
    let others = [
      ChartFrame.ticks(range, atMost: 3).map {
        ChartFrame.level(Figure.text($0, series.unit), y: ChartFrame.top + y($0))
      }.joined(),
      limit(range, y),
      marks,
      "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"\(bottom)\" y2=\"\(bottom)\"/>",
      "<text class=\"tick\" x=\"0\" y=\"179\">\(day(runs.first))</text>",
      "<text class=\"tick\" x=\"100%\" y=\"179\" text-anchor=\"end\">\(day(runs.last))</text>",
    ]
    return ChartFrame.svg(
      label, plot: "<path class=\"band\" d=\"\(band(y))\"/>\(levels(y))<path class=\"dots\" d=\"\(dots)\"/>",
      others: others.joined(separator: "\n"))
  }

  private var label: String {
    "\(series.metric) \(series.statistic.rawValue) over \(series.points.count) runs, \(series.changes.count) changes"
  }

  private func day(_ run: SettingTrend.Run?) -> String {
    HTMLText.escape(String(run?.started.prefix(10) ?? ""))
  }

  /// The range of the figures alone, so that an outlying sample does not flatten them. Nothing is drawn beyond it. It is below 0 only if a figure
  /// is.
  private var range: ClosedRange<Double>? {
    let values = series.points.map(\.value)
    guard let least = values.min(), let most = values.max(), most > least, least > -1e300, most < 1e300
    else { return nil }
    // At least a hundredth, so that what differs by less looks level.
    let margin = max((most - least) * 0.25, max(abs(least), abs(most)) * 0.01)
    return (least >= 0 ? max(0, least - margin) : least - margin)...(most + margin)
  }

  /// Returns the horizontal place of a run in the plot, 0...1000.
  private func x(_ run: Int) -> Double { 10 + 980 * Double(run) / Double(max(1, runs.count - 1)) }

  private func band(_ y: (Double) -> Double) -> String {
    let points = series.points.filter { $0.low != nil && $0.high != nil }
    guard points.count > 1 else { return "" }
    func clamped(_ value: Double?) -> Double { min(max(y(value ?? 0), 0), ChartFrame.plotHeight) }
    let upper = points.map { "\(point(x($0.run))) \(point(clamped($0.high)))" }
    let lower = points.reversed().map { "\(point(x($0.run))) \(point(clamped($0.low)))" }
    return "M" + (upper + lower).joined(separator: "L") + "z"
  }

  /// Returns a line for each level, from change to change, at the median of the runs between the changes.
  private func levels(_ y: (Double) -> Double) -> String {
    let starts = [series.points.first?.run].compactMap { $0 } + series.changes.map(\.run)
    return starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] : (series.points.last?.run ?? 0) + 1
      let values = series.points.filter { (starts[index]..<end).contains($0.run) }.map(\.value)
      guard !values.isEmpty else { return "" }
      return "<path d=\"M\(point(x(starts[index]))) \(point(y(values.middle)))H\(point(x(end - 1)))\"/>"
    }.joined()
  }

  /// A line at each change. The words of neighbouring changes are on different lines above the plot.
  private var marks: String {
    series.changes.enumerated().map { index, change in
      let share = (x(change.run) - 490 / Double(max(1, runs.count - 1))) / 10
      let isRight = share > 50
      let y = 11 + 15 * Double(index % 3)
      let style = change.verdict == .regressed ? "change alert" : "change"
      let text =
        "\(TrendTable.mark(change.verdict)) \(String((change.candidates.first ?? change.commit).prefix(10)))"
      return """
        <line class="\(style)" x1="\(point(share))%" x2="\(point(share))%" y1="\(point(y - 9))" y2="\(point(ChartFrame.bottom))"/>\
        <text class="\(style)" x="\(point(share))%" dx="\(isRight ? -5 : 5)" y="\(point(y))"\
        \(isRight ? " text-anchor=\"end\"" : "")>\(HTMLText.escape(text))</text>
        """
    }.joined(separator: "\n")
  }

  /// Returns the line of the limit. A limit outside of the range is named at the edge.
  private func limit(_ range: ClosedRange<Double>, _ y: (Double) -> Double) -> String {
    guard let limit = series.limit else { return "" }
    let words = HTMLText.escape("limit \(Figure.text(limit, series.unit))")
    let at = ChartFrame.top + y(min(max(limit, range.lowerBound), range.upperBound))
    guard range.contains(limit) else {
      let arrow = limit > range.upperBound ? "↑" : "↓"
      return
        "<text class=\"limit\" x=\"100%\" y=\"\(point(at - 4))\" text-anchor=\"end\">\(words) \(arrow)</text>"
    }
    return """
      <line class="limit" x1="0" x2="100%" y1="\(point(at))" y2="\(point(at))"/>\
      <text class="limit" x="100%" y="\(point(at - 4))" text-anchor="end">\(words)</text>
      """
  }
}
