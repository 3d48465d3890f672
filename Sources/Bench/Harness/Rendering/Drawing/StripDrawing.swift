/// The samples in the order taken, with the line of the limit. Samples beyond the limit are crosses.
struct StripDrawing {
  /// Maximum number of points that are drawn. Of more samples, the least and the greatest of each stretch are drawn.
  private static let points = 240

  let metric: DrawnMetric

  var svg: String {
    guard let least = metric.samples.min(), let most = metric.samples.max(), most > least else { return "" }
    let range = metric.range(least, most)
    func y(_ value: Double) -> Double {
      ChartFrame.plotHeight * (range.upperBound - value) / (range.upperBound - range.lowerBound)
    }
    let step = 1000 / Double(max(1, metric.samples.count - 1))
    let shown = thinned().map { (x: step * Double($0), y: y(metric.samples[$0]), index: $0) }
    let good = shown.filter { !metric.breaksLimit(metric.samples[$0.index]) }
    let bad = shown.filter { metric.breaksLimit(metric.samples[$0.index]) }
    let broken = metric.samples.count(where: metric.breaksLimit)
    let levels = ChartFrame.ticks(range, atMost: 3).map {
      ChartFrame.level(Figure.text($0, metric.unit), y: ChartFrame.top + y($0))
    }
    let others = [
      "<text x=\"0\" y=\"11\">in order: \(HTMLText.escape(span(least, most)))</text>", levels.joined(),
      crosses(bad.map { ($0.x, $0.y) }),
      "<g\(metric.isBroken ? " class=\"broken\"" : "")>\(limitLine(range, y))\(crossed(broken))</g>",
      "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"160\" y2=\"160\"/>",
      "<text class=\"tick\" x=\"0\" y=\"179\">first</text>",
      "<text class=\"tick\" x=\"100%\" y=\"179\" text-anchor=\"end\">last of \(metric.samples.count)</text>",
    ]
    return ChartFrame.svg(
      "\(metric.samples.count) samples in the order taken, \(span(least, most))\(broken > 0 ? ", \(broken) beyond the limit" : "")",
      plot: "<path class=\"dots\" d=\"\(good.map { "M\(point($0.x)) \(point($0.y))h.01" }.joined())\"/>",
      others: others.joined(separator: "\n"))
  }

  private func span(_ least: Double, _ most: Double) -> String {
    "\(Figure.text(least, metric.unit)) to \(Figure.text(most, metric.unit))"
  }

  /// Returns a character for each sample beyond the limit: characters are not stretched with the plot.
  private func crosses(_ places: [(x: Double, y: Double)]) -> String {
    guard !places.isEmpty else { return "" }
    return """
      <text class="crosses" x="\(places.map { point($0.x / 10) + "%" }.joined(separator: " "))" \
      y="\(places.map { point($0.y + ChartFrame.top + 4) }.joined(separator: " "))">\(String(repeating: "×", count: places.count))</text>
      """
  }

  private func crossed(_ count: Int) -> String {
    count == 0 ? "" : "<text class=\"limit\" x=\"0\" y=\"26\">× \(count) beyond the limit</text>"
  }

  private func limitLine(_ range: ClosedRange<Double>, _ y: (Double) -> Double) -> String {
    guard let limit = metric.limit, range.contains(limit.value) else { return "" }
    let at = point(ChartFrame.top + y(limit.value))
    return """
      <line class="limit" x1="0" x2="100%" y1="\(at)" y2="\(at)"/>\
      <text class="limit" x="100%" y="\(point(ChartFrame.top + y(limit.value) - 4))" text-anchor="end">\(HTMLText.escape(limit.text))</text>
      """
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
