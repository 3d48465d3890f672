/// What the page shows of the test that a comparison with the baseline rests on.
enum ComparisonHook {
  /// - Returns: SVG, escaped already; nil where there is no drawing for it.
  static func drawing(_ metric: MetricReport) -> String? { nil }

  /// What would have changed the verdict, as a sentence; nil where that is not known.
  static func otherwise(_ metric: MetricReport) -> String? { nil }
}
