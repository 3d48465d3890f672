import Foundation
import Testing

@testable import Harness

@Suite struct CurvesTests {
  private func curves(_ points: [Curves.Point], rows: [[String]] = [["seed", "258"]], panels: Int = 1)
    -> Curves
  {
    Curves(
      cost: "tokens", worth: "words kept", goal: 0.98,
      panels: (0..<panels).map { Curves.Panel("Panel <\($0)>", points) }, columns: ["profile", "tokens"],
      rows: rows)
  }
  private let points: [Curves.Point] = [
    .init(x: 1032, y: 1, label: "large"), .init(x: 258, y: 0.5, label: "small"),
    .init(x: 516, y: 0.99, label: "1024×768 & more", isChosen: true),
  ]

  private func page(_ curves: Curves) async throws -> String {
    let report = try await Report.make(
      Observation(evidence: [.curves("What it costs", curves)]), profile: .make([]))
    #expect(ReportFile.validate(try ReportFile.encode(report)) == [])
    return HTMLReport(report).html
  }

  @Test func curvesComeBackFromAReport() async throws {
    let report = try await Report.make(
      Observation(evidence: [.curves("c", curves(points))]), profile: .make([]))
    let back = try ReportFile.decode(try ReportFile.encode(report))
    #expect(back.scenarios[0].evidence.first?.curves == curves(points))
  }

  @Test func theChosenPointIsNamedAndTheGoalDrawn() {
    let drawn = curves(points)
    let svg = CurveDrawing(panel: drawn.panels[0], curves: drawn).svg
    #expect(svg.contains("1024×768 &amp; more") && !svg.contains(">small<") && !svg.contains(">large<"))
    #expect(
      svg.contains("98 % of words kept") && svg.contains("032 tokens") && svg.contains("Panel &lt;0&gt;"))
  }

  @Test func curvesOfRubbishDraw() {
    let rubbish = curves([
      .init(x: .nan, y: 1, label: "a"), .init(x: 1, y: .infinity, label: "b"), .init(x: -4, y: 1, label: "c"),
      .init(x: 5, y: 7, label: "<d>", isChosen: true),
    ])
    let svg = CurveDrawing(panel: rubbish.panels[0], curves: rubbish).svg
    #expect(svg.contains("&lt;d&gt;") && !svg.contains("nan") && !svg.contains("inf") && !svg.contains("<d>"))
    #expect(CurveDrawing(panel: Curves.Panel("x", []), curves: rubbish).svg.isEmpty)
    #expect(
      CurveDrawing(panel: Curves.Panel("x", [.init(x: 0, y: 1, label: "")]), curves: rubbish).svg.isEmpty)
  }

  @Test func aPageHasTheChartsAndTheTable() async throws {
    let html = try await page(curves(points, rows: [["seed", "258"], ["<b>", "516"]]))
    #expect(html.contains("What it costs") && html.contains("<th scope=\"col\">tokens</th>"))
    #expect(html.contains("<th scope=\"row\">seed</th><td>258</td>") && html.contains("&lt;b&gt;"))
    #expect(!html.contains("The rest is in report.json."))
  }

  @Test func aPageStaysSmall() async throws {
    let html = try await page(
      curves(points, rows: (0..<1000).map { ["row \($0)", "1"] }, panels: 90))
    #expect(
      html.contains("row 399<") && !html.contains("row 400<") && html.contains("The rest is in report.json."))
    #expect(html.components(separatedBy: "1024×768 &amp; more").count == 41)
  }
}
