/// The empirical distribution functions of the run and of its baseline: for each value, the share of samples up to it. A step line to the right
/// of the other is a slower run. The line of the run is solid, that of the baseline dashed.
struct ECDFDrawing {
  private let left = 4.0
  private let right = 416.0
  private let top = 46.0
  private let bottom = 128.0

  let metric: DrawnMetric
  /// Evenly spaced quantiles of the baseline's samples.
  let baseline: [Double]

  var svg: String {
    let new = metric.samples.filter(\.isFinite).sorted()
    let base = baseline.filter(\.isFinite).sorted()
    guard let least = [new.first, base.first].compactMap({ $0 }).min(), !new.isEmpty, !base.isEmpty,
      let most = [new.last, base.last].compactMap({ $0 }).max(), most > least
    else { return "" }
    let range = metric.range(least, most)
    let span = range.upperBound - range.lowerBound
    guard span.isFinite, span > 0 else { return "" }
    func x(_ value: Double) -> Double { left + (right - left) * (value - range.lowerBound) / span }
    return """
      <svg viewBox="0 0 420 150" role="img" aria-label="Part of the samples at most so large: this run and its baseline">
      <path class="axis" d="M\(point(left)) \(point(bottom))H\(point(right))"/>\
      <path class="grid" d="M\(point(left)) \(point(y(0.5)))H\(point(right))M\(point(left)) \(point(top))H\(point(right))"/>
      <path class="base" d="\(steps(base, x))"/><path class="new" d="\(steps(new, x))"/>
      <g\(metric.isBroken ? " class=\"broken\"" : "")>\(limit(range, x))</g>
      <text x="\(point(left))" y="11">this run: median \(words(new)); dashed, the baseline: \(words(base))</text>
      <text x="\(point(right))" y="\(point(top - 4))" text-anchor="end">all</text>\
      <text x="\(point(right))" y="\(point(y(0.5) - 4))" text-anchor="end">half</text>
      <text x="\(point(left))" y="144">\(HTMLText.escape(Figure.text(range.lowerBound, metric.unit)))</text>
      <text x="\(point(right))" y="144" text-anchor="end">\(HTMLText.escape(Figure.text(range.upperBound, metric.unit)))</text>
      </svg>
      """
  }

  private func words(_ sorted: [Double]) -> String {
    HTMLText.escape(Figure.text(Summary(sorted)?.median, metric.unit))
  }

  private func y(_ part: Double) -> Double { bottom - (bottom - top) * part }

  /// Returns a step at each sample, or for more than 100 samples at each hundredth.
  private func steps(_ sorted: [Double], _ x: (Double) -> Double) -> String {
    let count = min(sorted.count, 100)
    var path = "M\(point(left)) \(point(bottom))"
    for step in 1...count {
      let sample = sorted[max(0, step * sorted.count / count - 1)]
      path += "H\(point(x(sample)))V\(point(y(Double(step) / Double(count))))"
    }
    return path + "H\(point(right))"
  }

  private func limit(_ range: ClosedRange<Double>, _ x: (Double) -> Double) -> String {
    guard let limit = metric.limit, range.contains(limit.value) else { return "" }
    let at = x(limit.value)
    let isRight = at > HistogramDrawing.width / 2
    return """
      <path class="limit" d="M\(point(at)) 20V\(point(bottom))"/>\
      <text class="limit" x="\(point(at + (isRight ? -4 : 4)))" y="27"\(isRight ? " text-anchor=\"end\"" : "")>\(HTMLText.escape(limit.text))</text>
      """
  }
}
