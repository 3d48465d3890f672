/// Made-up comparisons for `docs/comparison.md`, drawn as in a report.
public enum ComparisonExamples {
  /// File names with their pictures, each a whole SVG file.
  public static var pictures: [(name: String, svg: String)] {
    [
      ("comparison-regressed.svg", picture(byTurns(change: 1.05, scatter: 0.012, pairs: 20))),
      ("comparison-unchanged.svg", picture(byTurns(change: 1, scatter: 0.012, pairs: 7))),
      ("comparison-inconclusive.svg", picture(byTurns(change: 1.015, scatter: 0.02, pairs: 10))),
      ("comparison-stored.svg", picture(stored)),
    ]
  }

  /// Pairs whose changes scatter evenly, except for one outlier.
  private static func byTurns(change: Double, scatter: Double, pairs: Int) -> MetricComparison {
    let drift: [Double] = (0..<pairs).map { (index: Int) -> Double in 1 + 0.1 * Double(index * 3 % 8) / 8 }
    let base = drift.map { 20 * $0 }
    let new = drift.enumerated().map { (index: Int, part: Double) -> Double in
      let shift = scatter * (Double(index * 5 % 9) - 4) / 4
      let farOff: Double = index == 4 && pairs > 8 ? 1.08 : 1
      return 20 * part * change * (1 + shift) * farOff
    }
    let test = PairedTest(
      base: base, new: new, unit: .milliseconds, polarity: .lowerIsBetter,
      tolerance: Tolerance(relative: 0.02), plan: PairedPlan(tests: 3))
    return MetricComparison(test, test.result)
  }

  /// The drawing of a regression that was found by turns, in the colours of the page around it.
  static var turns: String? {
    ComparisonDrawing(byTurns(change: 1.05, scatter: 0.012, pairs: 20), .milliseconds, title: "An example")?
      .svg
  }

  private static var stored: MetricComparison {
    let test = RunsTest(
      base: [1.06, 1.09, 1.08, 1.05, 1.11], new: [1.32], unit: .ratio, polarity: .lowerIsBetter,
      tolerance: Tolerance(detectable: 0.1))
    return test.compare(.runs) ?? MetricComparison(incomparable: "", p50: nil)
  }

  /// Returns the picture with the colours of a report, because a file has no page around it.
  private static func picture(_ comparison: MetricComparison) -> String {
    let drawing = ComparisonDrawing(comparison, .milliseconds, title: "An example")?.svg ?? ""
    let style = """
      <style>svg{background:#fff}text{font:11px monospace;fill:#111}line{stroke:#111}.axis{stroke:#999}.tolerance{fill:#ddd}\
      .dot{fill:#444}.interval{stroke-width:3}.tick{fill:#555}</style>
      """
    guard let end = drawing.firstIndex(of: ">") else { return drawing }
    let head = drawing[...end].replacing(
      "<svg width=\"100%\"", with: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\"")
    return head + "\n" + style + drawing[drawing.index(after: end)...] + "\n"
  }
}
