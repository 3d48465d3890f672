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

  @Test("A title is nearly right to a tenth of its letters, an author with the last word of the right one")
  func near() {
    // THE WINTER WANDERINGS, I. MILLER, B.
    let letters = [3, 6, 10, 1, 6, 1]
    let way = PartWay(roles: [.title, .title, .title, .author, .author, .other], probability: 1)
    #expect(way.isNear(way.roles, letters: letters))
    #expect(way.isNear([.title, .title, .title, .title, .author, .other], letters: letters))
    #expect(!way.isNear([.other, .title, .title, .author, .author, .other], letters: letters))
    #expect(!way.isNear([.title, .title, .title, .other, .author, .author], letters: letters))
    let alone = PartWay(roles: [.title, .title, .title, .other, .other, .other], probability: 1)
    #expect(alone.isNear(alone.roles, letters: letters))
    #expect(!way.isNear(alone.roles, letters: letters) && !alone.isNear(way.roles, letters: letters))
  }

  /// Measures the only spine that lines form.
  private func measures(_ lines: [TextLine]) throws -> PartMeasures {
    let photo = try shelf([(200, 60, 40)])
    let groups = SpineGrouping(shelf: Shelf(photo: photo.raster, lines: lines)).groups()
    let spine = try #require(groups.count == 1 ? groups.first.flatMap(ShelfText.Spine.init) : nil)
    return PartMeasures(
      spine, on: ShelfText([spine]), colors: spine.lines.map { LineColors($0, in: photo.raster) })
  }

  @Test("How likely title and author are nearly right is told by the words alone")
  func nearlyRight() throws {
    let measures = try measures([line("WANDERINGS A MILLER", x: 21, y: 200, length: 300)])
    // By the words the last word may be the author's or the title's, whatever the word of one letter is. Taken as a whole, a
    // labelling without an author is refused.
    let model = PartModel(
      words: ["t.firstinline": [20, 0, 0]], steps: ["same": [1, 0.5, -4, -9, 0.9, -9, -9, 5.5, -9]])
    let result = PartReading(model: model, choice: ["post": 3, "noA": -50]).result(measures)
    #expect(result.roles.first == .title && result.roles.last == .author)
    let near = model.reading(measures).labellings.filter { $0.roles[0] == .title && $0.roles[2] == .author }
    #expect(near.count == 3 && near.allSatisfy { $0.probability < 0.3 })
    #expect(abs(result.near - near.reduce(0) { $0 + $1.probability }) < 1e-4)
    #expect(0.6...0.7 ~= result.near && result.probability < 0.5)
  }

  @Test("Changes of role within a line are counted where there is neither a wide gap nor a sign")
  func tightCuts() throws {
    let early: [SpinePart.Role] = [.author, .author, .title, .title, .title]
    let late: [SpinePart.Role] = [.author, .author, .author, .title, .title]
    func tightCuts(_ text: String, gaps: [Double]?, _ roles: [SpinePart.Role]) throws -> Double? {
      var line = line(text, x: 21, y: 200, length: 300)
      line.gaps = gaps
      return LabellingMeasure(try measures([line]), roles).features(0.5)["cutTight"]
    }
    let (text, gaps) = ("ANNA WEBER DER WEG HEIM", [0.3, 0.3, 1.5, 0.3])
    #expect(try tightCuts(text, gaps: gaps, early) == 1)
    #expect(try tightCuts(text, gaps: gaps, late) == 0)
    #expect(try tightCuts(text, gaps: nil, late) == 1)
    #expect(try tightCuts(text, gaps: gaps, early.map { _ in .title }) == 0)
    let even = [Double](repeating: 0.3, count: 5)
    #expect(try tightCuts("ANNA WEBER | DER WEG HEIM", gaps: even, early) == 0)
  }

  @Test("The gaps between the lines of a title are measured")
  func gapsInTitles() throws {
    let measures = try measures([
      line("THE WINTER ROAD", x: 21, y: 120, length: 160), line("TO THE NORTH", x: 21, y: 320, length: 120),
    ])
    let all = LabellingMeasure(measures, measures.words.map { _ in .title }).features(0.5)
    let roles: [SpinePart.Role] = measures.words.map { $0.line == 0 ? .title : .author }
    // The lines are 60 pixels apart on a spine of 340.
    #expect(try abs(#require(all["TTgap"]) - 60.0 / 340 * 4) < 0.01)
    #expect(LabellingMeasure(measures, roles).features(0.5)["TTgap"] == 0)
  }

  @Test("Every weighted feature of the choice is measured, and every measured feature has a weight")
  func weights() throws {
    let measures = try measures([
      line("THE WINTER ROAD", x: 21, y: 180, length: 200), line("Peter Miller", x: 21, y: 320, length: 60),
    ])
    let ways: [[SpinePart.Role]] = [
      measures.words.map { $0.line == 0 ? .title : .author }, measures.words.map { _ in .title },
    ]
    let measured = ways.flatMap { LabellingMeasure(measures, $0).features(0.5).keys }
    #expect(measures.words.count == 5 && Set(measured) == Set(PartModel.fittedChoice.keys))
  }
}
