import Imagery
import Testing

@testable import BookScan

/// A drawn shelf: flat spines side by side with dark gaps, 40 pixels wide and 400 high.
private func shelf(_ colors: [(UInt8, UInt8, UInt8)], gap: Int = 3) throws -> UprightPhoto {
  let size = PixelSize(width: 40 * colors.count, height: 440)
  let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
  let base = image.planes[0].base.assumingMemoryBound(to: UInt8.self)
  for y in 0..<size.height {
    for x in 0..<size.width {
      let color = x % 40 < gap || y < 20 || y >= 420 ? (5, 5, 5) : colors[x / 40]
      let pixel = base + y * image.planes[0].bytesPerRow + x * 4
      (pixel[0], pixel[1], pixel[2], pixel[3]) = (color.0, color.1, color.2, 255)
    }
  }
  return try UprightPhoto(image, orientation: .upright)
}

private func line(
  _ text: String, x: Double, y: Double, length: Double, height: Double = 14, angle: Double = 90,
  confidence: Double = 0.99
) -> TextLine {
  TextLine(
    text: text, confidence: confidence,
    region: TextRegion(center: Point(x: x, y: y), length: length, height: height, angle: angle))
}

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
    let spines = SpineFinder(photo: photo).spines(lines, barcodes: []).sorted { $0.box.x < $1.box.x }
    #expect(spines.map(\.title) == ["THE SILENT RIVER", "A SECOND BOOK OF WINTER BIRDS", "ON HARBOURS"])
    #expect(spines.map(\.author) == ["Jane Holloway", nil, nil])
    #expect(spines.map(\.angle) == [90, 90, 270])
  }

  @Test func anEdgeKeepsNeighboursApart() throws {
    let photo = try shelf([red, red])
    // Close side by side, but over the gap between two books.
    let lines = [
      line("THE SAME TITLE", x: 33, y: 200, length: 180), line("THE SAME TITLE", x: 49, y: 200, length: 180),
    ]
    #expect(SpineFinder(photo: photo).spines(lines, barcodes: []).count == 2)
    let plain = try shelf([red, red], gap: 0)
    #expect(SpineGrouping(photo: plain.raster).groups(lines).count == 1)
  }

  @Test func textWithoutSpinesAroundItIsNoBook() throws {
    let size = PixelSize(width: 600, height: 400)
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    let bytes = image.planes[0].bytesPerRow * size.height
    image.planes[0].base.initializeMemory(as: UInt8.self, repeating: 235, count: bytes)
    let photo = try UprightPhoto(image, orientation: .upright)
    let lines = [line("Buy more chalk", x: 300, y: 200, length: 220, height: 40, angle: 0)]
    #expect(SpineFinder(photo: photo).spines(lines, barcodes: []).isEmpty)
  }

  @Test func shelfMarksAreNoTitles() throws {
    let photo = try shelf([red, blue])
    let lines = [
      line("796.42 Mor", x: 21, y: 300, length: 80), line("ON HARBOURS", x: 61, y: 200, length: 200),
    ]
    #expect(SpineFinder(photo: photo).spines(lines, barcodes: []).map(\.title) == ["ON HARBOURS"])
  }

  @Test func aBarcodeOnTheSpineGivesItsISBN() throws {
    let photo = try shelf([red, blue])
    let code = BarcodeFinding(isbn: "9780306406157", box: Box(x: 55, y: 210, width: 10, height: 30))
    let spines = SpineFinder(photo: photo).spines(
      [
        line("ON HARBOURS", x: 61, y: 200, length: 200), line("THE SILENT RIVER", x: 21, y: 150, length: 180),
      ],
      barcodes: [code])
    #expect(spines.first { $0.title == "ON HARBOURS" }?.isbn == "9780306406157")
    #expect(spines.first { $0.title != "ON HARBOURS" }?.isbn == nil)
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
}

@Suite struct RectifierTests {
  @Test(arguments: [0.0, 90, 180, 270, 20]) func aLineIsCutOutUpright(_ angle: Double) throws {
    // Four bars across the line, the first the brightest, on a dark ground.
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
