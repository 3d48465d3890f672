import Imagery
import Testing

@testable import BookScan

@Suite("Ways to give the words of a spine their parts")
struct PartWayTests {
  @Test("Of ways that are as likely, the one that loses no word of a title gains more")
  func gains() {
    let short = PartWay(roles: [.title, .other, .author], probability: 0.5)
    let long = PartWay(roles: [.title, .title, .author], probability: 0.5)
    let gains = [short, long].map { way in [short, long].reduce(0) { $0 + way.gain(if: $1) } }
    #expect(gains == [2, 3])
    #expect(short.gain(if: PartWay(roles: [.other, .other, .title], probability: 1)) == PartWay.gainOfWords)
  }

  @Test("What has a weight in the choice is measured, and what is measured has one")
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
