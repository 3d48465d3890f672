import Foundation
import Harness

/// A series over its runs, as SVG: the figure of each run, the band with eight of ten of its samples, the levels, a line at each change, and the
/// limit.
struct TrendDrawing {
  private static let width = 620.0
  private let left = 4.0
  private let right = 616.0
  private let top = 30.0
  private let bottom = 160.0

  let series: Series
  let runs: [SettingTrend.Run]

  var svg: String {
    guard let range else { return "" }
    func y(_ value: Double) -> Double {
      bottom - (bottom - top) * (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
    return """
      <svg viewBox="0 0 620 190" role="img" aria-label="\(HTMLText.escape(label))">
      <path class="band" d="\(band(y))"/>
      <path class="axis" d="M\(point(left)) \(point(bottom))H\(point(right))"/>
      \(limit(range, y))\(levels(y))<path class="dots" d="\(series.points.map { "M\(point(x($0.run))) \(point(y($0.value)))h0" }.joined())"/>
      \(series.changes.map { mark($0) }.joined())
      <text x="\(point(left))" y="12">\(HTMLText.escape(Figure.text(range.upperBound, series.unit)))</text>
      <text x="\(point(left))" y="\(point(bottom - 4))">\(HTMLText.escape(Figure.text(range.lowerBound, series.unit)))</text>
      <text x="\(point(left))" y="182">\(day(runs.first))</text>
      <text x="\(point(right))" y="182" text-anchor="end">\(day(runs.last))</text>
      </svg>
      """
  }

  private var label: String {
    "\(series.metric) \(series.statistic.rawValue) over \(series.points.count) runs, \(series.changes.count) changes"
  }

  private func day(_ run: SettingTrend.Run?) -> String {
    HTMLText.escape(String(run?.started.prefix(10) ?? ""))
  }

  /// The range of the figures alone, so that an outlying sample does not flatten them. Nothing is drawn beyond it.
  private var range: ClosedRange<Double>? {
    let values = series.points.map(\.value)
    guard let least = values.min(), let most = values.max(), least > -1e300, most < 1e300 else { return nil }
    let margin = most > least ? (most - least) * 0.25 : max(abs(most) * 0.1, 1e-9)
    return (least - margin)...(most + margin)
  }

  private func x(_ run: Int) -> Double {
    let last = Double(max(1, runs.count - 1))
    return left + 6 + (right - left - 12) * Double(run) / last
  }

  private func band(_ y: (Double) -> Double) -> String {
    let points = series.points.filter { $0.low != nil && $0.high != nil }
    guard points.count > 1 else { return "" }
    func clamped(_ value: Double?) -> Double { min(max(y(value ?? 0), top - 12), bottom) }
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
      return
        "<path class=\"level\" d=\"M\(point(x(starts[index]))) \(point(y(values.middle)))H\(point(x(end - 1)))\"/>\n"
    }.joined()
  }

  private func mark(_ change: ChangePoint) -> String {
    let at = x(change.run) - (right - left - 12) / Double(max(1, runs.count - 1)) / 2
    let isRight = at > Self.width / 2
    let style = change.verdict == .regressed ? "change alert" : "change"
    let text =
      "\(TrendTable.mark(change.verdict)) \(String((change.candidates.first ?? change.commit).prefix(10)))"
    return """
      <path class="\(style)" d="M\(point(at)) 18V\(point(bottom))"/>\
      <text class="\(style)" x="\(point(at + (isRight ? -4 : 4)))" y="26"\(isRight ? " text-anchor=\"end\"" : "")>\(HTMLText.escape(text))</text>

      """
  }

  private func limit(_ range: ClosedRange<Double>, _ y: (Double) -> Double) -> String {
    guard let limit = series.limit, range.contains(limit) else { return "" }
    return "<path class=\"limit\" d=\"M\(point(left)) \(point(y(limit)))H\(point(right))\"/>\n"
  }

  /// Returns a coordinate with one decimal.
  private func point(_ value: Double) -> String {
    value.isFinite ? String(format: "%.1f", min(max(value, -9999), 9999)) : "0"
  }
}
