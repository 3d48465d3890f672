/// The histogram of a metric, with marks for p50 and p99 and the line of the limit.
struct HistogramDrawing {
  static let width = 420.0
  private let left = 4.0
  private let right = 416.0
  private let top = 46.0
  private let bottom = 128.0

  let metric: DrawnMetric

  var svg: String {
    guard let first = metric.histogram.first, let last = metric.histogram.last, last.to > first.from
    else { return "" }
    let range = metric.range(first.from, last.to)
    func x(_ value: Double) -> Double {
      left + (right - left) * (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
    return """
      <svg viewBox="0 0 420 150" role="img" aria-label="Distribution of \(metric.samples.count) samples">
      <path class="bars" d="\(bars(x))"/>
      <path class="axis" d="M\(point(left)) \(point(bottom))H\(point(right))"/>
      \(mark("p50 \(Figure.text(metric.p50, metric.unit))", at: x(metric.p50), row: 11, style: "mark"))
      \(mark("p99 \(Figure.text(metric.p99, metric.unit))", at: x(metric.p99), row: 25, style: "mark"))
      <g\(metric.isBroken ? " class=\"broken\"" : "")>\(limit(range, x))</g>
      <text x="\(point(left))" y="144">\(HTMLText.escape(Figure.text(range.lowerBound, metric.unit)))</text>
      <text x="\(point(right))" y="144" text-anchor="end">\(HTMLText.escape(Figure.text(range.upperBound, metric.unit)))</text>
      </svg>
      """
  }

  private func bars(_ x: (Double) -> Double) -> String {
    let most = Double(metric.histogram.map(\.count).max() ?? 1)
    return metric.histogram.filter { $0.count > 0 }.map { bin in
      // A bar of a bin with samples is at least a pixel tall.
      let tall = max(1, Double(bin.count) / most * (bottom - top))
      let (from, to) = (x(bin.from), x(bin.to))
      return
        "M\(point(from)) \(point(bottom))v\(point(-tall))h\(point(max(0.6, to - from - 0.8)))v\(point(tall))z"
    }.joined()
  }

  private func limit(_ range: ClosedRange<Double>, _ x: (Double) -> Double) -> String {
    guard let limit = metric.limit else { return "" }
    if range.contains(limit.value) { return mark(limit.text, at: x(limit.value), row: 39, style: "limit") }
    let above = limit.value > range.upperBound
    let text = above ? limit.text + " →" : "← " + limit.text
    return
      "<text class=\"limit\" x=\"\(point(above ? right : left))\" y=\"39\"\(above ? " text-anchor=\"end\"" : "")>\(HTMLText.escape(text))</text>"
  }

  private func mark(_ text: String, at x: Double, row: Double, style: String) -> String {
    let isRight = x > Self.width / 2
    let anchor = isRight ? " text-anchor=\"end\"" : ""
    return """
      <path class="\(style)" d="M\(point(x)) \(point(row - 9))V\(point(bottom))"/>\
      <text class="\(style)" x="\(point(x + (isRight ? -4 : 4)))" y="\(point(row))"\(anchor)>\(HTMLText.escape(text))</text>
      """
  }
}
