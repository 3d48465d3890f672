import Imagery
import Testing

@testable import BookScan

@Suite struct SpineTests {
  private let red: (UInt8, UInt8, UInt8) = (40, 40, 200)
  private let blue: (UInt8, UInt8, UInt8) = (200, 60, 40)

  @Test func eachBookIsOneRecordWithItsTitleAndAuthor() throws {
    let photo = try shelf([red, blue, red])
    let lines = [
      line("THE SILENT RIVER", x: 21, y: 150, length: 180),
      line("Jane Holloway", x: 21, y: 330, length: 90, height: 9),
      line("A SECOND BOOK OF", x: 67, y: 150, length: 180, height: 12),
      line("WINTER BIRDS", x: 54, y: 150, length: 150, height: 12),
      line("ON HARBOURS", x: 101, y: 200, length: 200, angle: 270),
    ]
    let spines = books(photo, lines).sorted { $0.box.x < $1.box.x }
    #expect(spines.map(\.title) == ["THE SILENT RIVER", "A SECOND BOOK OF WINTER BIRDS", "ON HARBOURS"])
    #expect(spines.map(\.author) == ["Jane Holloway", nil, nil])
    #expect(spines.map(\.angle) == [90, 90, 270])
  }

  @Test func anEdgeKeepsNeighboursApart() throws {
    let photo = try shelf([red, red])
    // The lines are close together, but on either side of the gap between two books.
    var lines = [
      line("THE SAME TITLE", x: 33, y: 200, length: 180), line("THE SAME TITLE", x: 49, y: 200, length: 180),
    ]
    #expect(books(photo, lines).count == 2)
    let plain = try shelf([red, red], gap: 0)
    lines[1].text = "OF ANOTHER DAY"
    #expect(SpineGrouping(shelf: Shelf(photo: plain.raster, lines: lines)).groups().count == 1)
  }

  @Test func textWithoutSpinesAroundItIsNoBook() throws {
    let size = PixelSize(width: 600, height: 400)
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    let bytes = image.planes[0].bytesPerRow * size.height
    image.planes[0].base.initializeMemory(as: UInt8.self, repeating: 235, count: bytes)
    let photo = try UprightPhoto(image, orientation: .upright)
    let lines = [line("Buy more chalk", x: 300, y: 200, length: 220, height: 40, angle: 0)]
    #expect(books(photo, lines, isShelf: false).isEmpty)
  }

  @Test func shelfMarksAreNoTitles() throws {
    let photo = try shelf([red, blue])
    let lines = [
      line("796.42 Mor", x: 21, y: 300, length: 80), line("ON HARBOURS", x: 61, y: 200, length: 200),
    ]
    #expect(books(photo, lines).map(\.title) == ["ON HARBOURS"])
  }

  @Test func aYearIsATitleAndAPriceIsNot() throws {
    let photo = try shelf([red, blue, red])
    let lines = [
      line("1984", x: 21, y: 250, length: 80), line("GEORGE ORWELL", x: 21, y: 120, length: 120),
      line("The Almanac", x: 61, y: 200, length: 200), line("2002-03", x: 61, y: 340, length: 50, height: 9),
      line("ON HARBOURS", x: 101, y: 200, length: 200), line("8.99", x: 101, y: 340, length: 40),
    ]
    let spines = SpineFinder(photo: photo).spines(lines, barcodes: []).sorted { $0.box.x < $1.box.x }
    let texts = spines.map { [$0.title, $0.author].compactMap { $0 }.joined(separator: " ") }
    try #require(texts.count == 3)
    #expect(texts.map { $0.contains("1984") } == [true, false, false])
    #expect(texts[1].hasPrefix("The Almanac") && texts[2] == "ON HARBOURS", "\(texts)")
    // Small print at the foot may be in neither field, but stays among the parts.
    #expect(spines[1].parts.contains { $0.text.contains("2002-03") }, "\(spines[1].parts)")
  }

  @Test func anEdgeThatEndsWithTheTextIsAStrokeOfLetters() throws {
    // Paints a pale bar as long as the text, between two lines of one plain spine.
    let photo = try shelf([blue, red, red, blue, red], gap: 0) { x, y in
      (79..<81).contains(x) && (60..<120).contains(y) ? (200, 200, 200) : nil
    }
    let others = [20.0, 140, 180].map { line("A LONG TITLE \(Int($0))", x: $0, y: 220, length: 360) }
    let lines = [
      line("NEAL", x: 90, y: 90, length: 60), line("HOLLOWAY", x: 71, y: 90, length: 60),
    ]
    let shelf = Shelf(photo: photo.raster, lines: others + lines)
    let groups = SpineGrouping(shelf: shelf).groups().map { Set($0.lines.map(\.text)) }
    #expect(groups.contains(["NEAL", "HOLLOWAY"]))
  }

  @Test func copiesSideBySideAreSeveralBooks() throws {
    let photo = try shelf([red, red], gap: 0)
    let lines = [
      line("THE SILENT RIVER", x: 34, y: 200, length: 180),
      line("THE SILENT RlVER", x: 48, y: 200, length: 180),
    ]
    #expect(SpineGrouping(shelf: Shelf(photo: photo.raster, lines: lines)).groups().count == 2)
  }

  @Test func ofCopiesSideBySideEachLineJoinsItsOwn() throws {
    let photo = try shelf([red, red], gap: 0)
    // The two lines of one copy are 13 pixels apart; the closest lines of both copies are 15 apart.
    let texts = ["A SECOND BOOK", "OF WINTER BIRDS", "OF WINTER BIRDS", "A SECOND BOOK"]
    let lines = zip(texts, [41.0, 26, 54, 13]).map {
      line($0, x: $1, y: 200, length: 180, height: 10)
    }
    let shelf = Shelf(photo: photo.raster, lines: lines)
    let groups = SpineGrouping(shelf: shelf).groups().map { Set($0.lines.map(\.region.center.x)) }
    #expect(Set(groups) == [[54, 41], [26, 13]])
  }

  @Test func linesOnDifferentGroundsAreOnTwoBooks() throws {
    // The colour changes from red to blue over 60 pixels, without a step.
    let photo = try shelf([red, blue], gap: 0) { x, _ in
      guard (10..<70).contains(x) else { return nil }
      let share = (Double(x) - 9.5) / 60
      return (UInt8(40 + share * 160), UInt8(40 + share * 20), UInt8(200 - share * 160))
    }
    let lines = [
      line("THE SILENT RIVER", x: 29, y: 200, length: 180), line("ON HARBOURS", x: 52, y: 200, length: 180),
    ]
    let shelf = Shelf(photo: photo.raster, lines: lines)
    #expect(SpineGrouping(shelf: shelf).groups().count == 2)
    let blind = GroundEvidence(apart: 500, unlike: 500)
    #expect(SpineGrouping(shelf: shelf, grounds: blind).groups().count == 1)
  }

  @Test func onOneGroundOnlyAStrongEdgeParts() throws {
    // A strip that differs by 9 levels runs over the whole height, between two lines on one ground.
    let photo = try shelf([red, red], gap: 0) { x, _ in (39..<41).contains(x) ? (49, 49, 209) : nil }
    let lines = [
      line("THE SILENT RIVER", x: 32, y: 200, length: 180, height: 12),
      line("ON HARBOURS", x: 48, y: 200, length: 180, height: 12),
    ]
    let shelf = Shelf(photo: photo.raster, lines: lines)
    #expect(SpineGrouping(shelf: shelf).groups().count == 1)
    #expect(SpineGrouping(shelf: shelf, grounds: GroundEvidence(strongShare: 1)).groups().count == 2)
  }

  @Test func theEdgeThatIsNeededFollowsTheGrounds() {
    let shares = [2.0, 12, 20, 40].map { GroundEvidence().share(ofDifference: $0) }
    #expect(shares == [1.3, 1, 0.7, nil])
  }

  @Test func groundsAreToldByTheirColors() throws {
    // For sRGB red, Lindbloom's conversion (brucelindbloom.com) gives 53.24, 80.09, 67.20.
    let pure = GroundColor(red: 255, green: 0, blue: 0)
    #expect(abs(pure.lightness - 53.24) < 0.1 && abs(pure.a - 80.09) < 0.1 && abs(pure.b - 67.2) < 0.1)
    let white = GroundColor(red: 255, green: 255, blue: 255)
    let black = GroundColor(red: 0, green: 0, blue: 0)
    #expect(abs(white.difference(black) - 100) < 0.1 && white.difference(white) == 0)
    // Letters of another colour in the middle of the line must not affect the ground's colour.
    let photo = try shelf([red]) { x, _ in (18..<24).contains(x) ? (250, 250, 250) : nil }
    let region = line("A", x: 21, y: 200, length: 100, height: 16).region
    let ground = GroundColor(beside: region, in: photo.raster)
    #expect(ground.difference(GroundColor(red: 200, green: 40, blue: 40)) < 0.01)
  }

  @Test func lyingTextSpansItsSpineEitherWay() throws {
    let photo = try shelf([red, blue, red, blue, red])
    // Each line is less than a tenth as long as the long titles. Together the lines span almost a quarter of that length.
    var lines = [21.0, 61, 101].map { line("A LONG TITLE \(Int($0))", x: $0, y: 220, length: 380) }
    lines += [("ON THE", 70.0), ("OLD RIVER", 100), ("BY SEA", 130)].map {
      line($0.0, x: 141, y: $0.1, length: 30, height: 26, angle: 0)
    }
    let records = SpineFinder(photo: photo).measured(lines)
    let lying = try #require(records.first { $0.finding.title == "ON THE OLD RIVER BY SEA" })
    #expect(abs((lying.features[.span] ?? 0) - 86.0 / 380) < 0.01)
  }

  @Test func booksOfAPileBesideStandingOnesAreBooks() throws {
    let photo = try shelf([red, blue, red, blue, red, red, red, red, red, red]) { x, y in
      guard x >= 200 else { return nil }
      return (y / 30).isMultiple(of: 2) ? (60, 90, 90) : (200, 200, 190)
    }
    let standing = [21.0, 61, 101, 141, 181].map {
      line("A TITLE THAT STANDS \(Int($0))", x: $0, y: 220, length: 300)
    }
    let lying = { (text: String, y: Double) in
      line(text, x: 300, y: y, length: 150, height: 14, angle: 0)
    }
    let pile = [lying("THE SILENT RIVER", 405), lying("BIRDS IN WINTER", 375)]
    let titles = { (lines: [TextLine]) in
      books(photo, lines).map(\.title).filter { !$0.contains("STANDS") }
    }
    #expect(Set(titles(standing + pile)) == ["THE SILENT RIVER", "BIRDS IN WINTER"])
    // A single horizontal line may be the text of a sign, so it is no book.
    #expect(titles(standing + pile.prefix(1)).isEmpty)
  }

  @Test func aStickerOverTwoBooksDoesNotJoinThem() throws {
    let photo = try shelf([red, blue])
    let lines = [
      line("THE SILENT RIVER", x: 33, y: 150, length: 180), line("ON HARBOURS", x: 49, y: 150, length: 180),
      line("USED BOOKS", x: 43, y: 252, length: 40, angle: 0),
    ]
    let groups = SpineGrouping(shelf: Shelf(photo: photo.raster, lines: lines)).groups()
    #expect(groups.map { $0.lines.map(\.text) } == [["THE SILENT RIVER"], ["ON HARBOURS", "USED BOOKS"]])
  }

  @Test func aSignBelowTheRowAndWordsCutOffAreNoBooks() throws {
    let photo = try shelf([red, blue, red, blue])
    let lines = [
      line("THE SILENT RIVER", x: 21, y: 150, length: 180), line("ON HARBOURS", x: 61, y: 150, length: 180),
      line("WINTER BIRDS", x: 101, y: 150, length: 180), line("SOCIETY", x: 141, y: 60, length: 120),
      line("796.4 GYMNASTICS AND ATHLETICS", x: 80, y: 428, length: 150, height: 10, angle: 0),
    ]
    let titles = books(photo, lines).map(\.title)
    #expect(Set(titles) == ["THE SILENT RIVER", "ON HARBOURS", "WINTER BIRDS"])
  }

  @Test func thingsKeptApartNeverMeet() {
    var sets = DisjointSets(5, apart: [(0, 3)])
    sets.join(0, 1)
    sets.join(2, 3)
    sets.join(1, 2)
    sets.join(3, 4)
    sets.join(4, 0)
    #expect(sets.groups() == [[0, 1], [2, 3, 4]])
  }

  @Test func aBarcodeOnTheSpineGivesItsISBN() throws {
    let photo = try shelf([red, blue])
    let code = BarcodeFinding(isbn: "9780306406157", box: Box(x: 55, y: 210, width: 10, height: 30))
    let spines = books(
      photo,
      [
        line("ON HARBOURS", x: 61, y: 200, length: 200), line("THE SILENT RIVER", x: 21, y: 150, length: 180),
      ],
      barcodes: [code])
    #expect(spines.first { $0.title == "ON HARBOURS" }?.isbn == "9780306406157")
    #expect(spines.first { $0.title != "ON HARBOURS" }?.isbn == nil)
  }

  /// A single spine does not make a shelf, but with an ISBN it is a book nevertheless.
  @Test func whatHasAnISBNIsABook() throws {
    let photo = try shelf([red, blue])
    let lines = [line("ON HARBOURS", x: 61, y: 200, length: 200, confidence: 0.62)]
    #expect(books(photo, lines).isEmpty)
    let code = BarcodeFinding(isbn: "9780306406157", box: Box(x: 55, y: 210, width: 10, height: 30))
    #expect(books(photo, lines, barcodes: [code]).map(\.certainty) == [.doubtful])
  }

  @Test func aBarcodeBesideNoSpineIsABookWithoutTitle() throws {
    let photo = try shelf([red, blue])
    let box = Box(x: 2, y: 400, width: 10, height: 10)
    let code = BarcodeFinding(isbn: "9780306406157", box: box)
    let lines = [line("ON HARBOURS", x: 61, y: 200, length: 200)]
    let spines = SpineFinder(photo: photo).spines(lines, barcodes: [code, code])
    #expect(spines.map(\.title) == ["ON HARBOURS", ""] && spines.map(\.isbn) == [nil, "9780306406157"])
    #expect(spines[1].confidence == 1 && spines[1].box == box)
  }

  @Test func anISBNHasItsCheckDigitAndPrefix() {
    #expect(BarcodeReader.isISBN("9780306406157"))
    #expect(!BarcodeReader.isISBN("9780306406158"))
    #expect(!BarcodeReader.isISBN("4006381333931"))
    #expect(!BarcodeReader.isISBN("9790060115615"))
  }

  @Test func ofLinesInOnePlaceTheSurerStays() {
    let sure = line("MATCHED", x: 100, y: 100, length: 120)
    let other = line("GHIV", x: 102, y: 104, length: 110, angle: 270, confidence: 0.6)
    #expect(DirectionDecision.withoutOverlaps([other, sure]) == [sure])
    let far = line("ELSEWHERE", x: 300, y: 100, length: 120)
    #expect(DirectionDecision.withoutOverlaps([sure, far]).count == 2)
  }

  @Test func whatASureLineCoversIsNotReadAgain() {
    let sure = line("MATCHED", x: 100, y: 100, length: 120).region
    let part = line("CHED", x: 101, y: 120, length: 70).region
    // One region extends beyond the sure line, and the other is elsewhere.
    let longer = line("MATCHED AGAIN", x: 100, y: 150, length: 230).region
    let far = line("ELSEWHERE", x: 300, y: 100, length: 120).region
    #expect(DirectionDecision.uncovered([part, longer, far], by: [sure]) == [longer, far])
  }
}

@Suite struct RectifierTests {
  @Test(arguments: [0.0, 90, 180, 270, 20]) func aLineIsCutOutUpright(_ angle: Double) throws {
    // Draws four bars across the line on a dark ground, the first one brightest.
    let region = TextRegion(center: Point(x: 150, y: 150), length: 160, height: 48, angle: angle)
    let size = PixelSize(width: 300, height: 300)
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    let base = image.planes[0].base.assumingMemoryBound(to: UInt8.self)
    for y in 0..<300 {
      for x in 0..<300 {
        let offset = Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - region.center
        let (t, s) = (offset.dot(region.along), offset.dot(region.down))
        let isTopHalf = s < 0
        let value = abs(t) < 80 && abs(s) < 24 && isTopHalf ? 250 - 60 * UInt8((t + 80) / 40) : 10
        let pixel = base + y * image.planes[0].bytesPerRow + x * 4
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (value, value, value, 255)
      }
    }
    let photo = try UprightPhoto(image, orientation: .upright)
    #expect(LineRectifier.width(of: region) == 160)
    let luma = LineRectifier(photo: photo.raster).luma(region, width: 160)
    for (bar, expected) in [250, 190, 130, 70].enumerated() {
      #expect(abs(Int(luma[12 * 160 + 20 + 40 * bar]) - expected) < 4)
      #expect(luma[36 * 160 + 20 + 40 * bar] < 16)
    }
  }

  @Test func faintPrintIsSpread() {
    let width = 40
    var planes = (0..<(3 * 48 * width)).map { Float($0 % 2 == 0 ? 0.1 : 0.3) }
    planes.withUnsafeMutableBufferPointer {
      LineRectifier.stretch($0.baseAddress!, width: width, rowLength: width)
    }
    #expect((planes.max() ?? 0) - (planes.min() ?? 0) > 0.7)
  }
}
