/// The samples in the order taken, with the line of the limit. Samples beyond the limit are crosses.
struct StripDrawing {
  private let left = 4.0
  private let right = 416.0
  private let top = 46.0
  private let bottom = 128.0
  /// Maximum number of points that are drawn. Of more samples, the least and the greatest of each stretch are drawn.
  private static let points = 240

  let metric: DrawnMetric

  var svg: String {
    guard let least = metric.samples.min(), let most = metric.samples.max(), most > least else { return "" }
    let range = metric.range(least, most)
    func y(_ value: Double) -> Double {
      bottom - (bottom - top) * (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
    let step = (right - left) / Double(max(1, metric.samples.count - 1))
    let shown = thinned().map { (x: left + step * Double($0), y: y(metric.samples[$0]), index: $0) }
    let good = shown.filter { !metric.breaksLimit(metric.samples[$0.index]) }
    let bad = shown.filter { metric.breaksLimit(metric.samples[$0.index]) }
    let broken = metric.samples.count(where: metric.breaksLimit)
    return """
      <svg viewBox="0 0 420 150" role="img" aria-label="\(metric.samples.count) samples in the order taken">
      <path class="axis" d="M\(point(left)) \(point(bottom))H\(point(right))"/>
      <path class="dots" d="\(good.map { "M\(point($0.x)) \(point($0.y))h.01" }.joined())"/>
      <path class="crosses" d="\(bad.map { "M\(point($0.x - 2.5)) \(point($0.y - 2.5))l5 5m0 -5l-5 5" }.joined())"/>
      <g\(metric.isBroken ? " class=\"broken\"" : "")>\(limitLine(range, y))\(crossed(broken))</g>
      <text x="\(point(left))" y="11">in order: \(HTMLText.escape(span(least, most)))</text>
      <text x="\(point(left))" y="144">first</text>
      <text x="\(point(right))" y="144" text-anchor="end">last of \(metric.samples.count)</text>
      </svg>
      """
  }

  private func span(_ least: Double, _ most: Double) -> String {
    "\(Figure.text(least, metric.unit)) to \(Figure.text(most, metric.unit))"
  }

  private func crossed(_ count: Int) -> String {
    count == 0 ? "" : "<text class=\"limit\" x=\"\(point(left))\" y=\"25\">× \(count) beyond the limit</text>"
  }

  private func limitLine(_ range: ClosedRange<Double>, _ y: (Double) -> Double) -> String {
    guard let limit = metric.limit, range.contains(limit.value) else { return "" }
    return "<path class=\"limit\" d=\"M\(point(left)) \(point(y(limit.value)))H\(point(right))\"/>"
  }

  /// Returns the indices of the samples that are drawn.
  private func thinned() -> [Int] {
    let samples = metric.samples
    guard samples.count > Self.points else { return Array(samples.indices) }
    let stretch = (samples.count * 2 + Self.points - 1) / Self.points
    return stride(from: 0, to: samples.count, by: stretch).flatMap { start in
      let indices = start..<min(start + stretch, samples.count)
      return [
        indices.min { samples[$0] < samples[$1] } ?? start,
        indices.max { samples[$0] < samples[$1] } ?? start,
      ]
    }
  }
}
