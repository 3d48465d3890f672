import Imagery
import Testing

@testable import BookScan

@Suite("The parts of a spine")
struct PartTests {
  private let blue: (UInt8, UInt8, UInt8) = (200, 60, 40)

  /// Returns the only spine that the lines form, on a shelf of spines of one colour.
  private func spine(_ lines: [TextLine]) throws -> SpineFinding {
    let photo = try shelf([blue, blue, blue])
    let records = SpineFinder(photo: photo).measured(lines)
    return try #require(records.count == 1 ? records.first?.finding : nil)
  }

  @Test(
    "A name beside the title is its author, and the publisher at the foot is neither", arguments: [90.0, 270])
  func namesAndPublishers(_ angle: Double) throws {
    let found = try spine([
      line("Margaret Hollis", x: 21, y: angle == 90 ? 80 : 320, length: 90, height: 9, angle: angle),
      line("A HISTORY OF THE NORTHERN SEA", x: 21, y: 200, length: 170, angle: angle),
      line("PENGUIN BOOKS", x: 21, y: angle == 90 ? 350 : 50, length: 50, height: 6, angle: angle),
    ])
    #expect(found.title == "A HISTORY OF THE NORTHERN SEA")
    #expect(found.author == "Margaret Hollis")
    #expect(found.parts.filter { $0.role == .other }.map(\.text) == ["PENGUIN BOOKS"])
    #expect(found.parts.allSatisfy { 0...1 ~= $0.probability })
  }

  @Test("Title and author on one line are distinguished by a mark or a wide gap between them")
  func oneLine() throws {
    let marked = try spine([line("HELEN MARTIN · THE LAST GARDEN OF SPRING", x: 21, y: 200, length: 300)])
    #expect(marked.title == "THE LAST GARDEN OF SPRING" && marked.author == "HELEN MARTIN")
  }

  @Test("A name that continues on the next line is one name")
  func twoLines() throws {
    let found = try spine([
      line("THE LAST GARDEN OF SPRING", x: 21, y: 240, length: 200),
      line("HELEN", x: 16, y: 80, length: 50, height: 9), line("MARTIN", x: 26, y: 80, length: 56, height: 9),
    ])
    #expect(found.title == "THE LAST GARDEN OF SPRING")
    #expect(found.author.map { Set($0.split(separator: " ")) } == ["HELEN", "MARTIN"])
  }

  @Test("A subtitle stays with its title")
  func subtitle() throws {
    let found = try spine([
      line("SILENCE", x: 21, y: 120, length: 120),
      line("A Short History of Quiet", x: 21, y: 250, length: 120, height: 8),
      line("Helen Martin", x: 21, y: 360, length: 60, height: 9),
    ])
    #expect(found.title == "SILENCE A Short History of Quiet" && found.author == "Helen Martin")
  }

  @Test("A shelf mark is neither title nor author")
  func shelfMark() throws {
    let found = try spine([
      line("THE ROAD TO THE COAST", x: 21, y: 180, length: 200),
      line("Peter Miller", x: 21, y: 320, length: 60, height: 9),
      line("823.9 Mil", x: 21, y: 370, length: 26, height: 8, angle: 0),
    ])
    #expect(found.title == "THE ROAD TO THE COAST" && found.author == "Peter Miller")
    #expect(found.parts.first { $0.text == "823.9 Mil" }?.role == .other)
  }

  @Test(
    "The number under which a paperback is sold is not of its title; a year and the number of a name are",
    arguments: [("24190", false), ("3487", false), ("1984", true), ("451", true)])
  func orderNumber(_ number: String, _ isOfTitle: Bool) throws {
    let found = try title("THE ROAD TO THE COAST \(number)").0
    #expect(found.title == "THE ROAD TO THE COAST" + (isOfTitle ? " \(number)" : ""))
    #expect(found.parts.contains { $0.role == .other && $0.text == number } == !isOfTitle)
  }

  @Test("A title with a word of an edition is distinguished from one without")
  func edition() throws {
    #expect(try title("THE ROAD TO THE COAST, SECOND EDITION").1.hasEdition)
    #expect(try !title("THE ROAD TO THE COAST").1.hasEdition)
  }

  @Test("Common words of a title are distinguished from rare ones, articles and numbers left out")
  func frequency() throws {
    let common = try title("THE WORLD OF WATER 1984").1.titleFrequency
    #expect(common == 1)
    #expect(try title("THE WRLDX OF WATTRQ 1984").1.titleFrequency == 0)
    #expect(try title("THE WORLD OF WATTRQ").1.titleFrequency == common / 2)
  }

  @Test("A title's words beyond seven are counted")
  func excess() throws {
    #expect(try title("THE ROAD TO THE COAST AND BACK").1.titleExcess == 0)
    #expect(try title("THE ROAD TO THE COAST AND BACK BY NIGHT").1.titleExcess == 0.5)
  }

  /// Returns the spine of a line, and its surety, by a model in which every word belongs to the title.
  private func title(_ text: String) throws -> (SpineFinding, PartReading.Surety) {
    let photo = try shelf([blue])
    let lines = [line(text, x: 21, y: 200, length: 300)]
    let groups = SpineGrouping(shelf: Shelf(photo: photo.raster, lines: lines)).groups()
    let spine = try #require(groups.first.flatMap(ShelfText.Spine.init))
    let measures = PartMeasures(
      spine, on: ShelfText([spine]), colors: spine.lines.map { LineColors($0, in: photo.raster) })
    let model = PartModel(words: ["L.bias": [50, 0, 0]], steps: [:])
    return try #require(PartReading(model: model, choice: ["post": 9]).finding(spine, measures))
  }

  @Test("A spine with nothing but a name has the name as its title")
  func onlyName() throws {
    #expect(try spine([line("ANNA WEBER", x: 21, y: 200, length: 180)]).title == "ANNA WEBER")
  }
}

@Suite("Words of a spine")
struct SpineWordTests {
  private func words(_ text: String, gaps: [Double]? = nil) -> [SpineWord] {
    var line = line(text, x: 0, y: 0, length: 100)
    line.gaps = gaps
    return SpineWord.words(line, place: 2)
  }

  @Test("Punctuation marks separate words, and are no words")
  func marks() {
    let found = words("ANNA WEBER·DER WEG - II & more")
    #expect(found.map(\.text) == ["ANNA", "WEBER", "DER", "WEG", "II", "&", "more"])
    #expect(found.map(\.isApart) == [false, false, true, false, true, false, false])
    #expect(found.map(\.place) == Array(0..<7) && found.allSatisfy { $0.count == 7 && $0.line == 2 })
  }

  @Test("Each word has the width of the gap before it, if the gap is known for every word")
  func gaps() {
    #expect(words("one two three", gaps: [0.3, 2]).map(\.gap) == [nil, 0.3, 2])
    #expect(words("one two three", gaps: [0.3]).map(\.gap) == [nil, nil, nil])
  }

  @Test("A word's core is lower-case, without punctuation and accents; an initial is recognised")
  func cores() {
    #expect(words("«Über» Ёлка (1984), O'Neill!").map(\.core) == ["uber", "елка", "1984", "o'neill"])
    #expect(words("J. R.R. J.K St. 7 IT").map(\.isInitial) == [true, true, true, false, false, false])
  }

  @Test(
    "Shelf marks, and what only looks like one",
    arguments: [
      ("796.332 Bin", true), ("823 MIL", true), ("823.9 mil", false), ("1984", false),
      ("2001 A Space", false), ("Catch 22", false),
      ("12 Rules", false), ("300 Spartans", false), ("365 Tage", false), ("823.91 Lawr", true),
    ])
  func shelfMarks(_ text: String, _ isMark: Bool) {
    #expect(ShelfMark.isSure(words(text)) == isMark)
  }

  @Test("A misread word is one letter away from a common word; a name is no misread word")
  func misread() {
    #expect(
      ["niversity", "historv", "hhistory", "tthe"].map(WordList.open.isNearWord) == [true, true, true, false])
    #expect(!WordList.open.isNearWord("xqzzyvq") && !WordList.open.isNearWord("история"))
  }

  @Test("The list of words finds names and words, from the first to the last")
  func list() throws {
    #expect(WordList.open["anna"]?.isGiven == true)
    #expect(WordList.open["smith"]?.isSurname == true)
    #expect(try #require(WordList.open["the"]).frequency == 9)
    #expect(WordList.open["xqzzyv"] == nil && WordList.open[""] == nil)
    let short = WordList("ab511 b9\nc023 d4")
    #expect(["ab", "b", "c", "d"].map { short[$0]?.frequency } == [5, 9, 0, 4])
    #expect(short["c"] == .init(isSurname: true, name: -0.5, frequency: 0) && short["ab"]?.isGiven == true)
    #expect(short["a"] == nil && short["bc"] == nil && short["e"] == nil)
  }
}

@Suite("Shelf marks distinguish books")
struct MarkedBookTests {
  @Test("Two marks side by side are of two books, whatever stands above them")
  func twoMarks() throws {
    // Both titles have the same ground, without an edge between them.
    let photo = try shelf([(200, 60, 40), (200, 60, 40)], gap: 0)
    let titles = [
      line("THE WINTER ROAD", x: 32, y: 180, length: 200, height: 14),
      line("SONGS OF SPRING", x: 50, y: 180, length: 200, height: 14),
    ]
    let marks = [
      line("823 Mil", x: 31, y: 340, length: 16, height: 8, angle: 0),
      line("781 Spr", x: 51, y: 340, length: 16, height: 8, angle: 0),
    ]
    let groups = { (lines: [TextLine]) in
      SpineGrouping(shelf: Shelf(photo: photo.raster, lines: lines)).groups()
    }
    #expect(groups(titles).count == 1)
    let found = groups(titles + marks).map { Set($0.lines.map(\.text)) }
    #expect(Set(found) == [["THE WINTER ROAD", "823 Mil"], ["SONGS OF SPRING", "781 Spr"]])
  }
}
