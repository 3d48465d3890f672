import Imagery
import Testing

@testable import BookScan

@Suite("Labellings of the words of a spine as title and author")
struct PartWayTests {
  @Test("Of equally likely labellings, the one that loses no word of a title scores higher")
  func gains() {
    let short = PartWay(roles: [.title, .other, .author], probability: 0.5)
    let long = PartWay(roles: [.title, .title, .author], probability: 0.5)
    let gains = [short, long].map { way in [short, long].reduce(0) { $0 + way.gain(if: $1) } }
    #expect(gains == [2, 3])
    #expect(short.gain(if: PartWay(roles: [.other, .other, .title], probability: 1)) == PartWay.gainOfWords)
  }

  @Test("Every weighted feature of the choice is measured, and every measured feature has a weight")
  func weights() throws {
    let photo = try shelf([(200, 60, 40)])
    let lines = [
      line("THE WINTER ROAD", x: 21, y: 180, length: 200), line("Peter Miller", x: 21, y: 320, length: 60),
    ]
    let groups = SpineGrouping(shelf: Shelf(photo: photo.raster, lines: lines)).groups()
    let spine = try #require(groups.first.flatMap(ShelfText.Spine.init))
    let measures = PartMeasures(
      spine, on: ShelfText([spine]), colors: spine.lines.map { LineColors($0, in: photo.raster) })
    let ways: [[SpinePart.Role]] = [
      measures.words.map { $0.line == 0 ? .title : .author }, measures.words.map { _ in .title },
    ]
    let measured = ways.flatMap { LabellingMeasure(measures, $0).features(0.5).keys }
    #expect(measures.words.count == 5 && Set(measured) == Set(PartModel.fittedChoice.keys))
  }
}
