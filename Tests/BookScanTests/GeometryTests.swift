import Imagery
import Testing

@testable import BookScan

@Suite struct TextRegionTests {
  @Test func anglesTurnTheReadingDirection() {
    let down = TextRegion(center: Point(x: 50, y: 50), length: 40, height: 20, angle: 90)
    #expect(abs(down.along.y - 1) < 1e-9 && abs(down.down.x + 1) < 1e-9)
    // When text reads downwards, its top is on the right.
    #expect(abs(down.corners[0].x - 60) < 1e-9 && abs(down.corners[0].y - 30) < 1e-9)
    #expect(TextRegion(center: .init(x: 0, y: 0), length: 1, height: 1, angle: -90).angle == 270)
    #expect(TextRegion.difference(350, 10) == 20)
  }

  @Test func intersectionsAreAreas() {
    let region = TextRegion(center: Point(x: 50, y: 50), length: 40, height: 20, angle: 0)
    #expect(abs(region.intersection(region.reversed) - 800) < 1e-6)
    var other = region
    other.center.x += 20
    #expect(abs(region.intersection(other) - 400) < 1e-6)
    other.angle = 90
    other.center.x = 50
    #expect(abs(region.intersection(other) - 400) < 1e-6)
    other.center.x = 100
    #expect(region.intersection(other) == 0)
  }
}

@Suite struct MapDecodingTests {
  /// Returns a map with a filled, rotated rectangle.
  private func map(_ region: TextRegion, width: Int, height: Int) -> TextMap {
    var map = TextMap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let offset = Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - region.center
        let isInside =
          abs(offset.dot(region.along)) <= region.length / 2
          && abs(offset.dot(region.down)) <= region.height / 2
        map.bytes[y * width + x] = isInside ? 230 : 10
      }
    }
    return map
  }

  @Test(arguments: [0.0, 20, -35, 90]) func aBarIsFoundWithItsAngle(_ angle: Double) throws {
    let bar = TextRegion(center: Point(x: 100, y: 90), length: 80, height: 12, angle: angle)
    let areas = ConnectedComponents().areas(of: map(bar, width: 200, height: 180))
    #expect(areas.count == 1)
    let found = try #require(areas.first).region
    #expect(abs(found.center.x - 100) < 1.5 && abs(found.center.y - 90) < 1.5)
    let tilt = min(TextRegion.difference(found.angle, angle), TextRegion.difference(found.angle, angle + 180))
    #expect(tilt < 3)
    // Each side is moved outwards by area × 1.6 / perimeter, about 8.3 here.
    #expect(abs(found.height - 12 - 16.7) < 3 && abs(found.length - 80 - 16.7) < 3)
  }

  @Test func faintAndTinyAreasAreNotText() {
    var map = TextMap(width: 100, height: 100)
    for x in 10..<60 { for y in 10..<20 { map.bytes[y * 100 + x] = 80 } }
    for x in 70..<72 { for y in 70..<72 { map.bytes[y * 100 + x] = 255 } }
    #expect(ConnectedComponents().areas(of: map).isEmpty)
  }

  @Test func tilesCoverWithOverlap() {
    #expect(TextDetector.tiles(width: 1200, height: 900) == [.init(x: 0, y: 0, width: 1200, height: 900)])
    let tiles = TextDetector.tiles(width: 3200, height: 1700)
    for tile in tiles { #expect(tile.width <= 1600 && tile.height <= 1600) }
    #expect(tiles.map { $0.x + $0.width }.max() == 3200 && tiles.map { $0.y + $0.height }.max() == 1700)
    let columns = Set(tiles.map(\.x)).sorted()
    for (left, right) in zip(columns, columns.dropFirst()) { #expect(left + tiles[0].width - right >= 160) }
  }

  @Test func theDetectorSeesColorsAsItWasTrained() throws {
    // PaddleOCR's NormalizeImage: (value / 255 - mean) / deviation, with the channels in the pixels' order.
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 40, height: 8), color: .jpeg)
    let image = try PixelBufferPool().makeBuffer(format)
    let base = image.planes[0].base.assumingMemoryBound(to: UInt8.self)
    for y in 0..<8 {
      for x in 0..<40 {
        let pixel = base + y * image.planes[0].bytesPerRow + x * 4
        pixel[0] = 255
        pixel[1] = UInt8(x)
        pixel[2] = 0
        pixel[3] = 255
      }
    }
    var input = [Float](repeating: 9, count: 3 * 32 * 32)
    let raster = try UprightPhoto(image, orientation: .upright).raster
    input.withUnsafeMutableBufferPointer {
      guard let start = $0.baseAddress else { return }
      TextDetector.write(.init(x: 8, y: 1, width: 30, height: 7), of: raster, to: start, 32, 32)
    }
    let plane = 32 * 32
    let seen = [0, plane, plane + 6 * 32 + 29, 2 * plane].map { Double(input[$0]) }
    let wanted: [Double] = [2.2489, (8.0 / 255 - 0.456) / 0.224, (37.0 / 255 - 0.456) / 0.224, -1.8044]
    for (value, truth) in zip(seen, wanted) { #expect(abs(value - truth) < 1e-3) }
    // Nothing is written beyond the tile.
    #expect(input[30] == 9 && input[7 * 32] == 9)
  }

  @Test func aSmallPhotoIsLookedAtLessOften() {
    let scales = { (side: Int) in RecognitionPlan(.accurate).scales(longSide: side) }
    #expect(scales(4800) == [0.2, 0.5])
    #expect(scales(400) == [2])
  }

  @Test func batchesHoldEveryLineOnce() {
    let widths = [100, 2400, 90, 700, 650, 30, 640, 95, 2000, 64]
    let batches = LineReader.batches(widths)
    #expect(batches.joined().sorted() == Array(widths.indices))
    for batch in batches {
      let widest = batch.map { widths[$0] }.max() ?? 0
      #expect(batch.count == 1 || batch.count * widest <= 3200)
    }
  }
}
