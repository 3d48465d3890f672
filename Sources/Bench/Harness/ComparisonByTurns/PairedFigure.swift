/// A median or a high percentile of one metric, in runs of two builds that took turns.
struct PairedFigure: Sendable {
  /// The factor on the tolerance: a change of up to this many tolerances does not matter.
  let margin: Double
  private(set) var base: [Double] = []
  private(set) var new: [Double] = []
  /// The result decided at a look, and the number of pairs behind it. Later pairs do not change it.
  private var decided: (result: PairedTest.Result, count: Int)?

  init(margin: Double) { self.margin = margin }

  mutating func add(_ base: Double, _ new: Double) {
    self.base.append(base)
    self.new.append(new)
  }

  var isDecided: Bool { decided != nil }

  /// Tests the pairs if the plan has a look at this number of pairs, and keeps a decided result.
  mutating func look(_ row: MetricReport, _ plan: PairedPlan) {
    guard decided == nil, PairedPlan.isLook(base.count) else { return }
    let result = test(row, plan).result
    if result.verdict != .inconclusive { decided = (result, base.count) }
  }

  /// Returns the decided result, or the result of all pairs.
  func result(_ row: MetricReport, _ plan: PairedPlan) -> PairedTest.Result {
    decided?.result ?? test(row, plan).last
  }

  /// Returns the test of the pairs that decided, or of all pairs.
  func test(_ row: MetricReport, _ plan: PairedPlan) -> PairedTest {
    let count = decided?.count ?? base.count
    return PairedTest(
      base: Array(base.prefix(count)), new: Array(new.prefix(count)), unit: row.unit,
      polarity: row.polarity, tolerance: row.tolerance, margin: margin, plan: plan)
  }
}
