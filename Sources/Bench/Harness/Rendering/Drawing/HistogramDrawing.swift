/// The histogram of a metric, with marks for the median, the 99th percentile and the limit.
struct HistogramDrawing {
  let metric: DrawnMetric
  /// The number of bars: enough to see a tail on a wide screen, and each wide enough to be seen on a telephone.
  private static let bars = 90

  var svg: String {
    let samples = metric.samples.filter(\.isFinite)
    guard let least = samples.min(), let most = samples.max(), most > least,
      let frame = ChartFrame(metric.range(least, most), metric.unit)
    else { return "" }
    let width = (most - least) / Double(Self.bars)
    var counts = [Int](repeating: 0, count: Self.bars)
    for sample in samples { counts[min(Self.bars - 1, Int((sample - least) / width))] += 1 }
    let median = "median \(Figure.text(metric.p50, metric.unit))"
    let others = [
      levels(counts, frame), frame.axis,
      frame.mark(median, at: metric.p50, line: 0, style: "mark"),
      frame.mark(metric.high, at: metric.p99, line: 1, style: "mark"),
      "<g\(metric.isBroken ? " class=\"broken\"" : "")>\(frame.limit(metric.limit))</g>",
    ]
    let limit = metric.limit.map { ", \($0.text)" } ?? ""
    return ChartFrame.svg(
      "Distribution of \(samples.count) samples: \(median), \(metric.high)\(limit)",
      plot: "<path class=\"bars\" d=\"\(path(counts, frame, from: least, width: width))\"/>",
      others: others.joined(separator: "\n"))
  }

  private func path(_ counts: [Int], _ frame: ChartFrame, from least: Double, width: Double) -> String {
    let highest = Double(counts.max() ?? 1)
    let base = point(ChartFrame.plotHeight)
    return counts.enumerated().filter { $0.element > 0 }.map { index, count in
      // A bar is at least two pixels tall, so that a single slow sample is seen.
      let tall = max(2, Double(count) / highest * ChartFrame.plotHeight)
      let from = frame.x(least + Double(index) * width)
      let to = frame.x(least + Double(index + 1) * width)
      return "M\(point(from)) \(base)v\(point(-tall))h\(point(max(1, to - from - 0.5)))v\(point(tall))z"
    }.joined()
  }

  /// The vertical axis: a line at one or two round numbers of samples. The numbers stand on the side with fewer samples, off the line of the
  /// limit.
  private func levels(_ counts: [Int], _ frame: ChartFrame) -> String {
    let highest = Double(max(1, counts.max() ?? 1))
    let half = counts.count / 2
    let isRight = counts[half...].reduce(0, +) <= counts[..<half].reduce(0, +)
    let limit = metric.limit.map { frame.x($0.value) / 10 } ?? 50
    let place =
      isRight ? (limit > 75 && limit < 100 ? limit - 1 : 100) : (limit < 25 && limit > 0 ? limit + 1 : 0)
    return ChartFrame.ticks(0...highest, atMost: 3).filter { $0 >= 1 && $0 == $0.rounded() }.map { count in
      let words = "\(Figure.number(count)) \(count == 1 ? "sample" : "samples")"
      return ChartFrame.level(
        words, y: ChartFrame.bottom - ChartFrame.plotHeight * count / highest, at: place, isRight: isRight)
    }.joined()
  }
}
