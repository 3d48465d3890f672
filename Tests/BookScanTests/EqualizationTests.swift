import Imagery
import Testing

@testable import BookScan

@Suite struct EqualizationTests {
  /// A picture of any colours, the same each time.
  private func picture(width: Int, height: Int) throws -> Raster {
    let format = ImageFormat(
      pixelFormat: .bgra, size: PixelSize(width: width, height: height), color: .jpeg)
    let image = try PixelBufferPool().makeBuffer(format)
    let base = image.planes[0].base.assumingMemoryBound(to: UInt8.self)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = base + y * image.planes[0].bytesPerRow + x * 4
        pixel[0] = UInt8((x * x + 3 * y) % 90 + 100)
        pixel[1] = UInt8(x < width / 2 ? 140 + (x ^ y) % 7 : (x * y) % 256)
        pixel[2] = UInt8(y * 255 / height)
        pixel[3] = 255
      }
    }
    return try UprightPhoto(image, orientation: .upright).raster
  }

  /// The method as its author tells it, a pixel at a time and in floating point.
  private struct Plain {
    let raster: Raster
    let tiles: Int
    let clip: Double

    func level(_ x: Int, _ y: Int, _ color: Int) -> Double {
      let (columns, rows) = (tiles(x, raster.width), tiles(y, raster.height))
      var sum = 0.0
      for (column, columnWeight) in columns {
        for (row, rowWeight) in rows where columnWeight * rowWeight > 0 {
          sum += columnWeight * rowWeight * mapped(value(x, y, color), column, row, color)
        }
      }
      return sum
    }

    private func value(_ x: Int, _ y: Int, _ color: Int) -> Int {
      Int(raster.base[y * raster.bytesPerRow + x * 4 + color])
    }

    private func tiles(_ position: Int, _ length: Int) -> [(Int, Double)] {
      let place = (Double(position) + 0.5) * Double(tiles) / Double(length) - 0.5
      let lower = place.rounded(.down)
      return [(lower, 1 - (place - lower)), (lower + 1, place - lower)].map {
        (min(max(Int($0.0), 0), tiles - 1), $0.1)
      }
    }

    private func mapped(_ value: Int, _ column: Int, _ row: Int, _ color: Int) -> Double {
      let xs = (column * raster.width / tiles)..<((column + 1) * raster.width / tiles)
      let ys = (row * raster.height / tiles)..<((row + 1) * raster.height / tiles)
      var counts = [Double](repeating: 0, count: 256)
      for y in ys { for x in xs { counts[self.value(x, y, color)] += 1 } }
      let area = Double(xs.count * ys.count)
      let most = max(1, (clip * area / 256).rounded(.down))
      let excess = counts.reduce(0) { $0 + max(0, $1 - most) }
      let shared = counts.map { min($0, most) + excess / 256 }
      return shared[...value].reduce(0, +) * 255 / area
    }
  }

  @Test(arguments: [(97, 61, 4, 3.0), (64, 48, 16, 4), (200, 30, 7, 1), (5, 3, 16, 4)])
  func itIsWhatAPlainImplementationGives(_ width: Int, _ height: Int, _ tiles: Int, _ clip: Double) throws {
    let raster = try picture(width: width, height: height)
    let equalised = try ContrastEqualization(tiles: tiles, clip: clip).applied(to: raster)
    // A picture narrower than the tiles are many has fewer; the plain one is not asked of it.
    guard width >= tiles, height >= tiles else { return }
    let plain = Plain(raster: raster, tiles: tiles, clip: clip)
    let leastArea = Double((width / tiles) * (height / tiles))
    // Whole counts are shared here, and parts of them there.
    let tolerance = 2 + 255 / leastArea
    for y in 0..<height {
      for x in 0..<width {
        for color in 0..<3 {
          let level = Double(equalised.base[y * equalised.bytesPerRow + x * 4 + color])
          try #require(abs(level - plain.level(x, y, color)) <= tolerance)
        }
      }
    }
  }

  @Test func faintPrintStandsOut() throws {
    let raster = try picture(width: 160, height: 120)
    let equalised = try ContrastEqualization(tiles: 4).applied(to: raster)
    // Green of the left half spans 7 levels.
    let levels = { (raster: Raster) in
      Set((0..<40).map { raster.base[60 * raster.bytesPerRow + $0 * 4 + 1] }).sorted()
    }
    let (before, after) = (levels(raster), levels(equalised))
    let spread = { (levels: [UInt8]) in Int(levels.last ?? 0) - Int(levels.first ?? 0) }
    #expect(spread(before) <= 6 && spread(after) >= 3 * spread(before))
    #expect(equalised.base[3] == 255)
  }
}

@Suite struct LineDecodingTests {
  private let characters = CharacterList(characters: ["", "a", "b", "c", " "])

  /// - Parameter steps: by step, the likeliest class and how likely the space is.
  private func read(_ steps: [(best: Int, space: Float)], leastSpace: Float = 0.1, widestGap: Int? = nil)
    -> LineReader.Reading
  {
    var output: [Float] = []
    for (best, space) in steps {
      var classes: [Float] = [0.01, 0.01, 0.01, 0.01, space]
      classes[best] = best == 4 ? max(space, 0.6) : 0.8
      output += classes
    }
    return output.withUnsafeBufferPointer {
      LineDecoding(characters: characters, leastSpace: leastSpace, widestGap: widestGap)
        .reading($0.baseAddress!, steps: steps.count, classes: 5)
    }
  }

  @Test func repeatsAndBlanksAreDropped() {
    let reading = read([(0, 0), (1, 0), (1, 0), (0, 0), (1, 0), (2, 0), (4, 0.6), (3, 0), (0, 0)])
    #expect(reading.text == "aab c")
    #expect(abs(reading.confidence - (4 * 0.8 + 0.6) / 5) < 1e-6)
  }

  @Test func aLikelySpaceBetweenLettersIsOne() {
    #expect(read([(1, 0), (0, 0.12), (2, 0)]).text == "a b")
    #expect(read([(1, 0), (0, 0.05), (2, 0)]).text == "ab")
    #expect(read([(1, 0), (0, 0.12), (2, 0)], leastSpace: 0.2).text == "ab")
    // It counts as no letter, and is neither first, last nor doubled.
    #expect(abs(read([(1, 0), (0, 0.12), (2, 0)]).confidence - 0.8) < 1e-6)
    #expect(read([(0, 0.5), (1, 0), (0, 0.5)]).text == "a")
    #expect(read([(1, 0), (0, 0.3), (4, 0.7), (0, 0.3), (2, 0)]).text == "a b")
  }
  @Test func aWideGapPartsWords() {
    let apart: [(best: Int, space: Float)] = [(1, 0), (0, 0), (0, 0), (0, 0), (2, 0)]
    #expect(read(apart).text == "ab")
    #expect(read(apart, widestGap: 3).text == "a b")
    #expect(read(apart, widestGap: 4).text == "ab")
    // Nor before the first character, nor where a space was read.
    #expect(read([(0, 0), (0, 0), (0, 0), (1, 0)], widestGap: 2).text == "a")
    #expect(read([(1, 0), (0, 0), (4, 0.7), (0, 0), (0, 0), (2, 0)], widestGap: 2).text == "a b")
  }
}
