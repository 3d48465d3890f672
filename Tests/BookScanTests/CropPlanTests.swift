import Imagery
import System
import Testing

@testable import BookScan

@Suite struct CropPlanTests {
  private static let size = PixelSize(width: 2000, height: 1500)

  /// Returns words of 60×20 pixels at these centres.
  private func words(_ places: [(x: Double, y: Double)]) -> [TextRegion] {
    places.map { TextRegion(center: Point(x: $0.x, y: $0.y), length: 60, height: 20, angle: 0) }
  }

  private func row(_ y: Double, _ columns: Range<Int> = 1..<19) -> [(x: Double, y: Double)] {
    columns.map { (Double($0) * 100, y) }
  }

  @Test func rowsOfAShelfArePartsOfTheirOwn() {
    let plan = CropPlan(words(row(200) + row(240) + row(800)), of: Self.size)
    #expect(plan.parts.map { $0.sorted() } == [Array(0..<36), Array(36..<54)])
    let box = plan.box(plan.parts[0])
    #expect(box == Box(x: 50, y: 170, width: 1800, height: 100))
  }

  @Test func twoPilesBesideEachOtherAreParts() {
    let plan = CropPlan(
      words((0..<8).flatMap { row(200 + Double($0) * 60, 1..<5) + row(200 + Double($0) * 60, 14..<18) }),
      of: Self.size)
    #expect(plan.parts.count == 2 && plan.parts.allSatisfy { $0.count == 32 })
  }

  @Test func aWordByItselfIsNoPart() {
    let plan = CropPlan(words(row(200) + [(1000, 1400)]), of: Self.size)
    #expect(plan.parts.count == 1 && plan.box(plan.parts[0]).height > 1200)
  }

  @Test func thereAreNotTooManyParts() {
    let plan = CropPlan(words((0..<12).flatMap { row(100 + Double($0) * 115, 1..<6) }), of: Self.size)
    #expect(plan.parts.count == CropPlan.limit)
    #expect(plan.parts.flatMap { $0 }.sorted() == Array(0..<60))
  }

  /// Halving a row cuts no word, even if words overlap everywhere.
  @Test func halvesHaveEachWordWhole() throws {
    let regions = words((0..<40).map { (100 + Double($0) * 40, $0.isMultiple(of: 2) ? 200 : 230) })
    let plan = CropPlan(regions, of: Self.size)
    let halves = try #require(plan.halves(plan.parts[0]))
    #expect(halves.map(\.count).reduce(0, +) == 40 && halves.allSatisfy { (10...30).contains($0.count) })
    for half in halves {
      let box = plan.box(half)
      let isInside = half.allSatisfy { word in
        let region = regions[word].box
        return box.x <= region.x && region.maxX <= box.maxX && box.y <= region.y && region.maxY <= box.maxY
      }
      #expect(isInside)
    }
    #expect(plan.halves(Array(0..<5)) == nil)
  }

  @Test func nothingAtAllIsNoPart() { #expect(CropPlan([], of: Self.size).parts.isEmpty) }
}
