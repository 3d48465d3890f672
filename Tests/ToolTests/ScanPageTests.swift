import BookScan
import Console
import Foundation
import Imagery
import ScanStation
import Testing

@testable import swiftwing_tool

/// The page of `scan --photos --page`.
@Suite struct ScanPageTests {
  private func spine(
    _ title: String, _ certainty: Certainty = .sure, x: Double = 20, confidence: Double = 0.9,
    author: String? = nil
  ) -> SpineFinding {
    let region = TextRegion(center: Point(x: x, y: 100), length: 120, height: 16, angle: 90)
    return SpineFinding(
      title: title, author: author, isbn: nil, confidence: confidence, certainty: certainty, box: region.box,
      angle: 90, outline: region.corners)
  }

  private func findings(_ spines: [SpineFinding], unlikely: [SpineFinding] = []) -> PhotoFindings {
    PhotoFindings(
      recognizer: "Reader <1>", size: PixelSize(width: 320, height: 240), lines: [], spines: spines,
      unlikely: unlikely)
  }

  /// Returns a photo.
  /// - Parameter noise: whether the picture is large and full of noise, so that it hardly compresses.
  private func photo(noise: Bool = false) throws -> [UInt8] {
    let size = noise ? PixelSize(width: 2400, height: 1800) : PixelSize(width: 320, height: 240)
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    var state: UInt64 = 7
    let plane = image.planes[0]
    for index in 0..<plane.byteCount {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = noise ? UInt8(truncatingIfNeeded: state >> 33) : 90
      plane.base.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
    }
    let settings = PhotoSettings(longSide: nil, maximumLongSide: 4000, maximumBytes: nil)
    return try PhotoPipeline().process(image, orientation: .upright, settings: settings).bytes
  }

  private func page(_ findings: PhotoFindings...) throws -> String {
    var page = ScanPage(photos: findings.count)
    for one in findings { page.add("shelf.jpg", bytes: try photo(), one) }
    return page.html
  }

  @Test func whatWasReadIsEscaped() throws {
    let bad = #"<script>alert("1")</script>"#
    var page = ScanPage(photos: 2)
    page.add(#"<a" onload="x">.jpg"#, bytes: try photo(), findings([spine(bad, author: #"'"><img src=x>"#)]))
    page.fail("cannot read <b>.jpg")
    let html = page.html
    #expect(!html.contains("<script") && !html.contains("<img src=x") && !html.contains(#"onload="x""#))
    #expect(
      html.contains("&lt;script&gt;alert(&quot;1&quot;)") && html.contains("&#39;&quot;&gt;&lt;img src=x&gt;")
    )
    #expect(html.contains("cannot read &lt;b&gt;.jpg") && html.contains("Reader &lt;1&gt;"))
    #expect(html.contains("default-src 'none'"))
  }

  @Test func everySpineHasAnOutlineARowAndACrop() throws {
    let html = try page(
      findings(
        [spine("Second", x: 90), spine("First", x: 20)], unlikely: [spine("Poster", .unlikely, x: 200)]))
    #expect(html.contains(#"<li id="p1-s1" class="r1 sure">"#) && html.contains(#"id="p1-o3""#))
    #expect(html.contains(#"points="98,40 98,160 82,160 82,40""#))
    #expect(html.components(separatedBy: #"<div class="crop"><img "#).count - 1 == 3)
    #expect(html.contains("<h1>2 books</h1>") && html.contains("1 probably not a book"))
    // Spines are numbered from left to right, whatever the order of the findings.
    let (first, second) = (
      try #require(html.range(of: "<b>First")), try #require(html.range(of: "<b>Second"))
    )
    #expect(first.lowerBound < second.lowerBound && html.contains(".o3 .edge"))
  }

  @Test func whatIsDoubtfulComesFirst() throws {
    let html = try page(
      findings(
        [spine("Sure"), spine("Odd", .doubtful, x: 200, confidence: 0.417)],
        unlikely: [spine("No", .unlikely, x: 1)]))
    let places = try ["<b>Odd", "<b>Sure", "<b>No"].map { try #require(html.range(of: $0)).lowerBound }
    #expect(places == places.sorted())
    #expect(html.contains("look at it <span>42 %</span>") && html.contains(">2?</text>"))
    #expect(html.contains("1 to look at") && html.contains("2 books · 1 sure · 1 look at it · 1 not a book"))
  }

  /// Spines that are probably no books are numbered after all books.
  @Test func booksAreNumberedBeforeTheRest() throws {
    let html = try page(findings([spine("Book", x: 200)], unlikely: [spine("Poster", .unlikely, x: 20)]))
    #expect(
      html.contains(#"<li id="p1-s1" class="r1 sure">"#)
        && html.contains(#"<li id="p1-s2" class="r2 unlikely">"#))
  }

  @Test func aRecogniserIsNamedOnce() throws {
    var page = ScanPage(photos: 2)
    for name in ["PP on X", "PP on X, Cyrillic by T"] {
      var found = findings([spine("A")])
      found.recognizer = name
      page.add("a.jpg", bytes: try photo(), found)
    }
    #expect(page.html.contains("<p>read by PP on X, Cyrillic by T</p>"))
  }

  /// The numbers of sixty spines side by side on a wide photograph, some of them small, do not overlap.
  @Test func numbersDoNotOverlap() {
    let size = PixelSize(width: 4000, height: 3000)
    let outlines = (0..<60).map { index in
      let (x, height) = (60 + Double(index) * 64, index.isMultiple(of: 7) ? 240.0 : 1400)
      return (
        mark: "\(index + 1)?",
        corners: [
          Point(x: x, y: 800), Point(x: x + 60, y: 800), Point(x: x + 60, y: 800 + height),
          Point(x: x, y: 800 + height),
        ]
      )
    }
    let (places, letter) = (ScanPageLabels(outlines, on: size).places, Double(ScanPageLabels.letter(size)))
    #expect(places.count == 60 && letter * 375 / 4000 >= 9)
    for (index, place) in places.enumerated() {
      for (other, second) in places.enumerated() where other > index {
        let width = 0.6 * Double(outlines[index].mark.count + outlines[other].mark.count) / 2 * letter
        #expect(
          abs(place.x - second.x) >= width || abs(place.y - second.y) >= letter,
          "\(index + 1) and \(other + 1)")
      }
    }
    #expect(ScanPageLabels([("1", [])], on: size).places.count == 1)
    #expect(ScanPageLabels([("1", [Point(x: .nan, y: .infinity)])], on: size).places.count == 1)
  }

  @Test(arguments: [(0.0, 0), (0.994, 99), (0.999, 99), (1, 100), (1.7, 100), (-1, 0), (.nan, 0)])
  func onlyWhatIsSureIsAHundredPerCent(_ share: Double, _ percent: Int) {
    #expect(SpineRow.percent(share) == percent)
  }

  @Test func aBookOfWhichOnlyTheBarcodeWasReadSaysSo() throws {
    var book = spine("")
    book.isbn = "9780306406157"
    let html = try page(findings([book]))
    #expect(html.contains("(title not read)") && html.contains("ISBN 9780306406157"))
  }

  @Test func rowsAreNumberedBeforeColumns() {
    func at(_ title: String, _ x: Double, _ y: Double, _ height: Double) -> SpineFinding {
      SpineFinding(
        title: title, confidence: 1, box: Box(x: x, y: y, width: 10, height: height), angle: 0)
    }
    let spines = [
      at("d", 5, 210, 80), at("b", 40, 30, 60), at("c", 80, 0, 100), at("a", 1, 10, 90), at("e", 60, 200, 95),
    ]
    #expect(ShelfOrder.sorted(spines).map(\.title) == ["a", "b", "c", "d", "e"])
    // A label on the board between two shelves is no row of books.
    let label = Box(x: 10, y: 150, width: 40, height: 10)
    let rows = ShelfOrder.rows(spines.map(\.box) + [label]) { $0 < spines.count }
    #expect(rows == [[3, 1, 2], [0, 4], [5]])
  }

  /// The pictures are of the largest size, and have more spines than a photo usually has.
  @Test func twentyPhotographsStayBelowTenMegabytes() throws {
    let photo = try photo(noise: true)
    let spines = (0..<60).map { index in
      let region = TextRegion(
        center: Point(x: 40 + Double(index) * 38, y: 900), length: 1500, height: 34, angle: 90)
      return SpineFinding(
        title: "A title of some length", confidence: 1, box: region.box, angle: 90, outline: region.corners)
    }
    var found = findings(spines)
    found.size = PixelSize(width: 2400, height: 1800)
    let budget = ScanPageBudget(photos: 20)
    let section = ScanPageSection("a.jpg", place: 1, found)
    let html = section.html(ScanPictures(photo, of: section, within: budget))
    #expect(html.utf8.count < 500_000 && html.contains("data:image/jpeg"))
  }

  @Test func aPhotographThatCannotBeShownHasItsListAllTheSame() throws {
    var page = ScanPage(photos: 1)
    page.add("a.jpg", bytes: [1, 2, 3], findings([spine("Still here")]))
    #expect(page.html.contains("No picture: ") && page.html.contains("Still here"))
    #expect(!page.html.contains("<svg"))
  }

  @Test func aPageNeverTakesThePlaceOfAPhotograph() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let photo = folder.appending(path: "a.jpg").path
    try Data(try self.photo()).write(to: URL(filePath: photo))
    #expect(throws: DestinationError.self) { try ScanPageOutput(photo, madeOf: [photo]) }
    let list = folder.appending(path: "list.csv").path
    try Data("title\n".utf8).write(to: URL(filePath: list))
    #expect(throws: DestinationError.self) { try ScanPageOutput(list, madeOf: [photo], [list]) }
    let many = Array(repeating: "x.jpg", count: ScanPageBudget.photoLimit + 1)
    #expect(throws: (any Error).self) { try ScanPageOutput("\(folder.path)/p.html", madeOf: many) }
    var output = try ScanPageOutput("\(folder.path)/p.html", madeOf: [photo])
    try output.add(photo, findings([spine("Here")]))
    try output.write()
    #expect(try String(contentsOfFile: "\(folder.path)/p.html", encoding: .utf8).contains("<b>Here</b>"))
    let nowhere = try ScanPageOutput("\(folder.path)/no/p.html", madeOf: [photo])
    let error = #expect(throws: PhotoFileError.self) { try nowhere.write() }
    #expect(error?.isUnwritten ?? false)
    let told = try #require(error).description
    #expect(told.hasSuffix("(no such file or directory); check the name and the permissions."))
    let full = PhotoFileError(writing: "p.html", code: ENOSPC)
    #expect(full.isUnwritten && full.description.contains("(no space left on device); free some space, or"))
  }
}
