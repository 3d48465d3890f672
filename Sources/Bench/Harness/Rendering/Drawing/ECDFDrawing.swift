/// The empirical distribution functions of the run and of its baseline: for each value, the share of samples up to it. A step line to the right
/// of the other is a slower run. The line of the run is solid, that of the baseline dashed.
struct ECDFDrawing {
  let metric: DrawnMetric
  /// Evenly spaced quantiles of the baseline's samples.
  let baseline: [Double]

  var svg: String {
    let new = metric.samples.filter(\.isFinite).sorted()
    let base = baseline.filter(\.isFinite).sorted()
    guard let least = [new.first, base.first].compactMap({ $0 }).min(), !new.isEmpty, !base.isEmpty,
      let most = [new.last, base.last].compactMap({ $0 }).max(), most > least,
      let frame = ChartFrame(metric.range(least, most), metric.unit)
    else { return "" }
    let medians = "this run: median \(words(new)); dashed, the baseline: \(words(base))"
    let others = [
      "<text x=\"0\" y=\"11\">\(HTMLText.escape(medians))</text>",
      ChartFrame.level("all", y: ChartFrame.top),
      ChartFrame.level("half", y: (ChartFrame.top + ChartFrame.bottom) / 2),
      frame.axis, "<g\(metric.isBroken ? " class=\"broken\"" : "")>\(frame.limit(metric.limit))</g>",
    ]
    return ChartFrame.svg(
      "Part of the samples at most so large: \(medians)",
      plot:
        "<path class=\"base\" d=\"\(steps(base, frame))\"/><path class=\"new\" d=\"\(steps(new, frame))\"/>",
      others: others.joined(separator: "\n"))
  }

  private func words(_ sorted: [Double]) -> String { Figure.text(Summary(sorted)?.median, metric.unit) }

  /// Returns a step at each sample, or for more than 100 samples at each hundredth.
  private func steps(_ sorted: [Double], _ frame: ChartFrame) -> String {
    let count = min(sorted.count, 100)
    var path = "M0 \(point(ChartFrame.plotHeight))"
    for step in 1...count {
      let sample = sorted[max(0, step * sorted.count / count - 1)]
      let height = ChartFrame.plotHeight * (1 - Double(step) / Double(count))
      path += "H\(point(frame.x(sample)))V\(point(height))"
    }
    return path + "H1000"
  }
}
