import Testing

@testable import BookScan

@Suite("Straight edges between two lines of text")
struct StraightEdgeTests {
  private typealias Color = (UInt8, UInt8, UInt8)

  /// Whether an edge with a contrast of `step` is found between x = 70 and 90 and y = 40 and 400, beside text at y = 150 to 290.
  private func isFound(step: Int = 14, on ground: Color = (120, 120, 120), paint: (Int, Int) -> Color?) throws
    -> Bool
  {
    let photo = try shelf(Array(repeating: ground, count: 4), gap: 0, paint: paint)
    let strip = EdgeMeasure.Strip(
      frame: SpineFrame(along: Point(x: 0, y: 1)), along: 40...400, across: -90 ... -70, reach: 1)
    return EdgeMeasure(photo: photo.raster).isStraightEdge(strip, text: 150...290, step: step)
  }

  @Test("An edge that leans by 3 % is found; one that leans by 8 % does not belong to the spine")
  func leaning() throws {
    func seam(_ slope: Double) -> (Int, Int) -> Color? {
      { x, y in x == 80 + Int((Double(y - 220) * slope).rounded()) ? (100, 100, 100) : nil }
    }
    #expect(try isFound(paint: seam(0)))
    #expect(try isFound(paint: seam(0.03)))
    #expect(try isFound(paint: seam(-0.03)))
    #expect(try !isFound(paint: seam(0.08)))
    #expect(try !isFound { _, _ in nil })
  }

  @Test("An edge only beside the text is a stroke of letters; an edge may have small gaps")
  func whole() throws {
    #expect(try !isFound { x, y in x == 80 && (140..<300).contains(y) ? (60, 60, 60) : nil })
    #expect(try !isFound { x, y in x == 80 && !(150..<290).contains(y) ? (60, 60, 60) : nil })
    #expect(try !isFound { x, y in x == 80 && !(200..<250).contains(y) ? (60, 60, 60) : nil })
    #expect(try isFound { x, y in x == 80 && y % 20 < 16 ? (60, 60, 60) : nil })
    #expect(try !isFound { x, y in x == 80 && y % 20 < 12 ? (60, 60, 60) : nil })
  }

  @Test("An edge at the far side of a wide gap is found")
  func wide() throws {
    let photo = try shelf(Array(repeating: (120, 120, 120), count: 20), gap: 0) { x, _ in
      (750..<753).contains(x) ? (60, 60, 60) : nil
    }
    let strip = EdgeMeasure.Strip(
      frame: SpineFrame(along: Point(x: 0, y: 1)), along: 40...400, across: -780 ... -20, reach: 1)
    let mirrored = EdgeMeasure.Strip(
      frame: SpineFrame(along: Point(x: 0, y: -1)), along: -400 ... -40, across: 20...780, reach: 1)
    let edges = EdgeMeasure(photo: photo.raster)
    #expect(edges.isStraightEdge(strip, text: 150...290, step: 14))
    #expect(edges.isStraightEdge(mirrored, text: -290 ... -150, step: 14))
  }

  @Test("In dark parts a smaller step counts as an edge than in bright parts")
  func dark() throws {
    let seam = { (level: UInt8) in { (x: Int, _: Int) -> Color? in x == 80 ? (level, level, level) : nil } }
    #expect(try isFound(on: (24, 24, 24), paint: seam(14)))
    #expect(try !isFound(on: (230, 230, 230), paint: seam(220)))
    #expect(try isFound(on: (230, 230, 230), paint: seam(200)))
  }
}
