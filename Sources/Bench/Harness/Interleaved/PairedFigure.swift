/// A median or a high percentile of one metric, in runs of two builds that took turns.
struct PairedFigure: Sendable {
  /// How many tolerances do not matter.
  let margin: Double
  private(set) var base: [Double] = []
  private(set) var new: [Double] = []
  /// What was decided at a look, and after how many pairs: later pairs do not change it.
  private var decided: (result: PairedTest.Result, count: Int)?

  init(margin: Double) { self.margin = margin }

  mutating func add(_ base: Double, _ new: Double) {
    self.base.append(base)
    self.new.append(new)
  }

  var isDecided: Bool { decided != nil }

  /// Looks at the pairs where the plan has a look, and keeps what is decided.
  mutating func look(_ row: MetricReport, _ plan: PairedPlan) {
    guard decided == nil, PairedPlan.isLook(base.count) else { return }
    let result = test(row, plan).result
    if result.verdict != .inconclusive { decided = (result, base.count) }
  }

  /// What was decided, or what all pairs say.
  func result(_ row: MetricReport, _ plan: PairedPlan) -> PairedTest.Result {
    decided?.result ?? test(row, plan).last
  }

  /// Of the pairs that decided, or of all.
  func test(_ row: MetricReport, _ plan: PairedPlan) -> PairedTest {
    let count = decided?.count ?? base.count
    return PairedTest(
      base: Array(base.prefix(count)), new: Array(new.prefix(count)), unit: row.unit,
      polarity: row.polarity, tolerance: row.tolerance, margin: margin, plan: plan)
  }
}
