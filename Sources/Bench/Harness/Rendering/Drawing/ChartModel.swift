/// The charts of a metric, as values for the page's template.
struct ChartModel {
  let metric: MetricReport

  /// The values. Nil if there is nothing to see.
  var model: ReportPage.Model? {
    guard let drawn = DrawnMetric(metric) else { return nil }
    let distribution =
      metric.baselineQuantiles.map { ECDFDrawing(metric: drawn, baseline: $0).svg }
      ?? HistogramDrawing(metric: drawn).svg
    return [
      "chartTitle": metric.title, "distribution": distribution, "strip": StripDrawing(metric: drawn).svg,
    ]
  }
}
