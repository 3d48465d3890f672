import Imagery
import Testing

@testable import BookScan

/// Drawn pictures with text, but without a shelf.
@Suite struct NoBookTests {
  private typealias Color = (UInt8, UInt8, UInt8)

  /// Returns a picture of a plain ground with boxes on it.
  private func picture(
    _ width: Int, _ height: Int, ground: Color, boxes: [(x: Range<Int>, y: Range<Int>, color: Color)] = []
  ) throws -> UprightPhoto {
    let format = ImageFormat(
      pixelFormat: .bgra, size: PixelSize(width: width, height: height), color: .jpeg)
    let image = try PixelBufferPool().makeBuffer(format)
    let base = image.planes[0].base.assumingMemoryBound(to: UInt8.self)
    for y in 0..<height {
      for x in 0..<width {
        let color = boxes.last { $0.x.contains(x) && $0.y.contains(y) }?.color ?? ground
        let pixel = base + y * image.planes[0].bytesPerRow + x * 4
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (color.0, color.1, color.2, 255)
      }
    }
    return try UprightPhoto(image, orientation: .upright)
  }

  private func level(_ text: String, x: Double, y: Double, length: Double, height: Double) -> TextLine {
    line(text, x: x, y: y, length: length, height: height, angle: 0)
  }

  @Test func aPosterHasNoBooks() throws {
    let photo = try picture(
      900, 1200, ground: (190, 180, 170), boxes: [(150..<750, 80..<1120, (90, 20, 140))])
    let lines = [
      level("GRAND OPENING", x: 450, y: 200, length: 480, height: 90),
      level("Live music all night", x: 450, y: 330, length: 300, height: 34),
      level("SATURDAY", x: 450, y: 520, length: 400, height: 120),
      level("Doors open at eight", x: 450, y: 700, length: 260, height: 30),
      level("Tickets at the counter", x: 450, y: 1000, length: 340, height: 40),
    ]
    let found = books(photo, lines, isShelf: false)
    #expect(found.isEmpty, "\(found)")
  }

  @Test func aPageOfTextHasNoBooks() throws {
    let photo = try picture(
      900, 1200, ground: (70, 80, 90), boxes: [(60..<840, 60..<1140, (235, 240, 242))])
    let lines = (0..<24).map {
      level(
        "the winter market of that year was small", x: 450, y: 120 + 40 * Double($0), length: 640, height: 22)
    }
    let found = books(photo, lines, isShelf: false)
    #expect(found.isEmpty, "\(found)")
  }

  @Test func aScreenOfCodeHasNoBooks() throws {
    let photo = try picture(1200, 900, ground: (40, 40, 40), boxes: [(60..<1140, 60..<840, (40, 32, 30))])
    let lines = (0..<20).map { row in
      let indent = 40.0 * Double(row % 4)
      return level(
        "let value = market(signal)", x: 300 + indent, y: 110 + 34 * Double(row), length: 360, height: 20)
    }
    let found = books(photo, lines, isShelf: false)
    #expect(found.isEmpty, "\(found)")
  }

  @Test func lidsOfBoxesOnATableHaveNoSureBooks() throws {
    let lids: [(x: Range<Int>, y: Range<Int>, color: Color)] = [
      (60..<420, 80..<480, (200, 60, 40)), (480..<900, 60..<400, (40, 160, 60)),
      (200..<640, 540..<860, (40, 40, 200)),
      (700..<1120, 480..<820, (30, 180, 200)),
    ]
    let photo = try picture(1200, 900, ground: (110, 140, 160), boxes: lids)
    let lines = [
      level("HARBOUR", x: 240, y: 150, length: 300, height: 80),
      level("KINGS", x: 240, y: 250, length: 200, height: 90),
      level("2-4 players", x: 200, y: 450, length: 120, height: 20),
      level("MOON", x: 690, y: 130, length: 260, height: 90),
      level("Traders", x: 690, y: 230, length: 280, height: 70),
      level("Jungle Duel", x: 420, y: 640, length: 380, height: 80),
      level("ages ten and up", x: 340, y: 830, length: 160, height: 20),
      level("PIRATE", x: 900, y: 570, length: 300, height: 90),
      level("COVE", x: 900, y: 680, length: 240, height: 90),
    ]
    #expect(
      !books(photo, lines, isShelf: false).contains { $0.certainty == .sure },
      "\(books(photo, lines, isShelf: false))")
  }

  private func row(_ count: Int) throws -> [SpineFinding] {
    let colors: [Color] = (0..<count).map { $0 % 2 == 0 ? (40, 40, 200) : (200, 60, 40) }
    let titles = [
      "THE SILENT RIVER", "ON OLD HARBOURS", "WINTER BIRDS OF THE NORTH", "A SECOND BOOK",
      "THE LONG ROAD HOME", "GARDENS OF STONE",
    ]
    let lines = (0..<count).map {
      line(titles[$0 % 6], x: 21 + 40 * Double($0), y: 210, length: 260, height: 22, confidence: 0.995)
    }
    return books(try shelf(colors), lines, isShelf: false)
  }

  /// The test only asks whether these are books: whether each is more likely one than not. They have no author, which makes a record less certain,
  /// and `sure` would judge title and author together.
  @Test func aRowOfBooksIsOfBooksAndAShortOneIsLookedAt() throws {
    let (long, short) = (try row(24), try row(6))
    #expect(long.count == 24 && long.allSatisfy { $0.confidence > 0.5 }, "\(long.map(\.confidence))")
    #expect(short.count == 6, "\(short.map(\.confidence))")
  }
}
