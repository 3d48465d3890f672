import Imagery
import Testing

@testable import BookScan

@Suite struct LineExtensionTests {
  /// Returns a grey page with vertical strokes at these x, 4 pixels wide and 20 high around y = 50.
  private func page(_ strokes: [Int]) throws -> Raster {
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 400, height: 100), color: .jpeg)
    let image = try PixelBufferPool().makeBuffer(format)
    let base = image.planes[0].base.assumingMemoryBound(to: UInt8.self)
    for y in 0..<100 {
      for x in 0..<400 {
        let isInk = (40..<60).contains(y) && strokes.contains { ($0..<$0 + 4).contains(x) }
        let pixel = base + y * image.planes[0].bytesPerRow + x * 4
        for color in 0..<3 { pixel[color] = isInk ? 90 : 120 }
        pixel[3] = 255
      }
    }
    return try UprightPhoto(image, orientation: .upright).raster
  }

  private func line(_ text: String = "words", from: Double, to: Double, confidence: Double = 0.95) -> TextLine
  {
    TextLine(
      text: text, confidence: confidence,
      region: TextRegion(center: Point(x: (from + to) / 2, y: 50), length: to - from, height: 24, angle: 0))
  }

  /// Grows the first of the lines.
  /// - Returns: the left and the right end of the grown line; nil if it does not grow.
  private func grown(_ lines: [TextLine], _ strokes: [Int]) throws -> (Double, Double)? {
    try LineGrowth(photo: page(strokes)).grown(0, lines).map(\.region).map {
      ($0.center.x - $0.length / 2, $0.center.x + $0.length / 2)
    }
  }

  @Test func aLineGrowsAsFarAsStrokesFollow() throws {
    let words = [100, 110, 120, 130, 140]
    let ends = try #require(try grown([line(from: 96, to: 150)], words + [165, 175, 185, 195, 300]))
    #expect(ends.0 == 96 && ends.1 > 199 && ends.1 < 225)
    let before = try #require(try grown([line(from: 96, to: 150)], words + [60, 70, 80]))
    #expect(before.0 > 36 && before.0 < 60 && before.1 == 150)
  }

  @Test func whatIsNewIsKnownByItself() throws {
    let lines = [line(from: 196, to: 250)]
    let strokes = [160, 170, 180, 200, 210, 220, 230, 240, 260, 270]
    let grown = try #require(try LineGrowth(photo: page(strokes)).grown(0, lines))
    let ends = grown.ends.map { ($0.center.x - $0.length / 2, $0.center.x + $0.length / 2) }
    let whole = (
      grown.region.center.x - grown.region.length / 2, grown.region.center.x + grown.region.length / 2
    )
    // The new ends overlap the known line by half its height, 12 pixels.
    try #require(ends.count == 2)
    #expect(abs(ends[0].0 - whole.0) < 1e-9 && abs(ends[0].1 - 208) < 1e-9)
    #expect(abs(ends[1].0 - 238) < 1e-9 && abs(ends[1].1 - whole.1) < 1e-9)
  }

  @Test func onFreeGroundALineStays() throws {
    #expect(try grown([line(from: 96, to: 150)], [100, 110, 120, 130, 140]) == nil)
    // A stroke two line heights away does not belong to the line.
    #expect(try grown([line(from: 96, to: 150)], [100, 110, 120, 130, 140, 200, 210]) == nil)
  }

  @Test func aLineEndsBeforeTheNext() throws {
    let strokes = [100, 110, 120, 130, 140, 160, 170, 180, 190, 200, 210, 220]
    let ends = try #require(try grown([line(from: 96, to: 150), line(from: 190, to: 230)], strokes))
    #expect(ends.1 <= 190)
    // A line above or below does not stop the growth.
    var beside = line(from: 190, to: 230)
    beside.region.center.y = 90
    let free = try #require(try grown([line(from: 96, to: 150), beside], strokes))
    #expect(free.1 > 220)
  }

  @Test func unsureOrShortLinesStay() throws {
    let strokes = [100, 110, 120, 130, 140, 160, 170, 180]
    #expect(try grown([line(from: 96, to: 150, confidence: 0.5)], strokes) == nil)
    #expect(try grown([line("ab", from: 96, to: 150)], strokes) == nil)
    #expect(try grown([line(from: 96, to: 150)], strokes) != nil)
  }

  @Test(arguments: [
    ("chasing yesterday", 0.98, true),
    // The new text must have at least two letters more.
    ("chasings", 0.98, false),
    // The text differs, or is less confident.
    ("chestnut yesterday", 0.98, false),
    ("chasing yesterday", 0.8, false),
    // The additional text consists of no words.
    ("chasing bcdfghjk rrrrt", 0.98, false),
  ]) func aGrownLineSaysTheSameAndMore(text: String, confidence: Double, isMore: Bool) {
    let (old, new) = (line("chasing", from: 0, to: 80), line(text, from: 0, to: 160, confidence: confidence))
    #expect(LineExtension.saysMore(new, than: old, least: 0.85) == isMore)
  }

  @Test func scrapsAtTheEndsAreDropped() {
    #expect(LineExtension.withoutScraps("S U THE VILE VILLAGE", besides: "THE VILE") == "THE VILE VILLAGE")
    #expect(LineExtension.withoutScraps("AT HOME IN 12", besides: "AT HOME") == "AT HOME")
    #expect(LineExtension.withoutScraps("I", besides: "") == "")
  }
}
