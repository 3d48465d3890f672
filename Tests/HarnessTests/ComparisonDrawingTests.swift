import Foundation
import System
import Testing

@testable import Harness

/// The drawing of a comparison's statistical test.
@Suite struct ComparisonDrawingTests {
  /// Compares the documentation's pictures. `swiftwing-trials pictures docs/images` draws them again.
  @Test func thePicturesOfTheDocumentationAreThoseThatAreDrawn() throws {
    let images = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/images")
    for picture in ComparisonExamples.pictures {
      let file = try String(contentsOf: images.appending(path: picture.name), encoding: .utf8)
      #expect(file == picture.svg, "\(picture.name)")
    }
    let elements = try String(contentsOf: images.appending(path: "elements.html"), encoding: .utf8)
    #expect(elements == ElementsPage.html)
  }

  @Test func theExamplesAreWhatTheirNamesSay() {
    for picture in ComparisonExamples.pictures where !picture.name.contains("stored") {
      let verdict = picture.name.dropFirst("comparison-".count).dropLast(".svg".count)
      #expect(picture.svg.contains("An example: \(verdict)."), "\(picture.svg.prefix(400))")
    }
    #expect(ComparisonExamples.pictures[3].svg.contains("An example: regressed."))
  }

  @Test func noFigureIsDrawnWithoutATest() {
    let none = MetricComparison(incomparable: "it is gone", p50: nil)
    #expect(ComparisonDrawing(none, .milliseconds, title: "x") == nil)
  }

  @Test func hostileTitlesAreEscapedAndExtremesStayInside() throws {
    let wild = PairedTest(
      base: [1e-9, 1e9, 1, 2, 3], new: [1e9, 1e-9, 1, 2, 3], unit: .milliseconds, polarity: .lowerIsBetter,
      tolerance: Tolerance(), plan: PairedPlan(tests: 1))
    let drawing = try #require(
      ComparisonDrawing(MetricComparison(wild, wild.result), .milliseconds, title: "<script>\""))
    #expect(!drawing.svg.contains("<script>") && drawing.svg.contains("&lt;script&gt;&quot;"))
    #expect(!drawing.svg.contains("nan") && !drawing.svg.contains("inf"))
  }
}
